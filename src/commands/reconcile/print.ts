/**
 * Prints the result of `reconcile`: the rows for scripts, or the counts and the first rows of each
 * class for people.
 */

import { toJson } from "../../json/exact.ts";
import { csvRow, tsvRow } from "../../rows/csv.ts";
import { LineBytes, RowBytes } from "../../rows/line-bytes.ts";
import { formatInstant, utcInstant } from "../../text/dates.ts";
import { fieldCell } from "../../text/fields.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { markdownTable, textTable } from "../../text/table.ts";
import { type RowClass, rowClasses } from "../../triage/reconcile/classes.ts";
import {
  type Reconciled,
  type ReconciledRow,
  RowValue,
} from "../../triage/reconcile/reconciled.ts";
import { reconciledFields, type rowFields } from "../../triage/reconcile/row-fields.ts";
import { issueWords, otherSupplierRows } from "../../triage/source/source.ts";
import { failureJson, failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { shown } from "../rows/columns.ts";
import type { Target } from "../target.ts";

type ReconcileField = (typeof rowFields)[number];

export interface PrintedResult {
  readonly supplier: string;
  readonly result: Reconciled;
  readonly classes: ReadonlySet<RowClass>;
  readonly fields: readonly ReconcileField[];
  readonly context: Target["context"];
}

/** Prints the result as one JSON object, which stays open after an interruption. */
export async function printJson({ out }: Invocation, printed: PrintedResult): Promise<void> {
  const head = toJson(summaryOf(printed)).slice(0, -1);
  await out.write(`${head},"rows":[`);
  let isEmpty = true;
  for (const chunk of chunks(printed, "json", ["\n", ",\n"])) {
    await out.write(chunk);
    isEmpty = false;
  }
  out.close(isEmpty ? "]}\n" : "\n]}\n");
}

export async function printLines(
  { out }: Invocation,
  printed: PrintedResult,
  format: "jsonl" | "csv" | "tsv",
): Promise<void> {
  const names = printed.fields.map(({ name }) => name);
  if (format !== "jsonl") await out.line(format === "csv" ? csvRow(names) : tsvRow(names));
  let isEmpty = true;
  for (const chunk of chunks(printed, format === "jsonl" ? "json" : format, ["", "\n"])) {
    await out.write(chunk);
    isEmpty = false;
  }
  if (!isEmpty) await out.write("\n");
}

export function summaryOf({ supplier, result }: Pick<PrintedResult, "supplier" | "result">) {
  return {
    import_supplier: supplier,
    listed_at: utcInstant(result.listedAt),
    source_rows: result.source.rows,
    other_supplier: otherSupplierRows(result.source),
    listed: result.listed,
    counts: result.counts,
  };
}

const byteValues = new Map<ReconcileField, number>([
  [reconciledFields.line, RowValue.line],
  [reconciledFields.account, RowValue.external],
  [reconciledFields.class, RowValue.class],
  [reconciledFields.service, RowValue.service],
  [reconciledFields.created, RowValue.created],
  [reconciledFields.pendingSince, RowValue.pendingSince],
]);

/** Returns the writer of plain rows, with `before` before each. */
export function plainLines(
  fields: readonly ReconcileField[],
  format: "json" | "csv" | "tsv",
  before: string,
): LineBytes {
  return new LineBytes(
    fields.map((field) => ({
      name: field.name,
      value: byteValues.get(field) ?? null,
      isNumber: field === reconciledFields.line,
    })),
    { format, around: [before, ""], hasNull: false },
  );
}

/**
 * Yields the rows as UTF-8 in chunks, with `first` before the first row and `between` between two
 * rows.
 */
function* chunks(
  printed: PrintedResult,
  format: "json" | "csv" | "tsv",
  [first, between]: readonly [first: string, between: string],
): Generator<Uint8Array, void, void> {
  const { result, classes, fields } = printed;
  const lines = plainLines(fields, format, between);
  const bytes = new RowBytes();
  const rowText = format === "csv" ? csvRow : tsvRow;
  let hasBegun = false;
  const writeText = (row: ReconciledRow) => {
    const text =
      format === "json"
        ? toJson(rowJson(row, printed))
        : rowText(fields.map((field) => fieldCell(field, row)));
    lines.text((hasBegun ? between : first) + text);
    hasBegun = true;
  };
  const { codes } = result;
  const isPrinted = rowClasses.map((name) => classes.has(name));
  for (let row = 0; row < codes.length; row++) {
    if (!isPrinted[codes[row] as number]) continue;
    if (!hasBegun || !result.readBytes(row, bytes) || !lines.take(bytes))
      writeText(result.row(row));
    if (lines.isFull) yield lines.taken();
  }
  for (let extra = 0; classes.has("extra") && extra < result.counts.extra; extra++) {
    writeText(result.extra(extra));
    if (lines.isFull) yield lines.taken();
  }
  const rest = lines.taken();
  if (rest.length > 0) yield rest;
}

const maxPrintedRows = 20;

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
  readonly md: boolean;
  /** Returns the command that prints all rows of a class, or null if a shell cannot write it. */
  readonly commandFor: (name: RowClass) => string | null;
  /** True if `--columns` was given. Otherwise columns without cells are left out. */
  readonly isChosen: boolean;
  /** The classes of `--only`, or undefined without it. */
  readonly only: readonly RowClass[] | undefined;
}

export async function printSummary(
  { out, io, globals }: Invocation,
  printed: PrintedResult,
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
    const rows = Math.min(maxPrintedRows, result.counts[name]);
    const isWanted = name === "imported" ? only?.includes(name) === true : classes.has(name);
    if (rows === 0 || !isWanted) continue;
    const all = result.counts[name];
    const rowsWords =
      rows < all ? `the first ${rows} of ${plural(all, "row")}` : plural(all, "row");
    lines.push("", md ? `### ${name}: ${rowsWords}` : `${name}: ${rowsWords}`, ...(md ? [""] : []));
    const first = Array.from({ length: rows }, (_, index) => result.rowIn(name, index));
    const fields = options.isChosen ? printed.fields : fieldsWithValues(printed, first);
    lines.push(
      ...table(
        fields.map(({ title }) => title),
        first.map((row) => fields.map((field) => shown(fieldCell(field, row)))),
      ),
    );
    const commandText = rows === all ? null : options.commandFor(name);
    if (commandText === null) continue;
    const command = safe(commandText);
    lines.push(...(md ? ["", `All of them: \`${command}\``] : [`All of them: ${command}`]));
  }
  await out.write(`${lines.join("\n")}\n`);
}

export function headline({ supplier, result }: Pick<PrintedResult, "supplier" | "result">): string {
  const { counts, source } = result;
  const others = rowClasses.flatMap((name) =>
    name === "imported" || name === "extra" || counts[name] === 0
      ? []
      : [`${count(counts[name])} ${name}`],
  );
  const rest = others.length === 0 ? "" : ` ${others.join(", ")}.`;
  const listedAt = formatInstant(result.listedAt, { utc: true });
  return safe(
    `${count(counts.imported)} of ${plural(source.rows, "row")} imported.${rest} ${supplier} lists ${plural(result.listed, "account")}, ${count(counts.extra)} extra (${listedAt} UTC).`,
  );
}

const countTitles = ["Class", "Rows", "Share", "Meaning"];

function countRows({ result }: PrintedResult): readonly (readonly string[])[] {
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
function fieldsWithValues({ fields }: PrintedResult, rows: readonly ReconciledRow[]) {
  return fields.filter(
    (field) =>
      field !== reconciledFields.class && rows.some((row) => fieldCell(field, row) !== null),
  );
}

export function rowJson(
  row: ReconciledRow,
  { fields, supplier, context }: Pick<PrintedResult, "fields" | "supplier" | "context">,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      field === reconciledFields.error ? errorJson(row, supplier, context) : field.value(row),
    ]),
  );
}

function errorJson(
  { error, external }: ReconciledRow,
  supplier: string,
  context: Target["context"],
): unknown {
  if (error === null) return undefined;
  if (error.kind === "malformed") return { kind: "malformed", message: issueWords(error.issue) };
  const id = external ?? "";
  const subject = { kind: "account", supplier, id } as const;
  return failureJson(failureOf(error.error, context(`reading the status of ${id}`, subject)));
}
