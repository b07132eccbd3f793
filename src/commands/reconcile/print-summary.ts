/** Prints the result of `reconcile` for people: the counts and the first rows of each class. */

import { formatInstant } from "../../text/dates.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitise.ts";
import { markdownTable, textTable } from "../../text/table.ts";
import { type RowClass, rowClasses } from "../../triage/reconcile/classes.ts";
import type { ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import type { Invocation } from "../invocation.ts";
import { shown } from "../rows/columns.ts";
import type { Printed } from "./print-rows.ts";

/** Maximum number of printed rows of each class. */
const firstRows = 20;

const meanings: Readonly<Record<RowClass, string>> = {
  imported: "has an account on the platform",
  pending: "listed, not imported yet",
  "in-progress": "not listed; a migration is creating the account",
  failed: "not listed, no account: the import failed, or was never tried",
  "not-staged": "not listed; the service does not know it",
  absent: "not listed, and not checked",
  duplicate: "repeats an earlier row",
  malformed: "has no readable number",
  extra: "listed by the service, not in the source",
};

interface SummaryOptions {
  /** True if the lines are Markdown. */
  readonly md: boolean;
  /** Returns the command that prints all rows of a class, or null if a shell cannot write it. */
  readonly commandFor: (name: RowClass) => string | null;
  /**
   * True if the columns were chosen on the command line. Otherwise columns without cells are left
   * out.
   */
  readonly isChosen: boolean;
  /** The classes of `--only`, or undefined without it. */
  readonly only: readonly RowClass[] | undefined;
}

/** Prints the counts, then the first rows of each class and the command for the others. */
export async function printSummary(
  { out, io, globals }: Invocation,
  printed: Printed,
  options: SummaryOptions,
): Promise<void> {
  const { result, classes } = printed;
  const { md, only } = options;
  const maxWidth = io.stdout.isTTY ? io.stdout.columns : undefined;
  const table = (titles: readonly string[], rows: readonly (readonly string[])[]) =>
    md
      ? markdownTable(titles, rows)
      : textTable(
          titles.map((title) => ({
            title,
            align: title === "Rows" || title === "Share" ? "right" : "left",
          })),
          rows,
          { maxWidth, ascii: globals.ascii },
        );
  const lines = [headline(printed), "", ...table(countTitles, countRows(printed))];
  for (const name of rowClasses) {
    const rows = Math.min(firstRows, result.counts[name]);
    const isWanted = name === "imported" ? only?.includes(name) === true : classes.has(name);
    if (rows === 0 || !isWanted) continue;
    const all = result.counts[name];
    const some = rows < all ? `the first ${rows} of ${plural(all, "row")}` : plural(all, "row");
    lines.push("", md ? `### ${name}: ${some}` : `${name}: ${some}`, ...(md ? [""] : []));
    const first = Array.from({ length: rows }, (_, at) => result.rowIn(name, at));
    const fields = options.isChosen ? printed.fields : filled(printed, first);
    lines.push(
      ...table(
        fields.map(({ title }) => title),
        first.map((row) => fields.map((field) => shown(printed.cells.text(row, field.name)))),
      ),
    );
    const line = rows === all ? null : options.commandFor(name);
    if (line === null) continue;
    const command = safe(line);
    lines.push(...(md ? ["", `All of them: \`${command}\``] : [`All of them: ${command}`]));
  }
  await out.write(`${lines.join("\n")}\n`);
}

/** Describes the counts in one sentence. */
export function headline({ supplier, result }: Pick<Printed, "supplier" | "result">): string {
  const { counts, source } = result;
  const others = rowClasses.flatMap((name) =>
    name === "imported" || name === "extra" || counts[name] === 0
      ? []
      : [`${count(counts[name])} ${name}`],
  );
  const rest = others.length === 0 ? "" : ` ${others.join(", ")}.`;
  const at = formatInstant(result.listedAt, { utc: true });
  return safe(
    `${count(counts.imported)} of ${plural(source.rows, "row")} imported.${rest} ${supplier} lists ${plural(result.listed, "account")}, ${count(counts.extra)} extra (${at} UTC).`,
  );
}

const countTitles = ["Class", "Rows", "Share", "Meaning"];

function countRows({ result }: Printed): readonly (readonly string[])[] {
  const { counts, source } = result;
  return rowClasses
    .filter((name) => counts[name] > 0 || name === "imported")
    .map((name) => {
      const share = name === "extra" ? "" : percent(counts[name], source.rows);
      return [name, count(counts[name]), share, meanings[name]];
    });
}

/**
 * Returns the columns in which at least one row has a value. The class is left out, because it is
 * in the heading.
 */
function filled({ fields, cells }: Printed, rows: readonly ReconciledRow[]) {
  return fields.filter(
    ({ name }) => name !== "class" && rows.some((row) => cells.text(row, name) !== null),
  );
}
