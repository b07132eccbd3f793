/** Reading bodies and answers: what every kind has, and answers unlike the documented ones. */

import { boundedCode } from "../../api/error-body.ts";
import { jsonOf } from "../../json/parse.ts";
import { isRecord } from "../../json/value.ts";
import { WriteError } from "../write-error.ts";
import type { BodyFacts, Confirmation, Item, ItemOutcome, Payload, Refusal } from "./kind.ts";

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

const longestLabel = 120;

/** The body of a write to an account; without `itemsField` the body is the one item. */
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
    throw new WriteError("invalid", `${itemsField} must be an array with at least one item.`);
  }
  return {
    target: { kind: "account", importSupplier, externalAccountNumber },
    items,
    labels: items.map((item) => label(isRecord(item) ? nameOf(item) : undefined)),
    payload,
  };
}

export function requiredText(value: unknown, field: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new WriteError("invalid", `${field} must be a text that is not empty.`);
}

export function label(name: unknown): string {
  const text = typeof name === "string" ? name : "";
  return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text;
}

export function textAt(value: unknown, field: string): string | null {
  const found = isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return typeof found === "string" ? found : null;
}

/** The machine-readable code of a refusal, wherever its shape carries one (INTERFACE 7.1, 7.3). */
export function codeOf(body: string): string | null {
  const answer = jsonOf(body);
  if (!isRecord(answer)) return null;
  const said = [answer.non_field_errors].flat()[0];
  const status = textAt(answer, "status");
  const code =
    textAt(said, "code") ??
    textAt(answer, "code") ??
    (status === importError ? status : null) ??
    textAt([answer.errors].flat()[0], "code");
  return code === null ? null : boundedCode(code);
}

/** INTERFACE 4.2, 400. */
export const importError = "TRANSACTION_IMPORT_ERROR";
