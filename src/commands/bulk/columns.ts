/** Describes the columns that a bulk input can have, for help and reference. */

import { type FlatField, leavesOf, type RowShape, rowShapeOf } from "../../bulk/input/row-shape.ts";
import type { Leaf } from "../../forms/fields.ts";
import { type FormKind, formKinds } from "../../forms/forms.ts";
import { wrap } from "../../text/width.ts";

/** A column of a CSV input. In a JSONL row, each dot in the name is a level of nesting. */
interface InputColumn {
  /** The dotted name. A repeated field has the name of its first item, with `.0`. */
  readonly name: string;
  readonly needed: FlatField["needed"];
  readonly type: string;
  /** Further notes, or an empty text. */
  readonly hint: string;
}

export function inputColumnsOf(kind: FormKind): readonly InputColumn[] {
  const row = rowShapeOf(kind);
  return leavesOf(row.shape).map((field) => ({
    name: field.name,
    needed: field.needed,
    type: typeOf(field.leaf),
    hint: hintOf(row, field),
  }));
}

function typeOf(leaf: Leaf): string {
  switch (leaf.type) {
    case "text":
    case "enumeration":
      return "text";
    case "multiline":
      return "text, can have several lines";
    case "document-path":
      return "document path";
    case "date":
      return "date, such as 2026-11-20";
    case "datetime":
      return "datetime with its zone, such as 2026-11-20T14:00:00+01:00";
    case "amount":
    case "number":
      return "number, such as -12.50";
    case "boolean":
      return "true or false";
  }
}

function hintOf({ shape }: RowShape, { leaf, fields }: FlatField): string {
  const isChoice = fields.some((field) => shape.oneOf?.includes(field.name));
  return [
    ...(isChoice ? [`One of ${shape.oneOf?.join(", ")} is needed.`] : []),
    ...fields.flatMap(({ hint }) => hint ?? []),
    ...fields.flatMap(({ usedWith }) =>
      usedWith === undefined ? [] : `Used with ${usedWith.field} ${usedWith.values.join(", ")}.`,
    ),
    ...(leaf.type === "enumeration"
      ? [`Known: ${leaf.values.map(({ value }) => value).join(", ")}.`]
      : []),
  ].join(" ");
}

export const neededWords: Readonly<Record<FlatField["needed"], string>> = {
  always: " (required)",
  "unless-allowed": " (expected)",
  no: "",
};

/**
 * Returns the help on the columns of the kind in the first word. Without a kind, names the command
 * that lists them.
 */
export function columnsHelp([word]: readonly string[]): string {
  const kind = formKinds.find((name) => name === word);
  if (kind === undefined)
    return "\nColumns:\n  `supplyline bulk run KIND --help` lists the columns of a kind.";
  const lines = inputColumnsOf(kind).flatMap(({ name, needed, type, hint }) => [
    `  ${name}${neededWords[needed]}`,
    ...wrap(`${type}${hint === "" ? "" : `. ${hint}`}`, 74).map((line) => `      ${line}`),
  ]);
  return `\nColumns of ${kind}:\n${lines.join("\n")}`;
}
