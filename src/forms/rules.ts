/** Rules that several forms share: dates in order, and rows that must differ. */
import { comparableJson } from "../json/comparable.ts";
import { isJsonArray, memberOf, memberText } from "../json/exact.ts";
import type { Rule } from "./fields.ts";

/** Returns a rule that reports two dates of one object in the wrong order. */
export function inOrder(from: string, to: string, message: string): Rule {
  return (value) => {
    const [first, last] = [memberText(value, from), memberText(value, to)];
    return first !== undefined && last !== undefined && first > last
      ? [{ path: [to], message }]
      : [];
  };
}

/**
 * Returns a rule that reports rows with the same text in a field. `row` and `label` are the labels
 * of the row and of the field.
 */
export function repeated(
  row: string,
  { field, label }: { readonly field: string; readonly label: string },
  message: string,
): Rule {
  return (value) => {
    if (!isJsonArray(value)) return [];
    const seen = new Map<string, number>();
    return value.flatMap((item, at) => {
      const text = memberText(item, field);
      if (text === undefined) return [];
      const earlier = seen.get(text);
      if (earlier === undefined) {
        seen.set(text, at);
        return [];
      }
      return [
        { path: [at, field], message: `The same ${label} as ${row} ${earlier + 1}: ${message}` },
      ];
    });
  };
}

/** Returns the message for a row that is equal to an earlier one, such as `Statement 2`. */
export function equalRow(row: string, earlier: string): string {
  return `The same ${row.toLowerCase()} as ${earlier}: each can appear once.`;
}

/**
 * Returns a rule that reports equal rows, regardless of the order of their fields and the spelling
 * of their numbers. Rows with a value in `named` are left to the rules about that field.
 */
export function equalRows(row: string, named?: string): Rule {
  return (value) => {
    if (!isJsonArray(value)) return [];
    const seen = new Map<string, number>();
    return value.flatMap((item, at) => {
      if (named !== undefined && memberOf(item, named) !== undefined) return [];
      const content = comparableJson(item);
      const earlier = seen.get(content);
      seen.set(content, earlier ?? at);
      return earlier === undefined
        ? []
        : [{ path: [at], message: equalRow(row, `${row} ${earlier + 1}`) }];
    });
  };
}
