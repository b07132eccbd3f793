/**
 * Reads and formats JSON with exact numbers: the digits of a number never change, because no number
 * becomes a float. Limits the nesting of JSON from outside the program.
 */

/** A number with its digits as text. JSON.stringify writes the same digits. */
export interface JsonNumber {
  readonly rawJSON: string;
}

export type Json = string | boolean | null | JsonNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

export type Path = readonly (string | number)[];

// TypeScript's library does not describe these yet.
const exact = JSON as unknown as {
  rawJSON(source: string): JsonNumber;
  isRawJSON(value: unknown): value is JsonNumber;
};

/** Creates a number from JSON number text. Throws SyntaxError for any other text. */
export function jsonNumber(source: string): JsonNumber {
  if (!/^-?\d/.test(source)) throw new SyntaxError("not the text of a JSON number");
  return exact.rawJSON(source);
}

export function isJsonNumber(value: unknown): value is JsonNumber {
  return exact.isRawJSON(value);
}

/** Returns true for an object that is not an array or exact number. Its fields can be anything. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isJsonNumber(value)
  );
}

/** Returns true if a JSON value is an object. The caller guarantees that its numbers are exact. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the value of a field, or undefined if the field is absent or inherited. */
export function memberOf(value: unknown, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function memberText(value: unknown, name: string): string | undefined {
  const inner = memberOf(value, name);
  return typeof inner === "string" ? inner : undefined;
}

/** Maximum number of nested levels in JSON that is parsed. Documented bodies have far fewer. */
export const nestingLimit = 64;

/**
 * Returns true if brackets outside strings are nested deeper than `limit`. The text can be invalid
 * JSON.
 */
export function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** Parses JSON with exact numbers. Throws a SyntaxError if the text is not JSON. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined ? jsonNumber(context.source) : value,
  );
}

/** Parses JSON. Returns undefined if the text is not JSON or is nested too deeply. */
export function jsonOf(text: string): unknown {
  return parsedWith(JSON.parse, text);
}

/** Parses JSON with exact numbers. Returns undefined if the text is no JSON or nests too deeply. */
export function exactJsonOf(text: string): unknown {
  return parsedWith(parseExact, text);
}

function parsedWith(parse: (text: string) => unknown, text: string): unknown {
  try {
    return deeperThan(text, nestingLimit) ? undefined : parse(text);
  } catch {
    return undefined;
  }
}

/** Matches characters that JSON text can contain but a terminal must not receive. */
const unsafeCharacters =
  /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

function escapeUnits(character: string): string {
  let escaped = "";
  for (let at = 0; at < character.length; at++) {
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/**
 * Formats a value as JSON with `\u` escapes for DEL, C1, bidi and zero-width characters, line
 * separators and lone surrogates. A JSON parser reads the same value, and the text is harmless for
 * a terminal. A value that JSON cannot express (undefined, a function) becomes `null`.
 */
export function toJson(value: unknown, indent?: number): string {
  const text: string | undefined = JSON.stringify(value, null, indent);
  return (text ?? "null").replace(unsafeCharacters, escapeUnits);
}

/**
 * Returns the bytes of a validated body as UTF-8 JSON. Each number has the digits that were typed.
 * Call this once for a request, because every attempt must send the same bytes.
 */
export function bytesOf(body: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(body), "utf8");
}
