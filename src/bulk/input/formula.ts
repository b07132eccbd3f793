import type { Leaf } from "../../forms/fields.ts";
import { quoted } from "./quoted.ts";

/** The apostrophe that exports put before a text that a spreadsheet would compute. */
const guard = /^'(?=[=+\-@\t\r])/;

/** A number or a phone number. A sign before it is not a formula. */
const numeric = /^[+-][\d\s()./-]+$/;

/** The value that a spreadsheet shows for a formula that is one text or one number. */
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
 * Returns the refusal of a cell that looks like a spreadsheet formula, with the value to write, or
 * null.
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
  // The issue of a value that is no number, date or choice is about its sign too.
  const isMatched = leaf.type === "text" || leaf.type === "enumeration";
  const message = isMatched || cell.startsWith("=") ? formulaProblem(cell) : null;
  return message === null ? null : { severity: "error", message };
}
