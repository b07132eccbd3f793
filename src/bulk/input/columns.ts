import type { Leaf } from "../../forms/fields.ts";
import type { BulkKind } from "../kinds.ts";
import { leavesOf, type NamedLeaf, type RowShape, rowShapeOf } from "./row-shape.ts";

/** A documented column of a CSV input, and with its dots as nesting the field of a JSONL row. */
export interface Column {
  /** Dotted; of what there can be several it is the first, `.0`, and `.1` and so on go on. */
  readonly name: string;
  /** Whether every row must have it. */
  readonly needed: NamedLeaf["needed"];
  /** What it holds, in words. */
  readonly type: string;
  /** What else is known of it; may be empty. */
  readonly hint: string;
}

/** The columns of a kind in the documented order. */
export function columnsOf(kind: BulkKind): readonly Column[] {
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
      return "text, also of several lines";
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

function hintOf({ kind, shape }: RowShape, { name, leaf, fields }: NamedLeaf): string {
  const isChoice = fields.some((field) => shape.oneOf?.includes(field.name));
  // When an account can be written to is no matter for a read.
  const own = kind === "status" && name === "external_account_number" ? [] : fields;
  return [
    ...(isChoice ? [`One of ${shape.oneOf?.join(", ")} is needed.`] : []),
    ...own.flatMap(({ hint }) => hint ?? []),
    ...fields.flatMap(({ usedWith }) =>
      usedWith === undefined ? [] : `Used with ${usedWith.field} ${usedWith.values.join(", ")}.`,
    ),
    ...(leaf.type === "enumeration"
      ? [`Seen: ${leaf.values.map(({ value }) => value).join(", ")}.`]
      : []),
  ].join(" ");
}
