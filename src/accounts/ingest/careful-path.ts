/** The careful path: reads a list element that the fast path (fast-path.ts) cannot read. */

import { brandedField } from "../../api/brand.ts";
import { isJsonNumber, memberOf, parseExact } from "../../json/exact.ts";

export const externalField = "external_account_number";
export const createdField = "account_created_at";

interface RowTexts {
  readonly external: string;
  readonly service: string | null;
  readonly created: string | null;
  /** True if the element has data besides the three texts. */
  readonly more: boolean;
  /**
   * The field with the service account number if the brand's field is missing, or null if it is
   * not.
   */
  readonly serviceField: string | null;
}

/**
 * Reads one element, given as valid JSON: an object (INTERFACE 2, list item). Returns null if it
 * names no account, or if a text of a column has half a surrogate pair, which no output can write.
 */
export function readElement(json: string, brandField: string): RowTexts | null {
  const element: unknown = JSON.parse(json);
  if (typeof element !== "object" || element === null || Array.isArray(element)) return null;
  let more = false;
  const textOf = (field: string): string | null => {
    const value: unknown = Object.hasOwn(element, field)
      ? (element as Record<string, unknown>)[field]
      : null;
    if (value === null) return null;
    if (typeof value === "string") return value;
    more = true;
    // A long account number must not pass through a float.
    const exact = memberOf(parseExact(json), field);
    return isJsonNumber(exact) ? exact.rawJSON : JSON.stringify(exact);
  };
  const externalValue: unknown = Object.hasOwn(element, externalField)
    ? (element as Record<string, unknown>)[externalField]
    : null;
  if (typeof externalValue !== "string" && typeof externalValue !== "number") return null;
  const external = textOf(externalField);
  if (external === null || external === "") return null;
  const serviceField = brandedField(element, brandField, "_account_number");
  const service = serviceField === null ? null : textOf(serviceField);
  const created = textOf(createdField);
  if (![external, service ?? "", created ?? ""].every((text) => text.isWellFormed())) return null;
  for (const key of Object.keys(element)) {
    if (key !== externalField && key !== createdField && key !== brandField) more = true;
  }
  return {
    external,
    service,
    created,
    more,
    serviceField: serviceField === brandField ? null : serviceField,
  };
}
