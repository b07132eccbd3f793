import { useApp, useSession } from "../../hooks/app.tsx";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Action } from "../../keys/scopes.ts";
import { stemOf } from "../../session/complete-path.ts";
import { reconcilePlace } from "../../session/reconcile-place.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { asCommand, intoFile } from "../../text/as-command.ts";
import { plural } from "../../text/numbers.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import type { Reconciled, ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import { rowsAsCsv } from "../../triage/reconcile/row-text.ts";

export interface ShownRows {
  readonly class: RowClass;
  readonly length: number;
  readonly at: (position: number) => ReconciledRow;
}

/** The key that writes rows to a file as the command does: the rows of a class, or with null all. */
export function useExportRows(
  supplier: string,
  chosen: ChosenSource,
  result: Reconciled,
): (shown: ShownRows | null) => Action {
  const write = useWriteFile();
  const { overlays } = useApp();
  const profile = profileFlag(useSession().profile);
  return (shown) => {
    const length = shown?.length ?? result.source.rows;
    const stem = stemOfSource(chosen);
    const name = [supplier, stem, shown?.class ?? "reconciled"].join("-");
    return {
      disabled: length === 0 ? "There are no rows to export." : null,
      run: () =>
        overlays.prompt({
          title: `Export ${plural(length, "row")}`,
          label: "File",
          isPath: true,
          hint: "A new file; its name ends in .csv.",
          initial: `${name.replace(/[^\w.-]+/g, "_")}.csv`,
          onSubmit: (path) =>
            write(
              {
                what: plural(length, "row"),
                endings: [".csv"],
                pieces: () => rowsAsCsv(rowsOf(result, shown)),
                command: (file) =>
                  intoFile(
                    asCommand(
                      { ...reconcilePlace(supplier, chosen, shown?.class), format: "csv" },
                      profile,
                    ),
                    file,
                  ),
              },
              path,
            ),
        }),
    };
  };
}

function* rowsOf(result: Reconciled, shown: ShownRows | null): Generator<ReconciledRow> {
  const length = shown?.length ?? result.source.rows;
  for (let at = 0; at < length; at++) yield shown === null ? result.row(at) : shown.at(at);
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

/** The numbers of the rows of some classes, at most `most` of them. */
export function externalsOf(
  result: Reconciled,
  classes: readonly RowClass[],
  most: number,
): readonly string[] {
  const found: string[] = [];
  for (const name of classes) {
    for (let at = 0; at < result.counts[name] && found.length < most; at++) {
      const { external } = result.rowIn(name, at);
      if (external !== null) found.push(external);
    }
  }
  return found;
}
