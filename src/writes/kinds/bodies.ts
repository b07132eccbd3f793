/** Reads the parts of request bodies and responses that several kinds of writes have. */

import { AppError } from "../../errors/app-error.ts";
import { isJsonNumber, isRecord } from "../../json/exact.ts";
import type { BodyFacts, Item, ItemOutcome, KindFacts, Payload, Refusal } from "./kind.ts";

export function accountOf(row: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [row.import_supplier, row.external_account_number];
}

export function withId(
  row: Readonly<Record<string, unknown>>,
  field: string,
): readonly unknown[] | null {
  return row[field] === undefined ? null : [...accountOf(row), row[field]];
}

const maxLabelLength = 120;

/**
 * Reads the body of a write to an account. If `itemsField` is null, the body itself is the only
 * item. Throws a write error `invalid`.
 */
export function accountBody(
  payload: Payload,
  itemsField: string | null,
  nameOf: (item: Payload) => unknown,
): BodyFacts {
  const importSupplier = requiredText(payload.import_supplier, "import_supplier");
  const externalAccountNumber = requiredText(
    payload.external_account_number,
    "external_account_number",
  );
  const items = itemsField === null ? [payload] : payload[itemsField];
  if (!Array.isArray(items) || items.length === 0) {
    const words = `${itemsField} must be an array with at least one item.`;
    throw new AppError("write", "invalid", words);
  }
  return {
    target: { kind: "account", importSupplier, externalAccountNumber },
    items,
    labels: items.map((item) => label(isRecord(item) ? nameOf(item) : undefined)),
    payload,
  };
}

/** Returns a text that is not empty. Throws a write error `invalid` for any other value. */
export function requiredText(value: unknown, field: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new AppError("write", "invalid", `${field} must be a text that is not empty.`);
}

/** Returns a name as the label of an item, shortened if needed. Empty if the name is not a text. */
export function label(name: unknown): string {
  const text = typeof name === "string" ? name : "";
  return text.length > maxLabelLength ? `${text.slice(0, maxLabelLength - 1)}…` : text;
}

export function listIn(response: unknown, field: string): readonly unknown[] {
  const list = isRecord(response) ? response[field] : response;
  return Array.isArray(list) ? list : [];
}

/** Returns a result and the submitted item in it, if any (INTERFACE 4.2). */
export function partsOf(result: unknown): readonly unknown[] {
  return isRecord(result) && isRecord(result.transaction_data)
    ? [result, result.transaction_data]
    : [result];
}

/** Returns the text of an own field, the digits of an exact number, or null for any other value. */
export function textAt(value: unknown, field: string): string | null {
  const member = isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  if (isJsonNumber(member)) return member.rawJSON;
  return typeof member === "string" ? member : null;
}

/** Returns the text of a field that names an item, or null if it is absent or blank. */
export function nameAt(item: unknown, field: string): string | null {
  const name = textAt(item, field);
  return name === null || name.trim() === "" ? null : name;
}

export function wholeItem(item: unknown): unknown {
  return item;
}

/** Returns every item with the outcome of its status, or null if a result has none. */
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

export function allItems(facts: BodyFacts, outcome: ItemOutcome): Item[] {
  return facts.labels.map((label, position) => ({ position, label, outcome, status: null }));
}

export function refusedWhole(facts: BodyFacts): Refusal {
  return { partly: false, items: allItems(facts, "rejected") };
}
