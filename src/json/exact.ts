/**
 * Reads JSON with exact numbers: each number keeps its digits, so that money never passes through a
 * float. Limits the depth of text from outside, and splits JSON text into its tokens.
 */

/** A number as written. JSON.stringify writes the same digits. */
export interface JsonNumber {
  readonly rawJSON: string;
}

export type Json = string | boolean | null | JsonNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

/** The field names and indexes that lead from the outermost value to an inner one. */
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

/**
 * Returns true if a value is an object, but not an array or an exact number. Its values can be
 * anything.
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isJsonNumber(value)
  );
}

/** Returns true if a value is an object. All numbers in the value must be exact. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the value of an own field. Inherited names such as `__proto__` do not count. */
export function memberOf(value: unknown, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the value of an own field if it is text. */
export function memberText(value: unknown, name: string): string | undefined {
  const inner = memberOf(value, name);
  return typeof inner === "string" ? inner : undefined;
}

/** Maximum nesting of JSON that is parsed. Documented bodies are far below it. */
export const nestingLimit = 64;

/**
 * Returns true if brackets outside strings are nested deeper than `limit`. The text need not be
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

/**
 * Parses JSON with exact numbers. Returns undefined if the text is not JSON or is nested too
 * deeply.
 */
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

const space = /[ \t\n\r]*/y;
/** Matches a bracket or sign, or the characters of a number or a word. */
const sign = /[{}[\]:,]|[^\s{}[\]:,"]+/y;

/** A token of JSON text as written. `at` is its offset in UTF-16 units. */
interface Token {
  readonly text: string;
  readonly at: number;
}

/** Yields the tokens of well-formed JSON, in order. */
export function* tokensOf(json: string): Generator<Token> {
  let at = 0;
  while (at < json.length) {
    space.lastIndex = at;
    space.exec(json);
    at = space.lastIndex;
    sign.lastIndex = at;
    const text = json[at] === '"' ? json.slice(at, stringEnd(json, at)) : sign.exec(json)?.[0];
    if (text === undefined) return;
    yield { text, at };
    at += text.length;
  }
}

/**
 * Returns the end of the string that opens at `start`. It searches for quotes instead of reading
 * each character.
 */
function stringEnd(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    quote = json.indexOf('"', quote + 1);
  }
  return json.length;
}
