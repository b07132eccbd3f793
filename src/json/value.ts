/** JSON values whose numbers keep their digits: money never passes through a float. */

/** A number as it was written; JSON.stringify writes the same digits. */
export interface JsonNumber {
  readonly rawJSON: string;
}

export type Json = string | boolean | null | JsonNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

/** From the outermost value inwards: field names and indexes. */
export type Path = readonly (string | number)[];

// TypeScript's library does not describe these yet.
const exact = JSON as unknown as {
  rawJSON(source: string): JsonNumber;
  isRawJSON(value: unknown): value is JsonNumber;
};

/** A number from JSON number text. Throws SyntaxError for any other text. */
export function jsonNumber(source: string): JsonNumber {
  if (!/^-?\d/.test(source)) throw new SyntaxError("not the text of a JSON number");
  return exact.rawJSON(source);
}

export function isJsonNumber(value: unknown): value is JsonNumber {
  return exact.isRawJSON(value);
}

/** An object, as opposed to an array or an exact number; its values may be anything. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isJsonNumber(value)
  );
}

/** The same for a value whose numbers are all exact. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of an own field; inherited names such as `__proto__` do not count. */
export function memberOf(value: unknown, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value of an own field when it is text. */
export function memberText(value: unknown, name: string): string | undefined {
  const inner = memberOf(value, name);
  return typeof inner === "string" ? inner : undefined;
}
