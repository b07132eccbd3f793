import { type Rows, whole } from "../../sqlite/rows.ts";
import { foldDue } from "./fold.ts";
import { KnownAccounts } from "./known-accounts.ts";
import { type ListDifference, listDifference } from "./list-difference.ts";
import type { Listing } from "./listing.ts";
import { newParts } from "./new-parts.ts";
import type { Recorded } from "./observations.ts";
import { type StoredList, storedList, writePart } from "./parts-table.ts";
import { rebased } from "./rebase.ts";

/** A list that lost more than half of more than this many accounts is held back. */
const fewAccounts = 100;

export interface Observed {
  readonly origin: string;
  readonly supplier: string;
  /** When the load began. */
  readonly at: number;
  readonly now: number;
}

/** Records one complete list, inside a commit. */
export function recordList(rows: Rows, observed: Observed, compared: Listing): Recorded {
  const { origin, supplier, at, now } = observed;
  const list = storedList(rows, origin, supplier);
  if (at > now) return { kind: "late" };
  // A time that is still to come was written by a clock that has been put right since.
  if (list !== null && list.lastAt > at && list.lastAt <= now) return { kind: "late" };
  const listing = upToDate(rows, list, compared);
  if (listing === null) return { kind: "late" };
  const difference = listDifference(listing);
  const { before, now: listed, lost, delta, tally } = difference;
  const isOdd = (listed === 0 && before > 0) || (before > fewAccounts && lost > before / 2);
  if (list !== null && isOdd) {
    holdBack(rows, list, observed, listing, difference);
    return { kind: "held-back", before, now: listed };
  }
  const id = list?.id ?? newList(rows, observed);
  for (const { kind, block, bytes } of newParts(rows, listing, difference, at)) {
    writePart(rows, id, kind, block, bytes);
  }
  addObservation(rows, id, at, {
    ...difference.counts,
    tally: JSON.stringify(tally),
    entries: delta.count,
    rows: listing.known.rows,
    newestCreatedAt: difference.newestCreatedAt,
    delta: delta.count === 0 ? null : delta.packed(),
  });
  foldDue(rows, id, now);
  return { kind: "recorded", first: list === null, changes: tally.reduce((a, b) => a + b, 0) };
}

/** The comparison with what is stored now; null where the stored list was deleted meanwhile. */
function upToDate(rows: Rows, list: StoredList | null, compared: Listing): Listing | null {
  const base = compared.known.list;
  if (base?.id === list?.id && base?.seq === list?.seq) return compared;
  if (base !== null && base.id !== list?.id) return null;
  return rebased(rows, compared, new KnownAccounts(rows, list));
}

function newList(rows: Rows, { origin, supplier, at }: Observed): number {
  return rows.run(
    "INSERT INTO list (origin, supplier, observations, first_at, last_at, seq, folded_seq, folded_at, unfolded, rows) VALUES (?, ?, 0, ?3, ?3, 0, 0, ?3, 0, 0)",
    origin,
    supplier,
    at,
  ).id;
}

interface NewObservation {
  readonly pending: number;
  readonly imported: number;
  readonly gone: number;
  readonly tally: string;
  readonly entries: number;
  readonly rows: number;
  readonly newestCreatedAt: number;
  readonly delta: Uint8Array | null;
}

function addObservation(rows: Rows, id: number, at: number, one: NewObservation): void {
  rows.run(
    "INSERT INTO observation (list, seq, at, pending, imported, gone, tally, delta) SELECT id, seq + 1, ?, ?, ?, ?, ?, ? FROM list WHERE id = ?",
    at,
    one.pending,
    one.imported,
    one.gone,
    one.tally,
    one.delta,
    id,
  );
  rows.run(
    "UPDATE list SET observations = observations + 1, seq = seq + 1, first_at = min(first_at, ?1), last_at = ?1, unfolded = unfolded + ?2, rows = ?3, newest_created_at = ?4 WHERE id = ?5",
    at,
    one.entries,
    one.rows,
    Number.isNaN(one.newestCreatedAt) ? null : one.newestCreatedAt,
    id,
  );
  rows.run("DELETE FROM held WHERE list = ?", id);
}

function holdBack(
  rows: Rows,
  { id }: StoredList,
  { at }: Observed,
  listing: Listing,
  difference: ListDifference,
): void {
  const { before, now, counts, tally, delta, newestCreatedAt } = difference;
  rows.run("DELETE FROM held WHERE list = ?", id);
  rows.run(
    "INSERT INTO held (list, at, before, now, pending, imported, gone, tally, entries, rows, newest_created_at, delta) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    id,
    at,
    before,
    now,
    counts.pending,
    counts.imported,
    counts.gone,
    JSON.stringify(tally),
    delta.count,
    listing.known.rows,
    Number.isNaN(newestCreatedAt) ? null : newestCreatedAt,
    delta.packed(),
  );
  for (const { kind, block, bytes } of newParts(rows, listing, difference, at)) {
    rows.run(
      "INSERT INTO held_part (list, kind, block, bytes) VALUES (?, ?, ?, ?)",
      id,
      kind,
      block,
      bytes,
    );
  }
}

/** Records the list that was held back, inside a commit; false where none is. */
export function confirmHeld(rows: Rows, origin: string, supplier: string, now: number): boolean {
  const list = storedList(rows, origin, supplier);
  if (list === null) return false;
  const { id } = list;
  const held = rows.get("SELECT * FROM held WHERE list = ?", id);
  if (held === undefined) return false;
  rows.run(
    "INSERT OR REPLACE INTO part (list, kind, block, bytes) SELECT list, kind, block, bytes FROM held_part WHERE list = ?",
    id,
  );
  const newest = held.newest_created_at;
  addObservation(rows, id, whole(held, "at"), {
    pending: whole(held, "pending"),
    imported: whole(held, "imported"),
    gone: whole(held, "gone"),
    tally: String(held.tally),
    entries: whole(held, "entries"),
    rows: whole(held, "rows"),
    newestCreatedAt: newest === null ? Number.NaN : Number(newest),
    delta: held.delta instanceof Uint8Array ? held.delta : null,
  });
  foldDue(rows, id, now);
  return true;
}
