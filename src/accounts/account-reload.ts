import { type TableDifference, tableDifference } from "./difference.ts";
import { inSlices, type Sliced, type Slicing } from "./slices.ts";
import type { AccountTable } from "./table.ts";
import type { AccountView } from "./view.ts";

const rowsIndexedAtOnce = 2048;

/**
 * Gets a reload's view ready to be seen in one go: compared with the rows before it, filtered,
 * sorted, and indexed where marks have to find their rows. Filter and sort may change meanwhile.
 * Rejects with the signal's reason.
 */
export async function readyToBeSeen(
  before: AccountTable,
  view: AccountView,
  marked: () => boolean,
  how: Slicing,
  signal: AbortSignal,
): Promise<TableDifference> {
  const run = async <T>(work: Sliced<T>): Promise<T> => {
    const done = await inSlices(work, how, () => signal.aborted);
    signal.throwIfAborted();
    return done as T;
  };
  const difference = await run(tableDifference(before, view.table));
  do {
    await run(settling(view));
    if (marked()) await run(indexing(view.table));
  } while (!view.settled);
  return difference;
}

/** Finds and sorts what is left to be found and sorted. */
function* settling(view: AccountView): Sliced<void> {
  while (!view.settled) {
    view.work();
    yield;
  }
}

/** Takes all rows into the identity index. */
export function* indexing(table: AccountTable): Sliced<void> {
  while (!table.indexMore(rowsIndexedAtOnce)) yield;
}
