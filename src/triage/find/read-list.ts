/** Searches numbers in the complete list of a supplier while it arrives. */
import { Matching } from "../reconcile/matching.ts";
import { takeList, type WholeListRows } from "../reconcile/take-list.ts";
import { type Source, SourceBuilder } from "../source/source.ts";
import type { FoundAccount } from "./found.ts";
import type { SearchedAccounts } from "./searched-accounts.ts";

/**
 * Reads a complete list and keeps only the rows with a wanted number in memory. Similar numbers are
 * therefore not found in it. Rejects with the error of the list, or with the signal's reason.
 */
export async function readMatched<End extends { rows: number; listedAt: number }>(
  wanted: readonly string[],
  list: WholeListRows<End>,
  options: { readonly signal: AbortSignal; readonly onRows?: (listed: number) => void },
): Promise<{ readonly accounts: SearchedAccounts; readonly end: End }> {
  const matching = new Matching(sourceOf(wanted), false);
  const end = await takeList(matching, list, options);
  const found = new Map<string, FoundAccount>();
  for (const [row, number] of wanted.entries()) {
    const state = matching.classOf(row);
    if (state !== "imported" && state !== "pending") continue;
    const { service, created } = matching.facts.of(matching.linkOf(row));
    const createdAt = Date.parse(created ?? "");
    const since = state === "pending" || Number.isNaN(createdAt) ? null : createdAt;
    found.set(number, { number, state, serviceNumber: service, since });
  }
  return { accounts: fewAccounts(found, end.listedAt), end };
}

/** Returns a source of accounts that were picked from a whole list. */
export function fewAccounts(
  found: ReadonlyMap<string, FoundAccount>,
  at: number,
): SearchedAccounts {
  return { at, isWhole: true, find: (number) => found.get(number) ?? null, rows: null };
}

function sourceOf(numbers: readonly string[]): Source {
  const bytes = numbers.reduce((sum, number) => sum + Buffer.byteLength(number), 0);
  const builder = new SourceBuilder(bytes);
  for (const [at, number] of numbers.entries()) builder.addText(at + 1, number);
  return builder.finish("numbers", "text");
}
