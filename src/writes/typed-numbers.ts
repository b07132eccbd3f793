/** Compares the numbers that the user types to confirm a write. */
import { ExactSum } from "../forms/decimals.ts";

/**
 * Returns a typed number as decimal text without thousands separators, or null if the text is not a
 * number.
 */
export function decimalOf(text: string): string | null {
  const trimmed = text.trim();
  if (!/^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(trimmed)) return null;
  return trimmed.replaceAll(",", "").replace(/^\+/, "");
}

/** Returns true if two decimal texts are the same number, as `12.5` and `12.50` are. */
export function sameDecimal(one: string, other: string): boolean {
  const difference = new ExactSum();
  difference.add(one);
  difference.add(other.startsWith("-") ? other.slice(1) : `-${other}`);
  return /^0(?:\.0+)?$/.test(difference.text());
}

/** Returns true if the typed text is this number of rows. */
export function isRowCount(text: string, rows: number): boolean {
  return decimalOf(text) === String(rows);
}

/** Returns true if the typed text is this sum. `sum` is decimal text. */
export function isSum(text: string, sum: string): boolean {
  const decimal = decimalOf(text);
  return decimal !== null && sameDecimal(decimal, sum);
}
