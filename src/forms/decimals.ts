import { ExactSum } from "./exact-sum.ts";

/** Decimal text: digits as a person writes them, never a float. */

export type Decimal =
  | { readonly ok: true; readonly source: string }
  | { readonly ok: false; readonly message: string };

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Reads typed decimal text: an optional sign, digits, at most one point, no exponent. `source` has
 * the digits as typed, without a leading `+`, which JSON has no place for.
 */
export function readDecimal(typed: string): Decimal {
  const text = typed.trim();
  const source = text.startsWith("+") ? text.slice(1) : text;
  if (decimal.test(source) && !text.startsWith("+-")) return { ok: true, source };
  return { ok: false, message: decimalProblem(text) ?? "Write a number such as -12.50." };
}

/** What keeps text from being a decimal number, or null. */
export function decimalProblem(text: string): string | null {
  if (decimal.test(text)) return null;
  if (/^[+-]?\d+(?:\.\d+)?[eE][+-]?\d+$/.test(text)) {
    return "Write the number out, without an exponent.";
  }
  if (/^[\u2212\u2013\u2014]/.test(text)) return "Write the minus sign as a plain hyphen (-).";
  if (/^[+-]?[\d,' ]+\.?\d*$/.test(text) && /[,' ]/.test(text)) {
    return "Write the number with a point before the decimals and nothing between the thousands.";
  }
  if (/^[+-]?\.\d+$/.test(text)) return "Write a digit before the point, such as 0.50.";
  if (/^[+-]?\d+\.$/.test(text)) return "Write a digit after the point, or leave the point out.";
  if (/^[+-]?0\d/.test(text)) return "Write the number without leading zeros.";
  return "Write a number such as -12.50.";
}

/** The exact sum of decimal numbers, each as many `times`; `0` of none. */
export function sumOfDecimals(sources: Iterable<string>, times = 1): string {
  const sum = new ExactSum();
  for (const source of sources) sum.add(source, times);
  return sum.text();
}
