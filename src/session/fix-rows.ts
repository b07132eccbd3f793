import { readRunRows } from "../bulk/rows.ts";
import { originalFormat, rowsToFix } from "../bulk/rows-to-fix.ts";
import { rowsOfEntries } from "../bulk/run-causes.ts";
import type { RunRow } from "../bulk/run-record.ts";
import { readRun } from "../bulk/runs.ts";
import { entriesJsonl } from "../bulk/sent-rows.ts";
import type { Action } from "../keys/scopes.ts";
import { plural } from "../text/numbers.ts";
import type { ActivityRow } from "../writes/activity.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { Here } from "./app.ts";
import { failureWords } from "./entry-actions.ts";
import { askFile, type WriteFile } from "./new-file.ts";

/** Failed rows of a run, or failed entries, that are written as an input to fix and run again. */
export interface FailedRows {
  /** The ID of the run, or null for entries of the journal. */
  readonly run: string | null;
  readonly operation: string;
  /** For example `2 rejected rows`. */
  readonly what: string;
  /** The name of the file, without its ending. */
  readonly stem: string;
  readonly rows: (journal: Journal) => Iterable<RunRow>;
}

/**
 * Asks for a file and writes failed rows to it: as they are in the file of their run if that is there and
 * unchanged, else as they were sent.
 */
export function fixRows({ app, session }: Here, writeFile: WriteFile, failed: FailedRows): void {
  const { notices, key, end } = app;
  const kind = failed.operation.replace(/ create$/, "");
  const ask = async () => {
    const { context } = await session.writes();
    const { journal } = context;
    const run = failed.run === null ? null : readRun(context, failed.run);
    const format = run === null ? null : await originalFormat(run, end);
    const endings = format === "csv" ? [".csv", ".jsonl"] : [".jsonl"];
    askFile(app, writeFile, {
      title: `Write ${failed.what} to a file, to fix and run again`,
      ...{ stem: failed.stem, what: failed.what, endings },
      hint: `Fix it, then run it: ${key("runs")}, ${key("add")}, or supplyline bulk run ${kind} --from FILE.`,
      pieces: (ending, signal) =>
        run === null
          ? entriesJsonl(journal, failed.rows(journal))
          : rowsToFix(journal, run, [failed.rows(journal)], {
              ...{ isCopy: ending === `.${format}`, signal },
            }),
    });
  };
  ask().catch((error: unknown) => notices.show(failureWords(error, "reading the rows"), "bad"));
}

/** Returns the key that writes the rejected ones of some entries to a file, or the rejected rows of a run. */
export function fixEntries(
  here: Here,
  writeFile: WriteFile,
  run: string | null,
  entries: readonly Pick<ActivityRow, "journal_id" | "operation" | "outcome">[],
): Action {
  const rejected = entries.filter(({ outcome }) => outcome === "rejected");
  const [first] = rejected;
  if (first === undefined) return { run() {}, disabled: "No entry here is rejected." };
  const { operation } = first;
  const isOne = rejected.every((one) => one.operation === operation);
  const ids = rejected.map(({ journal_id: id }) => id);
  return {
    disabled: isOne ? null : "They are of several operations: mark those of one.",
    run: () =>
      fixRows(
        here,
        writeFile,
        run === null
          ? {
              ...{ run, operation, stem: "activity.rejected" },
              what: plural(ids.length, "rejected entry", "rejected entries"),
              rows: (journal) => rowsOfEntries(journal, ids),
            }
          : {
              ...{ run, operation, stem: `${run}.rejected`, what: `rejected rows of run ${run}` },
              rows: (journal) => rejectedRows(journal, run),
            },
      ),
  };
}

/** Rows that are read at a time. */
const together = 500;

/** Yields the rejected rows of a run. Throws JournalError. */
export function* rejectedRows(journal: Journal, run: string): Generator<RunRow, void, void> {
  for (let afterLine = -1; ; ) {
    const some = readRunRows(journal, run, { outcomes: ["rejected"], afterLine, limit: together });
    yield* some;
    const last = some.at(-1);
    if (last === undefined || some.length < together) return;
    afterLine = last.line;
  }
}
