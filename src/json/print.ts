/** Formats values as JSON for the terminal, for requests and for comparison. */
import { isRecord, type JsonObject } from "./exact.ts";

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
 * text.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}
