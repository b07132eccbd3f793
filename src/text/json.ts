export { prettyRaw } from "./pretty-raw.ts";

/** What JSON may hold as it is but a terminal should not get: written as an escape, nothing is lost. */
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
 * surrogates as `\u` escapes: the same value for a reader, harmless for a terminal. What JSON has no
 * word for (undefined, a function) becomes `null`.
 */
export function toJson(value: unknown, indent?: number): string {
  const text: string | undefined = JSON.stringify(value, null, indent);
  return (text ?? "null").replace(ESCAPED, escapeUnits);
}
