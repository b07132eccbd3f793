/** Prints the rows of `reconcile` as JSON, JSON lines, CSV or TSV. */

import { toJson } from "../../json/print.ts";
import { csvRow, tsvRow } from "../../text/csv.ts";
import { utcInstant } from "../../text/dates.ts";
import { type RowClass, rowClasses } from "../../triage/reconcile/classes.ts";
import type { Reconciled, ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import type { Invocation } from "../invocation.ts";
import { PlainLines } from "./plain-lines.ts";
import type { ReconcileField, RowCells } from "./row-cells.ts";

/** The result to print, and the chosen classes and columns. */
export interface Printed {
  readonly supplier: string;
  readonly result: Reconciled;
  readonly classes: ReadonlySet<RowClass>;
  readonly fields: readonly ReconcileField[];
  readonly cells: RowCells;
}

/** Prints the result as one JSON object. If it is interrupted, the object stays open. */
export async function printJson({ out }: Invocation, printed: Printed): Promise<void> {
  const head = toJson(summaryOf(printed)).slice(0, -1);
  await out.write(`${head},"rows":[`);
  let isEmpty = true;
  for (const piece of pieces(printed, "json", ["\n", ",\n"])) {
    await out.write(piece);
    isEmpty = false;
  }
  out.close(isEmpty ? "]}\n" : "\n]}\n");
}

/** Prints the rows in pieces, one row per line. */
export async function printLines(
  { out }: Invocation,
  printed: Printed,
  format: "jsonl" | "csv" | "tsv",
): Promise<void> {
  const names = printed.fields.map(({ name }) => name);
  if (format !== "jsonl") await out.line(format === "csv" ? csvRow(names) : tsvRow(names));
  let isEmpty = true;
  for (const piece of pieces(printed, format === "jsonl" ? "json" : format, ["", "\n"])) {
    await out.write(piece);
    isEmpty = false;
  }
  if (!isEmpty) await out.write("\n");
}

/** Returns the summary of a result as JSON, without the rows. */
export function summaryOf({ supplier, result }: Pick<Printed, "supplier" | "result">) {
  return {
    import_supplier: supplier,
    listed_at: utcInstant(result.listedAt),
    source_rows: result.source.rows,
    listed: result.listed,
    counts: result.counts,
  };
}

/**
 * Yields the rows as UTF-8 in pieces, with `first` before the first row and `between` between two
 * rows.
 */
function* pieces(
  { result, classes, fields, cells }: Printed,
  format: "json" | "csv" | "tsv",
  [first, between]: readonly [first: string, between: string],
): Generator<Uint8Array, void, void> {
  const lines = new PlainLines(result, fields, format);
  const rowText = format === "csv" ? csvRow : tsvRow;
  const textOf = (row: ReconciledRow) =>
    format === "json"
      ? toJson(cells.json(row, fields))
      : rowText(fields.map(({ name }) => cells.text(row, name)));
  let before = first;
  const begin = () => {
    if (before !== "") lines.text(before);
    before = between;
  };
  const { codes } = result;
  const isPrinted = rowClasses.map((name) => classes.has(name));
  for (let row = 0; row < codes.length; row++) {
    if (!isPrinted[codes[row] as number]) continue;
    begin();
    if (!lines.take(row)) lines.text(textOf(result.row(row)));
    if (lines.isFull) yield lines.taken();
  }
  for (let extra = 0; classes.has("extra") && extra < result.counts.extra; extra++) {
    begin();
    lines.text(textOf(result.extra(extra)));
    if (lines.isFull) yield lines.taken();
  }
  const rest = lines.taken();
  if (rest.length > 0) yield rest;
}
