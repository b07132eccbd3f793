/** The keys that write the result of a comparison to a file: its rows, or the corrected list. */
import { errorLine } from "../../errors/error-words.ts";
import type { Action } from "../../keys/scopes.ts";
import { formatOf, type RecordFormat, recordFormats, recordsText } from "../../rows/csv.ts";
import type { Here } from "../../session/app.ts";
import { correctedFor } from "../../session/compared-list.ts";
import { stemOf } from "../../session/complete-path.ts";
import { askFile, type WriteFile } from "../../session/file-question.ts";
import { askLater } from "../../session/late-questions.ts";
import { reconcilePlace } from "../../session/logged-work.ts";
import type { Session } from "../../session/open-session.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { asCommand, redirectTo } from "../../text/as-command.ts";
import { plural } from "../../text/numbers.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import { correctedWords } from "../../triage/reconcile/correct.ts";
import { type Reconciled, rowsOfClasses } from "../../triage/reconcile/reconciled.ts";
import { rowFields } from "../../triage/reconcile/row-fields.ts";
import type { SourceLayout } from "../../triage/source/source.ts";

/** Returns a file name without ending, for the rows of a class, or all rows if `name` is null. */
export function fileStem(supplier: string, chosen: ChosenSource, name: RowClass | null): string {
  return [supplier, stemOfSource(chosen), name ?? "reconciled"].join("-");
}

export function rowsCommand(
  { profile }: Session,
  supplier: string,
  chosen: ChosenSource,
  name: RowClass | null,
) {
  const place = reconcilePlace(supplier, chosen, name ?? undefined);
  return (file: string, format: RecordFormat) =>
    redirectTo(asCommand({ ...place, format }, profileFlag(profile)), file);
}

/** Returns the key that writes the rows of some classes, or all rows if `classes` is null. */
export function exportRowsKey(
  { app, session }: Here,
  write: WriteFile,
  options: {
    readonly supplier: string;
    readonly chosen: ChosenSource;
    readonly result: Reconciled;
    readonly classes: readonly RowClass[] | null;
  },
): Action {
  const { supplier, chosen, result, classes } = options;
  const commandOf = rowsCommand(session, supplier, chosen, classes?.[0] ?? null);
  const length =
    classes === null
      ? result.source.rows
      : classes.reduce((sum, name) => sum + result.counts[name], 0);
  const isCommand = classes === null || classes.length === 1;
  const rowsText = plural(length, "row");
  return {
    disabled: length === 0 ? "No rows to export." : null,
    run: () =>
      askFile(app, write, {
        title: `Export ${rowsText}${classes === null ? "" : " of these classes"}`,
        stem: fileStem(supplier, chosen, null),
        what: rowsText,
        endings: Object.keys(recordFormats),
        pieces: (ending) =>
          recordsText(rowFields, rowsOfClasses(result, classes), formatOf(ending)),
        ...(isCommand ? { command: (file, ending) => commandOf(file, formatOf(ending)) } : {}),
      }),
  };
}

function stemOfSource(chosen: ChosenSource): string {
  switch (chosen.kind) {
    case "file":
      return stemOf(chosen.path);
    case "cohort":
      return chosen.name;
    case "pasted":
      return "pasted";
  }
}

const endings: Readonly<Record<SourceLayout, string>> = {
  csv: ".csv",
  jsonl: ".jsonl",
  text: ".txt",
  json: ".json",
};

/**
 * Returns the key that writes the corrected list: with the suggestions that the user has taken, or
 * with all if none is taken, and without duplicate and malformed rows.
 */
export function correctedListKey(here: Here, write: WriteFile, supplier: string): Action {
  const { app, session } = here;
  const task = session.tasks.reconciles.all.get().get(supplier);
  if (task?.kind !== "ended") return { run: () => {}, disabled: "There is no comparison." };
  const { chosen } = task.progress;
  const { result, taken } = task.end;
  const { layout } = result.source;
  const { duplicate, malformed } = result.counts;
  const hasChange = duplicate + malformed > 0 || result.suggested().next().done !== true;
  const ask = async (isHere: () => boolean) => {
    const { corrected, onWritten } = await correctedFor(here, supplier, task);
    const { bytes, ...changes } = corrected;
    if (!isHere()) return;
    const words = correctedWords(changes);
    const suggestions =
      taken.size > 0
        ? "It has the suggestions that you took."
        : `It has all suggestions; ${app.key("accept")} on a row takes single ones.`;
    askFile(app, write, {
      title: `Write the corrected list: ${words}`,
      stem: `${fileStem(supplier, chosen, null)}-corrected`,
      what: "corrected list",
      endings: [endings[layout]],
      hint: `${suggestions} Then ${app.key("refresh")} compares it.`,
      pieces: async function* () {
        yield bytes;
      },
      onWritten,
    });
  };
  return {
    label: "corrected list",
    // A written list is compared next.
    isMain: hasChange && task.end.corrected === null,
    help: "Write your list with the suggestions that you took, or with all, and without duplicates and malformed rows",
    disabled: hasChange
      ? null
      : "No row has a suggestion, is a duplicate or is malformed: there is nothing to correct.",
    run: () =>
      void askLater(app, ask).catch((error: unknown) =>
        app.notices.show(errorLine(error, { doing: "correcting the list" }), "bad"),
      ),
  };
}
