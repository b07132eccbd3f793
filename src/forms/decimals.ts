/** Reads and adds up decimal numbers as text, never as floating-point numbers. */
import { withoutBlanks } from "./odd-characters.ts";

export type Decimal =
  | { readonly ok: true; readonly source: string }
  | { readonly ok: false; readonly message: string };

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Reads typed decimal text: an optional sign, digits, at most one point, no exponent. `source` has
 * the typed digits without a leading `+`, which JSON does not allow.
 */
export function readDecimal(typed: string): Decimal {
  const text = withoutBlanks(typed);
  const source = text.startsWith("+") ? text.slice(1) : text;
  if (decimal.test(source) && !text.startsWith("+-")) return { ok: true, source };
  return { ok: false, message: decimalProblem(text) ?? "Write a number such as -12.50." };
}

export function decimalProblem(text: string): string | null {
  if (decimal.test(text)) return null;
  if (/^[+-]?\d+(?:\.\d+)?[eE][+-]?\d+$/.test(text)) {
    return "Write the number out, without an exponent.";
  }
  if (/^[\u2212\u2013\u2014]/.test(text)) return "Write the minus sign as a plain hyphen (-).";
  if (/^[+-]?[\d.,' ]*\d[\d.,' ]*$/.test(text) && /[,' ]|\.\d{3}\./.test(text)) {
    return "Write the number with a point before the decimals and nothing between the thousands.";
  }
  if (/^[+-]?\.\d+$/.test(text)) return "Write a digit before the point, such as 0.50.";
  if (/^[+-]?\d+\.$/.test(text)) return "Write a digit after the point, or leave the point out.";
  if (/^[+-]?0\d/.test(text)) return "Write the number without leading zeros.";
  return "Write a number such as -12.50.";
}

/** Returns the exact sum of decimal numbers, or `0` for none. */
export function sumOfDecimals(sources: Iterable<string>): string {
  const sum = new ExactSum();
  for (const source of sources) sum.add(source);
  return sum.text();
}

/**
 * Returns the sum of typed amounts without the empty ones, or null if an amount cannot be read or
 * all are empty.
 */
export function sumOfTyped(texts: readonly string[]): string | null {
  const filled = texts.filter((text) => text.trim() !== "").map(readDecimal);
  const sources = filled.flatMap((decimal) => (decimal.ok ? [decimal.source] : []));
  return sources.length === 0 || sources.length < filled.length ? null : sumOfDecimals(sources);
}

/** Adds up decimal texts digit by digit, without floating-point numbers. */
export class ExactSum {
  /** The sums in units of their last digit, by the number of digits after the point. */
  readonly #sums = new Map<number, bigint>();

  /**
   * Adds a decimal number without an exponent, such as `-12.50`, multiplied by `times`. Default: 1.
   * Throws SyntaxError for any other text.
   */
  add(decimal: string, times = 1): void {
    const places = decimalPlaces(decimal);
    const units = BigInt(places === 0 ? decimal : decimal.replace(".", ""));
    this.#sums.set(places, (this.#sums.get(places) ?? 0n) + units * BigInt(times));
  }

  /** Returns the sum with the places of the longest number, or `0` if nothing was added. */
  text(): string {
    const places = Math.max(0, ...this.#sums.keys());
    let sum = 0n;
    for (const [ownPlaces, units] of this.#sums) sum += units * 10n ** BigInt(places - ownPlaces);
    const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, "0");
    const sign = sum < 0n ? "-" : "";
    if (places === 0) return `${sign}${digits}`;
    return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
  }
}

export function decimalPlaces(source: string): number {
  const point = source.indexOf(".");
  return point < 0 ? 0 : source.length - point - 1;
}
