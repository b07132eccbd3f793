/** Writes failed rows of a run, or failed entries, to a new input file. */
import { rowPages } from "../bulk/rows.ts";
import { originalFormat, type RowPages, rowsToFix } from "../bulk/rows-to-fix.ts";
import { rowsOfEntries } from "../bulk/run-causes.ts";
import { readRun } from "../bulk/runs.ts";
import type { Action } from "../keys/scopes.ts";
import { plural } from "../text/numbers.ts";
import type { ActivityRow } from "../writes/activity.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { Here } from "./app.ts";
import { withJournal } from "./entry-actions.ts";
import { askFile, type WriteFile } from "./new-file.ts";

/** Failed rows of a run, or failed entries, that are written as an input to fix and run again. */
export interface FailedRows {
  /** The ID of the run, or null for entries of the journal. */
  readonly run: string | null;
  readonly operation: string;
  /** The rows in words, for example `2 rejected rows`. */
  readonly what: string;
  /** The name of the file, without its ending. */
  readonly stem: string;
  /** Reads the rows from the journal, in pages. */
  readonly pages: (journal: Journal, signal: AbortSignal) => RowPages;
}

/**
 * Asks for a file and writes failed rows to it. The rows are copied from the file of their run if
 * it still exists unchanged, else from the sent requests.
 */
export function fixRows(here: Here, writeFile: WriteFile, failed: FailedRows): void {
  const { key, end } = here.app;
  const kind = failed.operation.replace(/ create$/, "");
  withJournal(here, "reading the rows", async (context) => {
    const { journal } = context;
    const run = failed.run === null ? null : readRun(context, failed.run);
    const format = run === null ? null : await originalFormat(run, end);
    const endings = format === "csv" ? [".csv", ".jsonl"] : [".jsonl"];
    askFile(here.app, writeFile, {
      title: `Write ${failed.what} to a file, to fix and run again`,
      stem: failed.stem,
      what: failed.what,
      endings,
      hint: `Fix it, then run it: ${key("runs")}, ${key("add")}, or supplyline bulk run ${kind} --from FILE.`,
      pieces: (ending, signal) =>
        rowsToFix(journal, run, failed.pages(journal, signal), {
          isCopy: ending === `.${format}`,
          signal,
        }),
    });
  });
}

/**
 * Returns the key that writes the rejected entries among `entries`, or the rejected rows of a run,
 * to a file.
 */
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
  const haveSameOperation = rejected.every((entry) => entry.operation === operation);
  const ids = rejected.map(({ journal_id: id }) => id);
  return {
    disabled: haveSameOperation ? null : "They are of several operations: mark those of one.",
    run: () =>
      fixRows(
        here,
        writeFile,
        run === null
          ? {
              run,
              operation,
              stem: "activity.rejected",
              what: plural(ids.length, "rejected entry", "rejected entries"),
              pages: (journal) => [rowsOfEntries(journal, ids)],
            }
          : {
              run,
              operation,
              stem: `${run}.rejected`,
              what: `rejected rows of run ${run}`,
              pages: rejectedPages(run),
            },
      ),
  };
}

export function rejectedPages(run: string): FailedRows["pages"] {
  return (journal, signal) => rowPages(journal, run, { signal, states: ["rejected"] });
}
