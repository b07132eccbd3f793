import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import { betweenEvents, inSlices, type Slicing } from "../../accounts/slices.ts";
import type { Matching } from "./matching.ts";

/** The rows of one complete list. Reading it throws if the list is not complete. */
export type WholeListRows<End extends ListEnd = ListEnd> = AsyncGenerator<AccountBatch, End, void>;

interface ListEnd {
  readonly rows: number;
  /** The beginning of the load, in epoch milliseconds. */
  readonly listedAt: number;
}

/**
 * Matches a list while it arrives, and lets other events run in between. Rejects with the error of
 * the list, or with the signal's reason.
 */
export async function takeList<End extends ListEnd>(
  matching: Matching,
  list: WholeListRows<End>,
  options: {
    readonly signal: AbortSignal;
    /** Called with the number of listed rows so far. */
    readonly onRows?: ((listed: number) => void) | undefined;
    readonly slicing?: Slicing | undefined;
  },
): Promise<End> {
  const { signal, onRows, slicing = betweenEvents } = options;
  let isOver = false;
  try {
    // The request is under way while the source is taken in.
    const first = list.next();
    first.catch(() => {});
    await inSlices(matching.indexing(), slicing, () => signal.aborted);
    signal.throwIfAborted();
    let listed = 0;
    let turn = slicing.elapsed();
    for (let step = await first; ; step = await list.next()) {
      signal.throwIfAborted();
      if (step.done) {
        isOver = true;
        matching.endList();
        return step.value;
      }
      matching.take(step.value);
      listed += step.value.count;
      onRows?.(listed);
      if (slicing.elapsed() - turn < slicing.budgetMs) continue;
      await slicing.yieldNow();
      turn = slicing.elapsed();
    }
  } finally {
    // A reader that leaves does not need the end of the list.
    if (!isOver) list.return(undefined as never).catch(() => {});
  }
}
