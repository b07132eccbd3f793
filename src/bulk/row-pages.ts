/** The rows of a run, some at a time, while other work goes on. */
import type { Journal } from "../writes/journal/open-journal.ts";
import type { RunRow } from "./run-record.ts";
import { type RowOutcome, readRunRows } from "./run-rows.ts";

export interface RowsWanted {
  readonly signal: AbortSignal;
  /** All of them when not said. */
  readonly outcomes?: readonly RowOutcome[] | undefined;
}

const together = 500;

/**
 * The rows of a run in the order of their lines, some at a time, however many there are. Throws
 * AppError, or the reason of the signal.
 */
export async function* rowPages(
  journal: Journal,
  run: string,
  { signal, outcomes }: RowsWanted,
): AsyncGenerator<readonly RunRow[], void, void> {
  let afterLine = -1;
  for (;;) {
    signal.throwIfAborted();
    const rows = readRunRows(journal, run, { outcomes, afterLine, limit: together });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < together) return;
    afterLine = last.line;
    // Reading the journal is synchronous; a signal is to be heard all the same.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
