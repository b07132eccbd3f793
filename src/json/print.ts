import { isRecord, type JsonObject } from "./exact.ts";

/** Characters that JSON may contain but a terminal must not receive. */
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
 * JSON of a value, with DEL, C1, bidi and zero-width characters, line separators and lone
 * surrogates as `\u` escapes: the same value for a reader, harmless for a terminal. A value that
 * JSON cannot express (undefined, a function) becomes `null`.
 */
export function toJson(value: unknown, indent?: number): string {
  const text: string | undefined = JSON.stringify(value, null, indent);
  return (text ?? "null").replace(ESCAPED, escapeUnits);
}

/**
 * The exact bytes of a validated body, as UTF-8 JSON: each number with the digits that were typed.
 * Make them once: every attempt sends these same bytes.
 */
export function bytesOf(body: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(body), "utf8");
}

/** JSON with the fields in alphabetical order: equal text for equal values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}
