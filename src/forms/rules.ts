import { isJsonArray, memberText } from "../json/exact.ts";
import type { Rule } from "./fields.ts";

/** Two dates of one object that stand the wrong way round. */
export function inOrder(from: string, to: string, message: string): Rule {
  return (value) => {
    const [first, last] = [memberText(value, from), memberText(value, to)];
    return first !== undefined && last !== undefined && first > last
      ? [{ path: [to], message }]
      : [];
  };
}

/** Rows of which two have the same text in a field; `row` and `label` are the labels of both. */
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
