/** Finds cells of a bulk input that a spreadsheet would treat as a formula. */
import type { Leaf } from "../../forms/fields.ts";
import { formulaProblem, isFormula } from "../../rows/record-text.ts";

const sentUnchanged = "This begins like a spreadsheet formula; it is sent unchanged.";

/** Returns the issue of a cell that looks like a formula, or null if there is none. */
export function formulaIssue(
  leaf: Leaf,
  cell: string,
): { readonly severity: "error" | "warning"; readonly message: string } | null {
  const isFreeText =
    leaf.type === "multiline" || (leaf.type === "text" && !leaf.identifier && !leaf.reference);
  if (isFreeText) return isFormula(cell) ? { severity: "warning", message: sentUnchanged } : null;
  // A number or a date that begins with a sign is checked by its own type.
  const mustMatch = leaf.type === "text" || leaf.type === "enumeration";
  const message = mustMatch || cell.startsWith("=") ? formulaProblem(cell) : null;
  return message === null ? null : { severity: "error", message };
}
