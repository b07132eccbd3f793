import { type FlatField, leavesOf, type RowShape, rowShapeOf } from "../../bulk/input/row-shape.ts";
import type { Leaf } from "../../forms/fields.ts";
import { type FormKind, formKinds } from "../../forms/forms.ts";
import { wrap } from "../../text/width.ts";

/** A documented column of a CSV input, and with its dots as nesting the field of a JSONL row. */
interface InputColumn {
  /** Dotted; of a repeated field the name of the first, `.0`. */
  readonly name: string;
  readonly needed: FlatField["needed"];
  /** The values it takes, in words. */
  readonly type: string;
  /** Further notes, or empty. */
  readonly hint: string;
}

/** Returns the columns of a kind in the documented order. */
export function inputColumnsOf(kind: FormKind): readonly InputColumn[] {
  const row = rowShapeOf(kind);
  return leavesOf(row.shape).map((leaf) => ({
    name: leaf.name,
    needed: leaf.needed,
    type: typeOf(leaf.leaf),
    hint: hintOf(row, leaf),
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

/** The mark behind the name of a column that a row must have. */
export const neededWords: Readonly<Record<FlatField["needed"], string>> = {
  always: " (required)",
  "unless-allowed": " (expected)",
  no: "",
};

/** Lists the columns of the kind that the words of a call begin with, or names the call that does. */
export function columnsHelp([word]: readonly string[]): string {
  const kind = formKinds.find((one) => one === word);
  if (kind === undefined)
    return "\nColumns:\n  `supplyline bulk run KIND --help` lists the columns of a kind.";
  const lines = inputColumnsOf(kind).flatMap(({ name, needed, type, hint }) => [
    `  ${name}${neededWords[needed]}`,
    ...wrap(`${type}${hint === "" ? "" : `. ${hint}`}`, 74).map((line) => `      ${line}`),
  ]);
  return `\nColumns of ${kind}:\n${lines.join("\n")}`;
}
