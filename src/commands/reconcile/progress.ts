import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitise.ts";
import type { ReconcileProgress } from "../../triage/reconcile/reconcile.ts";
import { progressLine } from "../drawn-line.ts";
import type { Invocation } from "../invocation.ts";

/** Draws how far a comparison is, where stderr is a terminal. */
export function progressOf(
  invocation: Invocation,
  supplier: string,
  rows: number,
): { readonly show: (progress: ReconcileProgress) => void; readonly clear: () => void } {
  const line = progressLine(invocation);
  return {
    show: (progress) => line?.draw(() => progressWords(progress, supplier, rows)),
    clear: () => line?.clear(),
  };
}

function progressWords(progress: ReconcileProgress, supplier: string, rows: number): string {
  const { counts } = progress;
  switch (progress.phase) {
    case "listing": {
      const found = counts.imported + counts.pending;
      return `Listing ${safe(supplier)}: ${plural(progress.listed, "account")}, ${count(found)} of ${plural(rows, "row")} found`;
    }
    case "looking-up":
      return `Looking up accounts on no list: ${count(progress.done)} of ${count(progress.total)}`;
    case "suggesting":
      return "Searching the list for similar numbers";
  }
}
