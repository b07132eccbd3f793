import { columnsTable } from "../../src/bulk/input/columns.ts";
import { longestRecord } from "../../src/bulk/input/record-cutter.ts";
import { bulkKinds } from "../../src/bulk/kinds.ts";

const introduction = `# Columns of bulk inputs

Made by \`npm run bulk-columns\` from the forms that check every row.

A **CSV** input begins with a row that names its columns, in any order. It is UTF-8 with or without a
byte order mark; commas, semicolons or tabs separate its cells; a cell that holds one of those, a
line break or a quote stands in double quotes, with quotes in it doubled. An empty cell leaves its
field out. Blanks around a value do not count, except in texts of several lines. Numbers are sent
digit for digit; dates are exact ones (\`tomorrow\` is refused); \`true\` and \`false\` may also be
\`yes\` and \`no\`. Where there can be several of something, a column's name has its number: \`.0\` is the
first, \`.1\` the next. Lines are counted as an editor counts them, so that a row with line breaks in a
cell is named by the line on which it begins.

A **JSONL** input has one object on each line, with the same fields nested instead of dotted: a column
\`line_items.0.rate_band\` is \`{"line_items": [{"rate_band": …}]}\`. A supply point may stand under
\`payload\` or not, and in CSV its columns may begin with \`payload.\` or not.

A column that is *expected* can be left out with \`--allow-missing\`: supplyline expects it, and the
interface does not say whether it can be left out.

A row is at most ${longestRecord / 1024 / 1024} MiB long. A column that is not listed here is refused, since nothing undocumented is
ever sent; only \`status\`, which sends nothing, leaves other columns aside.`;

/** The columns of every kind as one Markdown document. */
export function columnTables(): string {
  const sections = bulkKinds.map((kind) => `## ${kind}\n\n${columnsTable(kind)}\n`);
  return `${introduction}\n\n${sections.join("\n")}`;
}
