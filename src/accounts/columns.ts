/** The flat columns that store account rows, and functions that read them. */
import { type AccountBatch, AccountFlag } from "./ingest/batch.ts";

/**
 * Number of rows of a full block. Copies and passes work on one block, so that each of them is short
 * in a table of any size.
 */
export const blockRows = 1 << 14;

/** Rows as flat columns: the common form of a batch and a block of the table. */
export interface RowColumns {
  /**
   * The UTF-8 text of external account number, service account number and created_at, row after
   * row.
   */
  readonly text: Uint8Array;
  /** The ends of the three texts of each row in `text`. */
  readonly ends: Uint32Array;
  /** The flags of each row: bits of AccountFlag. */
  readonly flags: Uint8Array;
  /** The creation time of each row in epoch milliseconds, or NaN if there is none. */
  readonly createdAt: Float64Array;
}

export const TextColumn = { external: 0, service: 1, created: 2 } as const;
export type TextColumnIndex = (typeof TextColumn)[keyof typeof TextColumn];

/** Decodes UTF-8. A byte order mark stays in the text as a character. */
export const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

type Column = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/** Copies the values to new memory with room for `length` of them. */
export function longer<T extends Column>(column: T, length: number): T {
  const copy = new (column.constructor as new (length: number) => T)(length);
  copy.set(column);
  return copy;
}

export function fieldStart(
  { ends }: Pick<RowColumns, "ends">,
  index: number,
  column: number,
): number {
  const at = index * 3 + column;
  return at === 0 ? 0 : (ends[at - 1] as number);
}

export function fieldEnd(
  { ends }: Pick<RowColumns, "ends">,
  index: number,
  column: number,
): number {
  return ends[index * 3 + column] as number;
}

/** Returns the text of a column of a row. It is empty if the value is null. */
export function fieldText(columns: RowColumns, index: number, column: number): string {
  const from = fieldStart(columns, index, column);
  return utf8.decode(columns.text.subarray(from, columns.ends[index * 3 + column]));
}

/** Copies some rows to new memory. Data outside the columns is left out. */
export function chosenRows(columns: RowColumns, rows: readonly number[]): AccountBatch {
  const { text, ends, flags, createdAt } = columns;
  const lengthOf = (row: number) => fieldEnd(columns, row, 2) - fieldStart(columns, row, 0);
  const chosen = {
    count: rows.length,
    text: new Uint8Array(rows.reduce((sum, row) => sum + lengthOf(row), 0)),
    ends: new Uint32Array(rows.length * 3),
    flags: new Uint8Array(rows.length),
    createdAt: new Float64Array(rows.length),
    extras: new Map<number, string>(),
  };
  let length = 0;
  for (const [at, row] of rows.entries()) {
    const from = fieldStart(columns, row, 0);
    chosen.text.set(text.subarray(from, fieldEnd(columns, row, 2)), length);
    for (let column = 0; column < 3; column++)
      chosen.ends[at * 3 + column] = length + (ends[row * 3 + column] as number) - from;
    length += lengthOf(row);
    chosen.flags[at] = (flags[row] as number) & ~AccountFlag.extras;
    chosen.createdAt[at] = createdAt[row] as number;
  }
  return chosen;
}

/**
 * Returns true if the account is only staged: it has no service account number or an empty one
 * (INTERFACE 2), and is not on the list of imported accounts. A gone account is not pending.
 */
export function isPendingRow(columns: RowColumns, index: number): boolean {
  const flags = columns.flags[index] as number;
  if (flags & (AccountFlag.imported | AccountFlag.gone)) return false;
  return (
    (flags & AccountFlag.serviceNull) !== 0 ||
    columns.ends[index * 3 + 1] === columns.ends[index * 3]
  );
}

/** Returns true if the account was pending, is no longer listed and was never imported. */
export function isGoneRow(columns: RowColumns, index: number): boolean {
  return ((columns.flags[index] as number) & AccountFlag.gone) !== 0;
}

export function isAscii(text: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((text[at] as number) >= 0x80) return false;
  return true;
}
