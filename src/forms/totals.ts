/** Adds up amounts in a form, and checks that the items of a transaction add up to its amount. */
import { isJsonArray, isJsonNumber, type Json, memberOf } from "../json/exact.ts";
import { decimalProblem, readDecimal, sumOfDecimals } from "./decimals.ts";
import type { Rule } from "./fields.ts";

/** Returns the exact sum of a field of all rows, or null if a row has no decimal number in it. */
function sumOf(rows: Json | undefined, field: string): string | null {
  const amounts = (isJsonArray(rows) ? rows : []).map((row) => memberOf(row, field));
  const sources = amounts.flatMap((amount) =>
    isJsonNumber(amount) && decimalProblem(amount.rawJSON) === null ? [amount.rawJSON] : [],
  );
  return sources.length < amounts.length ? null : sumOfDecimals(sources);
}

/**
 * Returns the sum of amounts while they are typed, ignoring empty ones, or null if one cannot be
 * read or all are empty.
 */
export function sumOfTyped(texts: readonly string[]): string | null {
  const filled = texts.filter((text) => text.trim() !== "").map(readDecimal);
  const sources = filled.flatMap((one) => (one.ok ? [one.source] : []));
  return sources.length === 0 || sources.length < filled.length ? null : sumOfDecimals(sources);
}

function isEqual(one: string, other: string): boolean {
  const opposite = other.startsWith("-") ? other.slice(1) : `-${other}`;
  return /^-?0(?:\.0+)?$/.test(sumOfDecimals([one, opposite]));
}

/**
 * Reports a transaction whose line items and tax items do not add up exactly to its amount. Reports
 * nothing if an item has no amount, or if there are no line items.
 */
export const itemsAddUp: Rule = (transaction) => {
  const amount = memberOf(transaction, "amount");
  const lines = memberOf(transaction, "line_items");
  const taxes = memberOf(transaction, "tax_items") ?? [];
  if (!isJsonNumber(amount) || decimalProblem(amount.rawJSON) !== null) return [];
  if (!isJsonArray(lines) || lines.length === 0) return [];
  const net = sumOf(lines, "net_amount");
  const tax = sumOf(taxes, "amount");
  if (net === null || tax === null) return [];
  const total = sumOfDecimals([net, tax]);
  if (isEqual(total, amount.rawJSON)) return [];
  const hasTax = isJsonArray(taxes) && taxes.length > 0;
  const sum = hasTax
    ? `Line items ${net} + tax items ${tax} = ${total}`
    : `Line items add up to ${total}`;
  return [{ path: ["amount"], message: `${sum}; the amount is ${amount.rawJSON}.` }];
};
