/**
 * Defines the form in which two texts, numbers or JSON values are the same to supplyline: for the
 * duplicate guard, for the comparison of a response with its request, and for equal rows of an
 * input. The form is only for comparing, never for the wire.
 */
import { isJsonNumber, isRecord, type JsonNumber } from "./exact.ts";

/**
 * Returns a text without the differences that a service, a file or a keyboard can cause: the
 * encoding of letters (NFC), blanks at either end and before line ends, and the kind of line end.
 */
export function normalText(text: string): string {
  return text.normalize("NFC").replace(lineEnd, "\n").trim();
}

/** Matches a line end with the blanks before it. A match begins only with the first blank. */
const lineEnd = /(?<![ \t])[ \t]*(?:\r\n|\r|\n)/g;

/**
 * Formats a value as JSON in which equal values have equal text: the fields are in alphabetical
 * order, texts are normal, and numbers such as 10, 10.0 and 1e1 are equal.
 */
export function normalJson(value: unknown): string {
  return sortedJson(value, normalText);
}

/** Formats as {@link normalJson}, but with texts as they are. Version 0.3.0 compared items so. */
export function comparableJson(value: unknown): string {
  return sortedJson(value, (text) => text);
}

/** Formats a value as JSON, with its fields in alphabetical order and its texts in a form. */
function sortedJson(value: unknown, textForm: (text: string) => string): string {
  if (isJsonNumber(value)) return normalNumber(value);
  if (typeof value === "string") return JSON.stringify(textForm(value));
  if (Array.isArray(value))
    return `[${value.map((element) => sortedJson(element, textForm)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key], textForm)}`).join(",")}}`;
}

/** Matches a JSON number. A number with a longer exponent is compared as it is written. */
const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/;

/**
 * Returns the digits of a number without zeros at either end, and their power of ten. The digits
 * never pass through a float. Every zero is 0, without a sign.
 */
function normalNumber({ rawJSON }: JsonNumber): string {
  const match = decimal.exec(rawJSON);
  if (match === null) return rawJSON;
  const [, sign = "", whole = "", rest = "", exponent = "0"] = match;
  const digits = `${whole}${rest}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - rest.length + (digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}
