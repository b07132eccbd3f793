/** Detects cells that look like spreadsheet formulas, so that they are not sent by mistake. */
import type { Leaf } from "../../forms/fields.ts";
import { quoted } from "./quoted.ts";

/** The apostrophe that exports add before a text that a spreadsheet would treat as a formula. */
const guard = /^'(?=[=+\-@\t\r])/;

/** A number or a phone number. Its sign does not begin a formula. */
const numeric = /^[+-][\d\s()./-]+$/;

/** A formula that is only one text or one number. Its value is in the groups. */
const constant = /^=\s*(?:"((?:[^"]|"")*)"|([+-]?\d+(?:\.\d+)?))$/;

const sentUnchanged = "This begins like a spreadsheet formula; it is sent unchanged.";

function isFormula(cell: string): boolean {
  return cell.startsWith("=") || (/^[+\-@]\S/.test(cell) && !numeric.test(cell));
}

/** Returns a cell without the apostrophe of an export. */
export function withoutGuard(cell: string): string {
  return cell.replace(guard, "");
}

/**
 * Returns the message for a cell that looks like a formula, with the value to write, or null for
 * any other cell.
 */
export function formulaProblem(cell: string): string | null {
  if (!isFormula(cell)) return null;
  const found = constant.exec(cell);
  const plain = found?.[1]?.replaceAll('""', '"') ?? found?.[2];
  const remedy =
    plain === undefined
      ? `Write its value, or ${quoted(`'${cell}`)} for this very text.`
      : `Write ${plain === "" ? "nothing" : quoted(plain)} there.`;
  return `This looks like a spreadsheet formula. ${remedy}`;
}

/** Returns the issue of a cell that looks like a formula, or null if there is none. */
export function formulaIssue(
  leaf: Leaf,
  cell: string,
): { readonly severity: "error" | "warning"; readonly message: string } | null {
  const isFreeText =
    leaf.type === "multiline" || (leaf.type === "text" && !leaf.identifier && !leaf.reference);
  if (isFreeText) return isFormula(cell) ? { severity: "warning", message: sentUnchanged } : null;
  // For other types, the issue of an invalid value already covers its sign.
  const isMatched = leaf.type === "text" || leaf.type === "enumeration";
  const message = isMatched || cell.startsWith("=") ? formulaProblem(cell) : null;
  return message === null ? null : { severity: "error", message };
}
