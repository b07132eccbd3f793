/**
 * A batch of account rows that the list reader passes to the table. It has flat arrays instead of
 * an object per row, and can be transferred between threads (INTERFACE 4.9–4.11, "Account import
 * process list item").
 */
export interface AccountBatch {
  readonly count: number;
  /**
   * UTF-8 text of all rows, end to end: external account number, service account number,
   * created_at.
   */
  readonly text: Uint8Array;
  /** The ends of the three texts of each row in `text`. A null or absent value has no bytes. */
  readonly ends: Uint32Array;
  readonly flags: Uint8Array;
  /**
   * The `account_created_at` of each row in epoch milliseconds, or NaN if it is null, absent or not
   * a readable datetime.
   */
  readonly createdAt: Float64Array;
  /**
   * The raw JSON, by row, of rows with more data than the columns (unknown fields, values of
   * another type), for the raw view. The reader limits the amount of this JSON.
   */
  readonly extras: ReadonlyMap<number, string>;
}

/** Bits of {@link AccountBatch.flags}. */
export const AccountFlag = {
  /**
   * The service_account_number is null or absent. The account is pending, unless `imported` is set.
   */
  serviceNull: 1,
  /** The account_created_at is null or absent. */
  createdNull: 2,
  extras: 4,
  /**
   * The row has no service account number, but is on the list of imported accounts (INTERFACE
   * 4.11).
   */
  imported: 8,
  /** The row has more data than the columns, but exceeds the limits for storing it. */
  unstoredExtras: 16,
  /** The account is on no list: it was observed as pending, and has left the lists. */
  gone: 64,
} as const;

/**
 * One row as an object, with the field names of the wire. The brand word is normalized to
 * `service`.
 */
export interface AccountListItem {
  readonly external_account_number: string;
  readonly service_account_number: string | null;
  readonly account_created_at: string | null;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Returns the row at `index` of a batch as an object, for small lists and for output of single
 * rows.
 */
export function rowOfBatch(batch: AccountBatch, index: number): AccountListItem {
  const at = index * 3;
  const start = index === 0 ? 0 : (batch.ends[at - 1] ?? 0);
  const externalEnd = batch.ends[at] ?? start;
  const serviceEnd = batch.ends[at + 1] ?? externalEnd;
  const createdEnd = batch.ends[at + 2] ?? serviceEnd;
  const flags = batch.flags[index] ?? 0;
  const text = (from: number, to: number) => decoder.decode(batch.text.subarray(from, to));
  return {
    external_account_number: text(start, externalEnd),
    service_account_number: flags & AccountFlag.serviceNull ? null : text(externalEnd, serviceEnd),
    account_created_at: flags & AccountFlag.createdNull ? null : text(serviceEnd, createdEnd),
  };
}
