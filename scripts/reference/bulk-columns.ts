import { columnsOf } from "../../src/bulk/input/columns.ts";
import { longestRecord } from "../../src/bulk/input/record-cutter.ts";
import { type BulkKind, bulkKinds } from "../../src/bulk/kinds.ts";
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
- supplyline refuses a column that is not listed here, because it never sends undocumented fields. Only \`status\`,
  which sends nothing, ignores other columns.`;

const neededWords = { always: "yes", "unless-allowed": "expected", no: "" } as const;

function columnsTable(kind: BulkKind): string {
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
  const sections = bulkKinds.map((kind) => `## ${kind}\n\n${columnsTable(kind)}`);
  return `${introduction}\n\n${sections.join("\n")}`;
}
