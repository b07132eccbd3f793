/** Formats values as JSON for the terminal, for requests and for comparison. */
import { isJsonNumber, isRecord, type JsonNumber, type JsonObject } from "./exact.ts";

/** Characters that JSON can contain but a terminal must not receive. */
const ESCAPED =
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
  return (text ?? "null").replace(ESCAPED, escapeUnits);
}

/**
 * Returns the bytes of a validated body as UTF-8 JSON. Each number has the digits that were typed.
 * Call it once for a request, because every attempt must send the same bytes.
 */
export function bytesOf(body: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(body), "utf8");
}

/**
 * Formats a value as JSON with the fields in alphabetical order, so that equal values have equal
 * text. Numbers are compared as they are written.
 */
export function canonicalJson(value: unknown): string {
  return sortedJson(value, JSON.stringify);
}

/**
 * Formats a value as {@link canonicalJson} does, but numbers such as 10, 10.0 and 10.00 are equal.
 * The text is only for comparison, never for the wire.
 */
export function comparableJson(value: unknown): string {
  return sortedJson(value, ({ rawJSON }) => comparableNumber(rawJSON));
}

function sortedJson(value: unknown, number: (value: JsonNumber) => string): string {
  if (isJsonNumber(value)) return number(value);
  if (Array.isArray(value)) return `[${value.map((one) => sortedJson(one, number)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key], number)}`).join(",")}}`;
}

/** Matches a JSON number. A number with a longer exponent is compared as it is written. */
const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/;

/**
 * Returns the digits of a number without zeros at either end, and their power of ten. The digits
 * never pass through a float.
 */
function comparableNumber(source: string): string {
  const match = decimal.exec(source);
  if (match === null) return source;
  const [, sign = "", whole = "", rest = "", exponent = "0"] = match;
  const digits = `${whole}${rest}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - rest.length + (digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}
