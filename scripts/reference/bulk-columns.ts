import { longestRecord } from "../../src/bulk/input/record-cutter.ts";
import {
  leavesOf,
  type NamedLeaf,
  type RowShape,
  rowShapeOf,
} from "../../src/bulk/input/row-shape.ts";
import type { Leaf } from "../../src/forms/fields.ts";
import { type FormKind, formKinds } from "../../src/forms/forms.ts";
import { markdownTable } from "./markdown.ts";

const introduction = `# Columns of bulk input

Generated from the forms that check every row (\`npm run bulk-columns\`). [Bulk runs](../how-to/bulk.md)
explains how to use these columns; \`examples/\` has an input for most kinds.

## CSV

- The first row is a header that names the columns, in any order.
- The encoding is UTF-8, with or without a byte order mark. Commas, semicolons or tabs separate the cells.
- Put a cell that contains a separator, a line break or a quote in double quotes, and double the quotes in it.
- supplyline omits empty cells, and ignores blanks around a value except in texts of several lines.
- Numbers are sent digit for digit. Dates must be exact: \`tomorrow\` is refused. \`yes\` and \`no\` also work for
  \`true\` and \`false\`.
- In the name of a repeated field, \`.0\` is the first one, \`.1\` the second, and so on.
- Line numbers are those of your editor. A row with line breaks in a cell is reported by its first line.

## JSONL

Each line is one object with the same fields, nested instead of dotted: the column \`line_items.0.rate_band\` is
\`{"line_items": [{"rate_band": …}]}\`. A supply point can be nested under \`payload\` or not. In CSV, its columns can
begin with \`payload.\` or not.

## Rules for both

- You can leave out an *expected* column with \`--allow-missing\`: supplyline expects it, but the interface does not
  say whether it is required.
- A row is at most ${longestRecord / 1024 / 1024} MiB long.
- supplyline refuses a column that is not listed here, because it never sends undocumented fields.`;

/** A documented column of a CSV input, and with its dots as nesting the field of a JSONL row. */
interface Column {
  /** Dotted; of a repeated field the name of the first, `.0`. */
  readonly name: string;
  /** Whether every row must have it. */
  readonly needed: NamedLeaf["needed"];
  /** What it holds, in words. */
  readonly type: string;
  /** Further notes; can be empty. */
  readonly hint: string;
}

/** The columns of a kind in the documented order. */
export function columnsOf(kind: FormKind): readonly Column[] {
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

function hintOf({ shape }: RowShape, { leaf, fields }: NamedLeaf): string {
  const isChoice = fields.some((field) => shape.oneOf?.includes(field.name));
  return [
    ...(isChoice ? [`One of ${shape.oneOf?.join(", ")} is needed.`] : []),
    ...fields.flatMap(({ hint }) => hint ?? []),
    ...fields.flatMap(({ usedWith }) =>
      usedWith === undefined ? [] : `Used with ${usedWith.field} ${usedWith.values.join(", ")}.`,
    ),
    ...(leaf.type === "enumeration"
      ? [`Seen: ${leaf.values.map(({ value }) => value).join(", ")}.`]
      : []),
  ].join(" ");
}

const neededWords = { always: "yes", "unless-allowed": "expected", no: "" } as const;

function columnsTable(kind: FormKind): string {
  const rows = columnsOf(kind).map(({ name, needed, type, hint }) => [
    `\`${name}\``,
    neededWords[needed],
    type,
    hint,
  ]);
  return markdownTable(["Column", "Required", "Type", "Notes"], rows);
}

/** The columns of every kind as one Markdown document. */
export function columnTables(): string {
  const sections = formKinds.map((kind) => `## ${kind}\n\n${columnsTable(kind)}`);
  return `${introduction}\n\n${sections.join("\n")}`;
}
