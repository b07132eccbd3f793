import { isJsonNumber, isRecord } from "./exact.ts";

/**
 * Returns equal text for values that say the same: fields in alphabetical order, and numbers by
 * their digits, so that 10, 10.0 and 10.00 are equal. For comparing only, never for the wire.
 */
export function comparableJson(value: unknown): string {
  if (isJsonNumber(value)) return comparableNumber(value.rawJSON);
  if (Array.isArray(value)) return `[${value.map(comparableJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${comparableJson(value[key])}`).join(",")}}`;
}

/** A longer exponent is no number that anything was ever paid with. */
const number = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/;

/** The digits without zeros at either end, and their power of ten; no float comes near them. */
function comparableNumber(source: string): string {
  const match = number.exec(source);
  if (match === null) return source;
  const [, sign = "", whole = "", rest = "", exponent = "0"] = match;
  const digits = `${whole}${rest}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - rest.length + (digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}
