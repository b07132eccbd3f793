import { isJsonNumber, isRecord } from "./exact.ts";

/**
 * Formats a JSON value so that equal values have equal text: fields are in alphabetical order, and
 * numbers such as 10, 10.0 and 10.00 are equal. The text is only for comparison, never for the
 * wire.
 */
export function comparableJson(value: unknown): string {
  if (isJsonNumber(value)) return comparableNumber(value.rawJSON);
  if (Array.isArray(value)) return `[${value.map(comparableJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${comparableJson(value[key])}`).join(",")}}`;
}

/** Matches a JSON number. A number with a longer exponent is compared as it is written. */
const number = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/;

/**
 * Returns the digits of a number without zeros at either end, and their power of ten. The digits
 * never pass through a float.
 */
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
