/** Reads the parts of a request body that every kind of write has. */

import { AppError } from "../../errors/app-error.ts";
import { isJsonNumber, isRecord } from "../../json/exact.ts";
import type { BodyFacts, Payload } from "./kind.ts";

/** Returns the import supplier and the account number of a row of a bulk run. */
export function accountOf(row: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [row.import_supplier, row.external_account_number];
}

/** Returns the account and the item ID of a row, or null if the row has no ID. */
export function withId(
  row: Readonly<Record<string, unknown>>,
  field: string,
): readonly unknown[] | null {
  return row[field] === undefined ? null : [...accountOf(row), row[field]];
}

const longestLabel = 120;

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

export function requiredText(value: unknown, field: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new AppError("write", "invalid", `${field} must be a text that is not empty.`);
}

export function label(name: unknown): string {
  const text = typeof name === "string" ? name : "";
  return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text;
}

/** Returns the text of an own field, the digits of an exact number, or null for any other value. */
export function textAt(value: unknown, field: string): string | null {
  const found = isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  if (isJsonNumber(found)) return found.rawJSON;
  return typeof found === "string" ? found : null;
}
