/**
 * Writes rows to fix to a new input file: rows of a file that have an error, rejected rows of a run,
 * or rejected entries. The check of the new file opens when it is written.
 */
import { badRows } from "../bulk/bad-rows.ts";
import { rowPages } from "../bulk/rows.ts";
import { originalFormat, type RowPages, rowsToFix } from "../bulk/rows-to-fix.ts";
import { rowsOfEntries } from "../bulk/run-causes.ts";
import { readingFrom } from "../bulk/run-settings.ts";
import { readRun } from "../bulk/runs.ts";
import { sourceBytes } from "../bulk/source.ts";
import type { KeyWords } from "../keys/keymap.ts";
import type { Action } from "../keys/scopes.ts";
import { plural } from "../text/numbers.ts";
import type { ActivityRow } from "../writes/activity.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { formKindOf } from "../writes/kinds/kinds.ts";
import type { Here } from "./app.ts";
import { defaultOptions, startFileCheck, stemToFix } from "./bulk-file.ts";
import { withJournal } from "./entry-actions.ts";
import { askFile, type WriteFile } from "./file-question.ts";
import { stillHere } from "./late-questions.ts";
import type { CheckedFile, FileCheckRequest } from "./tasks.ts";

export interface FailedRows {
  /** The ID of the run, or null for entries of the journal. */
  readonly run: string | null;
  readonly operation: string;
  readonly what: string;
  readonly stem: string;
  readonly pages: (journal: Journal, signal: AbortSignal) => RowPages;
}

/**
 * Asks for a file and writes failed rows to it. The rows are copied from the file of their run if
 * it still exists unchanged, else from the sent requests.
 */
export function fixRows(here: Here, writeFile: WriteFile, failed: FailedRows): void {
  const { key, end } = here.app;
  const kind = formKindOf(failed.operation);
  withJournal(here, "reading the rows", async (context, isHere) => {
    const { journal } = context;
    const run = failed.run === null ? null : readRun(context, failed.run);
    const format = run === null ? null : await originalFormat(run, end);
    const options = run === null ? defaultOptions : readingFrom(run.reading);
    if (!isHere()) return;
    const endings = format === "csv" ? [".csv", ".jsonl"] : [".jsonl"];
    askFile(here.app, writeFile, {
      title: `Write ${failed.what} to a file, to fix and run again`,
      stem: failed.stem,
      what: failed.what,
      endings,
      hint: checkWords(key),
      pieces: (ending, signal) =>
        rowsToFix(journal, run, failed.pages(journal, signal), {
          isCopy: ending === `.${format}`,
          signal,
        }),
      onWritten: checkWritten(here, kind, options),
    });
  });
}

/**
 * Returns the key that writes the rows of a file that have an error, each with its reason.
 * `isUnchanged` is true if the file is the one that was checked.
 */
export function fixBadRows(
  here: Here,
  writeFile: WriteFile,
  { path, reading, issues }: CheckedFile,
  isUnchanged: boolean,
): Action {
  const { app } = here;
  const what = `${plural(issues.rows, "row")} with an error`;
  const ending = reading.format === "detect" ? [".csv", ".jsonl"] : [`.${reading.format}`];
  return {
    isMain: issues.rows > 0,
    help: "Write the rows with an error to a file, each with the reason as its last column",
    disabled:
      issues.rows === 0
        ? "No row of this file has an error."
        : issues.ofInput > 0
          ? "The file has an error before its first row: correct that in the file."
          : isUnchanged
            ? null
            : `The file has changed: ${app.key("refresh")} reads it again.`,
    run: () =>
      askFile(app, writeFile, {
        title: `Write ${what} to a file, to fix and run again`,
        stem: stemToFix(path),
        what,
        endings: ending,
        hint: `The reason is the last column; a check ignores it. ${checkWords(app.key)}`,
        pieces: (_, signal) => badRows(() => sourceBytes({ kind: "file", path }, signal), reading),
        onWritten: checkWritten(here, reading.kind, reading),
      }),
  };
}

function checkWords(key: KeyWords): string {
  return `Its check opens; ${key("edit")} there opens your editor at the row.`;
}

/** Returns a function that opens a written file's check, unless the user has moved on since. */
function checkWritten(
  { app, session }: Here,
  kind: FileCheckRequest["kind"],
  { group, query, allowMissing }: FileCheckRequest["options"],
): (path: string) => void {
  const isHere = stillHere(app);
  return (path) => {
    if (!isHere()) return;
    void startFileCheck(session, { path, kind, options: { group, query, allowMissing } }, app);
    app.navigation.push({ kind: "bulk-file", path });
  };
}

/** Returns the key that writes the rejected `entries`, or a run's rejected rows, to a file. */
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
