/** Derives the outcome of each sent item from a response. */
import { textAt } from "./bodies.ts";
import type { BodyFacts, Item, ItemOutcome, KindFacts, Refusal } from "./kind.ts";

/**
 * Returns every item with the outcome of its status, or null if a result has no documented status.
 */
export function byStatus(
  { statuses }: Pick<KindFacts, "statuses">,
  facts: BodyFacts,
  results: readonly unknown[] | null,
): readonly Item[] | null {
  const items: Item[] = [];
  for (const [position, label] of facts.labels.entries()) {
    const status = textAt(results?.[position], "status");
    if (status === null || !Object.hasOwn(statuses, status)) return null;
    items.push({ position, label, outcome: statuses[status] ?? "unknown", status });
  }
  return items;
}

/** Returns every item with the same outcome. */
export function allItems(facts: BodyFacts, outcome: ItemOutcome): Item[] {
  return facts.labels.map((label, position) => ({ position, label, outcome, status: null }));
}

/** Returns the effect of a 400 that rejected every item. */
export function refusedWhole(facts: BodyFacts): Refusal {
  return { partly: false, items: allItems(facts, "rejected") };
}

/** Returns the end of the sentence about an item that already exists. */
export function skipped(): string {
  return "; the service skipped it.";
}

/** The status in the 400 response of transactions (INTERFACE 4.2). */
export const importError = "TRANSACTION_IMPORT_ERROR";
