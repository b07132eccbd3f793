import type { CommandPlace } from "../text/as-command.ts";
import type { RowClass } from "../triage/reconcile/classes.ts";
import type { ChosenSource } from "./tasks.ts";

/** Returns a comparison as the place for a command. A pasted list becomes its standard input. */
export function reconcilePlace(
  supplier: string,
  chosen: ChosenSource,
  only?: RowClass,
): Extract<CommandPlace, { readonly kind: "reconcile" }> {
  const common = { kind: "reconcile", supplier, only } as const;
  switch (chosen.kind) {
    case "file":
      return { ...common, source: chosen.path, column: chosen.column ?? undefined };
    case "cohort":
      return { ...common, cohort: chosen.name };
    case "pasted":
      return { ...common, source: "-" };
  }
}
