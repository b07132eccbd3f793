/** Defines the issues of a form, and the rules about several fields that forms share. */

import { isJsonArray, type Json, memberOf, memberText, type Path } from "../json/exact.ts";
import { normalJson, normalText } from "../json/normal-form.ts";

/** An issue at one place of a form. Lines and columns of a file count from 1. */
export interface Issue {
  /** The path in the body, inside the outer `payload` if there is one. Empty for the whole body. */
  readonly path: Path;
  readonly message: string;
  /** The message with the names on the wire instead of labels. Absent if both are equal. */
  readonly onWire?: string;
  readonly line?: number;
  readonly column?: number;
  /** `name` for a wrong name of a field, `missing` for a missing field that the user can allow. */
  readonly about?: "name" | "missing";
}

/** A rule about several fields. It must accept any value, because it also runs on invalid ones. */
export type Rule = (value: unknown) => readonly Issue[];

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
export function repeatedText(
  row: string,
  { field, label }: { readonly field: string; readonly label: string },
  message: string,
): Rule {
  return repeatedRows(
    (item) => {
      const text = memberText(item, field);
      return text === undefined ? undefined : normalText(text);
    },
    (index, earlier) => ({
      path: [index, field],
      message: `The same ${label} as ${row} ${earlier + 1}: ${message}`,
    }),
  );
}

/**
 * Returns a rule that reports equal rows, regardless of the order of their fields and the spelling
 * of their numbers. Rows with a value in `idField` are ignored, because another rule is about that
 * field.
 */
export function equalRows(row: string, idField?: string): Rule {
  return repeatedRows(
    (item) =>
      idField !== undefined && memberOf(item, idField) !== undefined ? undefined : normalJson(item),
    (index, earlier) => ({ path: [index], message: equalRowMessage(row, `${row} ${earlier + 1}`) }),
  );
}

export function equalRowMessage(row: string, earlier: string): string {
  return `The same ${row.toLowerCase()} as ${earlier}: each can appear once.`;
}

/**
 * Returns a rule that reports each row with the identity of an earlier row. A row without an
 * identity is not reported. `issueAt` receives the indexes of both rows.
 */
function repeatedRows(
  identityOf: (row: Json) => string | undefined,
  issueAt: (index: number, earlier: number) => Issue,
): Rule {
  return (value) => {
    if (!isJsonArray(value)) return [];
    const firstIndexes = new Map<string, number>();
    return value.flatMap((row, index) => {
      const identity = identityOf(row);
      if (identity === undefined) return [];
      const earlier = firstIndexes.get(identity);
      firstIndexes.set(identity, earlier ?? index);
      return earlier === undefined ? [] : [issueAt(index, earlier)];
    });
  };
}
