import { AccountFlag } from "./ingest/batch.ts";

/** Rows of a full block. Blocks keep every copy and every pass short, whatever the table's size. */
export const blockRows = 1 << 14;

/** Rows side by side as flat columns: what a batch and a block of the table have in common. */
export interface RowColumns {
  /** UTF-8 of external account number, service account number and created_at, row after row. */
  readonly text: Uint8Array;
  /** Three ends in `text` per row. */
  readonly ends: Uint32Array;
  /** Bits of AccountFlag. */
  readonly flags: Uint8Array;
  /** Epoch milliseconds or NaN. */
  readonly createdAt: Float64Array;
}

/** The columns of a row that hold text, in the order in which the text stands. */
export const TextColumn = { external: 0, service: 1, created: 2 } as const;
export type TextColumnIndex = (typeof TextColumn)[keyof typeof TextColumn];

/** Reads raw text: a byte order mark in it is a character like any other. */
export const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

type Column = Uint8Array | Int32Array | Uint32Array | Float64Array;

/** The same values in memory of its own, with room for `length` of them. */
export function longer<T extends Column>(column: T, length: number): T {
  const made = new (column.constructor as new (length: number) => T)(length);
  made.set(column);
  return made;
}

/** Where the text of a column begins; the end stands in `ends[index * 3 + column]`. */
export function fieldStart(columns: RowColumns, index: number, column: number): number {
  const at = index * 3 + column;
  return at === 0 ? 0 : (columns.ends[at - 1] as number);
}

/** The text of a column of a row; whether it is null is in the flags. */
export function fieldText(columns: RowColumns, index: number, column: number): string {
  const from = fieldStart(columns, index, column);
  return utf8.decode(columns.text.subarray(from, columns.ends[index * 3 + column]));
}

/**
 * Whether the account is staged only: no service account number, or an empty one (INTERFACE 2), on a
 * list that is not that of the imported accounts. A gone account is not pending.
 */
export function isPendingRow(columns: RowColumns, index: number): boolean {
  const flags = columns.flags[index] as number;
  if (flags & (AccountFlag.imported | AccountFlag.gone)) return false;
  return (
    (flags & AccountFlag.serviceNull) !== 0 ||
    columns.ends[index * 3 + 1] === columns.ends[index * 3]
  );
}

/** Whether the account was pending, is listed no more and was never imported. */
export function isGoneRow(columns: RowColumns, index: number): boolean {
  return ((columns.flags[index] as number) & AccountFlag.gone) !== 0;
}

/** Whether the bytes are all ASCII. */
export function isAscii(text: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((text[at] as number) >= 0x80) return false;
  return true;
}
