/** JSON values whose numbers are kept as they were written. */

/** A number by its own digits; JSON.stringify writes them out unchanged. */
export interface JsonNumber {
  readonly rawJSON: string;
}

export type Json = string | boolean | null | JsonNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

// The language's own types do not know these yet.
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

/** An object, as opposed to an array or a number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isJsonNumber(value)
  );
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of an own field; `__proto__` and the like are no fields of everything. */
export function memberOf(value: unknown, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value of an own field when it is text. */
export function memberText(value: unknown, name: string): string | undefined {
  const inner = memberOf(value, name);
  return typeof inner === "string" ? inner : undefined;
}
