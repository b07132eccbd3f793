/**
 * Rows of an account list as they travel from the reader to the table: flat, transferable between
 * threads, no object per row (INTERFACE 4.9–4.11, "Account import process list item").
 */
export interface AccountBatch {
  /** Number of rows. */
  readonly count: number;
  /** UTF-8 text of all rows, end to end: external account number, service account number, created_at. */
  readonly text: Uint8Array;
  /** The ends of the three texts of each row in `text`. A null or absent value has no bytes. */
  readonly ends: Uint32Array;
  /** One per row, bits from {@link AccountFlag}. */
  readonly flags: Uint8Array;
  /**
   * account_created_at in epoch milliseconds, or NaN if it is null, absent or not a readable
   * datetime.
   */
  readonly createdAt: Float64Array;
  /**
   * The raw JSON, by row, of rows with more data than the columns (unknown fields, values of
   * another type), for the raw view. The reader limits it.
   */
  readonly extras: ReadonlyMap<number, string>;
}

/** Bits of {@link AccountBatch.flags}. */
export const AccountFlag = {
  /** service_account_number was null or absent: the account is pending, unless `imported` is set. */
  serviceNull: 1,
  /** account_created_at was null or absent. */
  createdNull: 2,
  /** The row has an entry in `extras`. */
  extras: 4,
  /** No service account number, but on the list of imported accounts (INTERFACE 4.11). */
  imported: 8,
  /** True if the row has more than the columns, but is beyond the limits for storing it. */
  moreCame: 16,
  /** The element was the external account number alone, as a JSON string. */
  bare: 32,
  /** On no list: an account that was pending and has left the lists, as observed before. */
  gone: 64,
} as const;

/** One row as an object, with the wire's field names (brand word normalised to `service`). */
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
