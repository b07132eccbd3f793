/** Formats rows of `accounts list` directly from bytes, for the fast output of long lists. */

import { listedFields } from "../../accounts/account-fields.ts";
import { fieldEnd, TextColumn } from "../../accounts/columns.ts";
import { type AccountBatch, AccountFlag } from "../../accounts/ingest/batch.ts";
import { LineBytes, RowBytes } from "../../rows/line-bytes.ts";
import type { Format } from "../global-options.ts";

const shapes: Partial<Readonly<Record<Format, ConstructorParameters<typeof LineBytes>[1]>>> = {
  jsonl: { format: "json", around: ["", "\n"], hasNull: true },
  json: { format: "json", around: [",\n", ""], hasNull: true },
  csv: { format: "csv", around: ["", "\n"], hasNull: true },
};

/**
 * Formats all rows of a batch, which must not include the first row of the output. The bytes are
 * the same as those of the row writer. `formatRow` formats one row with the row writer.
 */
type BatchBytes = (batch: AccountBatch, formatRow: (row: number) => string) => Uint8Array;

/**
 * Returns a function that formats rows directly from the bytes of their batch, or null for a format
 * without such a function. Rows that are not plain are passed to `formatRow`.
 */
export function batchBytes(format: Format): BatchBytes | null {
  const shape = shapes[format];
  if (shape === undefined) return null;
  // The fields of a listed account have the order of the texts of a batch.
  const fields = listedFields.map(({ name }, value) => ({ name, value }));
  const lines = new LineBytes(fields, shape);
  const bytes = new RowBytes();
  return (batch, formatRow) => {
    const { count, text, flags } = batch;
    for (let row = 0, from = 0; row < count; row++) {
      const externalEnd = fieldEnd(batch, row, TextColumn.external);
      const serviceEnd = fieldEnd(batch, row, TextColumn.service);
      const end = fieldEnd(batch, row, TextColumn.created);
      const flag = flags[row] as number;
      bytes.begin();
      bytes.set(TextColumn.external, text, from, externalEnd);
      if ((flag & AccountFlag.serviceNull) === 0)
        bytes.set(TextColumn.service, text, externalEnd, serviceEnd);
      if ((flag & AccountFlag.createdNull) === 0)
        bytes.set(TextColumn.created, text, serviceEnd, end);
      if (!lines.take(bytes)) lines.text(formatRow(row));
      from = end;
    }
    return lines.taken();
  };
}
