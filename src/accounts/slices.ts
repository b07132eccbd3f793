/** Runs long work in slices, so that other events run between the slices. */

/**
 * Long work as a generator. The generator yields at each point at which it can be interrupted, and returns its
 * result. Dropping the generator cancels the work.
 */
export type Sliced<T> = Generator<void, T, void>;

export interface Slicing {
  yieldNow(): Promise<void>;
  /** Returns a monotonic time in milliseconds. */
  elapsed(): number;
  /** Milliseconds of work between two yields. */
  readonly budgetMs: number;
}

export const betweenEvents: Slicing = {
  yieldNow: () => new Promise((resolve) => setImmediate(resolve)),
  elapsed: () => performance.now(),
  budgetMs: 4,
};

/** Runs work in slices. Returns null if `canceled` returns true before the end. */
export async function inSlices<T>(
  work: Sliced<T>,
  slicing: Slicing,
  canceled: () => boolean = () => false,
): Promise<T | null> {
  for (;;) {
    const end = slicing.elapsed() + slicing.budgetMs;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (slicing.elapsed() < end);
    await slicing.yieldNow();
    if (canceled()) return null;
  }
}

/** Runs work in slices to its end. Rejects with the signal's reason. */
export async function runSliced<T>(
  work: Sliced<T>,
  signal?: AbortSignal,
  slicing: Slicing = betweenEvents,
): Promise<T> {
  const done = await inSlices(work, slicing, () => signal?.aborted ?? false);
  signal?.throwIfAborted();
  return done as T;
}

export function pauseBetweenSlices(slicing: Slicing = betweenEvents): () => Promise<void> {
  let start = slicing.elapsed();
  return async () => {
    if (slicing.elapsed() - start < slicing.budgetMs) return;
    await slicing.yieldNow();
    start = slicing.elapsed();
  };
}

/** Runs work to its end without a pause, for small tables and for tests. */
export function runToEnd<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
