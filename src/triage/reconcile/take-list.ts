/** Matches a source with a complete list of the service. */
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import { betweenEvents, inSlices, type Slicing } from "../../accounts/slices.ts";
import type { Matching } from "./matching.ts";

/** The rows of a complete list. Reading throws if the list is not complete. */
export type WholeListRows<End extends ListEnd = ListEnd> = AsyncGenerator<AccountBatch, End, void>;

interface ListEnd {
  readonly rows: number;
  /** The start of the load, in epoch milliseconds. */
  readonly listedAt: number;
}

/**
 * Matches a list while it arrives, and yields to the event loop in between. Rejects with the error
 * of the list, or with the signal's reason.
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
    // The request is in progress while the source is indexed.
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
    // A reader that stops early does not need the end of the list.
    if (!isOver) list.return(undefined as never).catch(() => {});
  }
}
