/** Reading the results of an answer, item by item. */
import { textAt } from "./answer-json.ts";
import type { BodyFacts, Confirmation, Item, ItemOutcome, Refusal } from "./kind.ts";

export const unreadable: Confirmation = { kind: "unreadable" };

export function other(difference: string): Confirmation {
  return { kind: "other-item", difference };
}

export function allCreated(facts: BodyFacts): Confirmation {
  return { kind: "confirmed", items: allItems(facts, "created") };
}

/** As many results as items were sent, or null. */
export function listed(facts: BodyFacts, results: unknown): readonly unknown[] | null {
  return Array.isArray(results) && results.length === facts.items.length ? results : null;
}

/** Confirms each item by its documented status. */
export function byItem(
  facts: BodyFacts,
  results: readonly unknown[],
  statuses: Readonly<Record<string, ItemOutcome>>,
): Confirmation {
  const items: Item[] = [];
  for (const [position, label] of facts.labels.entries()) {
    const status = textAt(results[position], "status");
    if (status === null || !Object.hasOwn(statuses, status)) return unreadable;
    items.push({ position, label, outcome: statuses[status] ?? "unknown", status });
  }
  return { kind: "confirmed", items };
}

/** Every item with the same outcome. */
export function allItems(facts: BodyFacts, outcome: ItemOutcome): Item[] {
  return facts.labels.map((label, position) => ({ position, label, outcome, status: null }));
}

/** A 400 that leaves nothing behind. */
export function refusedWhole(facts: BodyFacts): Refusal {
  return { partly: false, items: allItems(facts, "rejected") };
}

export function isSuccess(httpStatus: number): boolean {
  return httpStatus === 200 || httpStatus === 201;
}

/** The account that a row of a bulk run is for. */
export function accountOf(row: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [row.import_supplier, row.external_account_number];
}

/** The end of the sentence about an item that already exists. */
export function skipped(): string {
  return "; the service skipped it.";
}
