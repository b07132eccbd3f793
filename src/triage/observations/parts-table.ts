/** Reads the stored lists, parts and deltas from the tables of the observations. */
import { Damage } from "../../sqlite/file-error.ts";
import { type Row, type Rows, whole } from "../../sqlite/rows.ts";
import { blockShift, type PartKind } from "./block-parts.ts";
import { Delta } from "./delta.ts";

/** The stored facts about one supplier's list, without its accounts. */
export interface StoredList {
  readonly id: number;
  /** The sequence number of the last observation. The first is 1. */
  readonly seq: number;
  /**
   * The sequence number of the last observation that is folded into the blocks. Later deltas are
   * applied when the blocks are read.
   */
  readonly foldedSeq: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly observations: number;
  /** Number of rows, including deleted ones. */
  readonly rows: number;
  /** The newest creation time, or NaN if none is known. */
  readonly newestCreatedAt: number;
}

/** Returns the list of a supplier, or null if it was never observed. */
export function storedList(rows: Rows, origin: string, supplier: string): StoredList | null {
  const row = rows.get("SELECT * FROM list WHERE origin = ? AND supplier = ?", origin, supplier);
  return row === undefined ? null : listIn(row);
}

function listIn(row: Row): StoredList {
  return {
    id: whole(row, "id"),
    seq: whole(row, "seq"),
    foldedSeq: whole(row, "folded_seq"),
    firstAt: whole(row, "first_at"),
    lastAt: whole(row, "last_at"),
    observations: whole(row, "observations"),
    rows: whole(row, "rows"),
    newestCreatedAt: row.newest_created_at === null ? Number.NaN : whole(row, "newest_created_at"),
  };
}

/** Returns the number of rows of a supplier's list, including those of a list that is held back. */
export function storedRows(rows: Rows, origin: string, supplier: string): number {
  return rows.number(
    `SELECT max(list.rows, coalesce(held.rows, 0)) FROM list
     LEFT JOIN held ON held.list = list.id WHERE origin = ? AND supplier = ?`,
    ...[origin, supplier],
  );
}

/** Returns the number of blocks for this number of rows. */
export function blocksOf(rows: number): number {
  return (rows + (1 << blockShift) - 1) >>> blockShift;
}

/** Returns one part of one block. Throws Damage if it is missing. */
export function readPart(rows: Rows, list: number, kind: PartKind, block: number): Uint8Array {
  const row = rows.get(
    "SELECT bytes FROM part WHERE list = ? AND kind = ? AND block = ?",
    list,
    kind,
    block,
  );
  return blobIn(row, "bytes");
}

/** The delta of one observation, with its sequence number and its start. */
export interface StoredDelta {
  readonly seq: number;
  readonly at: number;
  readonly delta: Delta;
}

/**
 * Returns the deltas of the observations after `seq` that began at `since` or later, oldest first.
 * Default: all of them. `limit` is the maximum number, or -1 for no limit.
 */
export function deltasAfter(
  rows: Rows,
  list: number,
  seq: number,
  since = Number.MIN_SAFE_INTEGER,
  limit = -1,
): StoredDelta[] {
  const found = rows.all(
    "SELECT seq, at, delta FROM observation WHERE list = ? AND seq > ? AND at >= ? AND delta IS NOT NULL ORDER BY seq LIMIT ?",
    list,
    seq,
    since,
    limit,
  );
  return found.map((row) => ({
    seq: whole(row, "seq"),
    at: whole(row, "at"),
    delta: Delta.unpack(blobIn(row, "delta")),
  }));
}

function blobIn(row: Row | undefined, column: string): Uint8Array {
  const bytes = row?.[column];
  if (bytes instanceof Uint8Array) return bytes;
  throw new Damage(`a stored ${column} is missing`);
}
