/** The keys that write the result of a comparison to a file: its rows, or the corrected list. */

import { errorLine } from "../../errors/error-words.ts";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Action } from "../../keys/scopes.ts";
import { correctedFor } from "../../session/compared-list.ts";
import { stemOf } from "../../session/complete-path.ts";
import { reconcilePlace } from "../../session/logged-work.ts";
import { askFile } from "../../session/new-file.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { asCommand, redirectTo } from "../../text/as-command.ts";
import { plural } from "../../text/numbers.ts";
import type { RecordFormat } from "../../text/records.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import { type Reconciled, rowsOfClasses } from "../../triage/reconcile/reconciled.ts";
import { rowsAsCsv } from "../../triage/reconcile/row-text.ts";
import type { SourceLayout } from "../../triage/source/source.ts";

/**
 * Returns the name, without ending, of a file with the rows of a class, or of all rows if `name` is
 * null.
 */
export function fileStem(supplier: string, chosen: ChosenSource, name: RowClass | null): string {
  return [supplier, stemOfSource(chosen), name ?? "reconciled"].join("-");
}

/**
 * Returns a function that builds the command to write the rows of a class, or all rows, to a file.
 */
export function useRowsCommand(supplier: string, chosen: ChosenSource, name: RowClass | null) {
  const profile = profileFlag(useSession().profile);
  return (file: string, format: RecordFormat) =>
    redirectTo(
      asCommand({ ...reconcilePlace(supplier, chosen, name ?? undefined), format }, profile),
      file,
    );
}

/**
 * Returns the key that writes the rows of some classes to a file, or all rows of the source if
 * `classes` is null.
 */
export function useExportRows(
  supplier: string,
  chosen: ChosenSource,
  result: Reconciled,
  classes: readonly RowClass[] | null,
): Action {
  const write = useWriteFile();
  const app = useApp();
  const commandOf = useRowsCommand(supplier, chosen, classes?.[0] ?? null);
  const length =
    classes === null
      ? result.source.rows
      : classes.reduce((sum, name) => sum + result.counts[name], 0);
  const isCommand = classes === null || classes.length === 1;
  const what = plural(length, "row");
  return {
    disabled: length === 0 ? "No rows to export." : null,
    run: () =>
      askFile(app, write, {
        title: `Export ${what}${classes === null ? "" : " of these classes"}`,
        stem: fileStem(supplier, chosen, null),
        what,
        endings: [".csv"],
        pieces: () => rowsAsCsv(rowsOfClasses(result, classes)),
        ...(isCommand ? { command: (file) => commandOf(file, "csv") } : {}),
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
 * Returns the action that writes the compared list with suggested numbers. It replaces the numbers
 * on the lines in `linesOf()`, or all wrong numbers if that is null.
 */
export function useCorrectedList(
  supplier: string,
  linesOf: () => ReadonlySet<number> | null,
): Action {
  const here = useHere();
  const write = useWriteFile();
  const { app, session } = here;
  const task = session.tasks.reconciles.all.get().get(supplier);
  if (task?.kind !== "ended") return { run: () => {}, disabled: "There is no comparison." };
  const { chosen } = task.progress;
  const { layout } = task.end.result.source;
  const ask = async () => {
    const { bytes, replaced } = await correctedFor(here, supplier, task, linesOf());
    if (replaced === 0) {
      app.notices.show("No number was replaced, so no list is written.", "waiting");
      return;
    }
    const what = `list with ${plural(replaced, "number")} replaced`;
    askFile(app, write, {
      title: `Write the ${what}`,
      stem: `${fileStem(supplier, chosen, null)}-corrected`,
      what,
      endings: [endings[layout]],
      hint: "The other columns stay as they are.",
      pieces: async function* () {
        yield bytes;
      },
    });
  };
  return {
    label: "corrected",
    help: "Write your list with the suggestions of the marked rows, or with all of them",
    disabled:
      layout === "json"
        ? "A JSON array is not corrected: save the list as JSON lines or CSV."
        : task.end.result.suggested().next().done
          ? "No row has a suggestion."
          : null,
    run: () =>
      void ask().catch((error: unknown) =>
        app.notices.show(errorLine(error, { doing: "correcting the list" }), "bad"),
      ),
  };
}
