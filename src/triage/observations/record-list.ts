/** Records a complete list as an observation, or holds it back. */
import { maybeWhole, type Rows, whole } from "../../sqlite/rows.ts";
import { foldDue } from "./fold.ts";
import { KnownAccounts } from "./known-accounts.ts";
import { type ListDifference, listDifference } from "./list-difference.ts";
import type { Listing } from "./listing.ts";
import { rebaseList } from "./listing.ts";
import { newParts } from "./new-parts.ts";
import type { ListComparison } from "./observations.ts";
import { type StoredList, storedList } from "./parts-table.ts";

/**
 * Maximum size of a list that is held back only if it becomes empty. A larger list is also held
 * back if it loses more than half of its accounts.
 */
const fewAccounts = 100;

/** A complete list to record, and the time of recording. Times are epoch milliseconds. */
export interface Observed {
  readonly origin: string;
  readonly supplier: string;
  /** The start of the load, in epoch milliseconds. */
  readonly at: number;
  readonly now: number;
  /** See `Service.trustedNow`. */
  readonly trusted: number | null;
}

/**
 * Records one complete list, inside a commit. Stores a list that lost too many accounts only for
 * confirmation.
 */
export function recordList(rows: Rows, observed: Observed, compared: Listing): ListComparison {
  const { origin, supplier, at, now } = observed;
  const list = storedList(rows, origin, supplier);
  if (at > now) return { kind: "late" };
  // A stored time in the future is from a clock that has been corrected since.
  if (list !== null && list.lastAt > at && list.lastAt <= now) return { kind: "late" };
  const listing = upToDate(rows, list, compared);
  if (listing === null) return { kind: "late" };
  const difference = listDifference(listing);
  const { before, now: listed, lost, delta, tally } = difference;
  const lostTooMany = (listed === 0 && before > 0) || (before > fewAccounts && lost > before / 2);
  if (list !== null && lostTooMany) {
    holdBack(rows, list, observed, listing, difference);
    return { kind: "held-back", before, now: listed };
  }
  const id = list?.id ?? newList(rows, observed);
  for (const part of newParts(rows, listing, difference, at))
    rows.replace("part", { list: id, ...part });
  const stored = observationOf(listing, difference);
  addObservation(rows, id, at, delta.count === 0 ? { ...stored, delta: null } : stored);
  foldDue(rows, id, now);
  return { kind: "recorded", first: list === null, changes: tally.reduce((a, b) => a + b, 0) };
}

/**
 * Returns the comparison with the current stored list, or null if the list of the comparison was
 * deleted.
 */
function upToDate(rows: Rows, list: StoredList | null, compared: Listing): Listing | null {
  const base = compared.known.list;
  if (base?.id === list?.id && base?.seq === list?.seq) return compared;
  if (base !== null && base.id !== list?.id) return null;
  return rebaseList(rows, compared, new KnownAccounts(rows, list));
}

function newList(rows: Rows, { origin, supplier, at }: Observed): number {
  return rows.insert("list", {
    origin,
    supplier,
    observations: 0,
    rows: 0,
    seq: 0,
    first_at: at,
    last_at: at,
    folded_seq: 0,
    folded_at: at,
    unfolded: 0,
  });
}

/** The columns of an observation. The table `held` has the same columns. */
interface NewObservation {
  readonly pending: number;
  readonly imported: number;
  readonly gone: number;
  readonly tally: string;
  readonly entries: number;
  readonly rows: number;
  readonly newest_created_at: number | null;
  readonly delta: Uint8Array | null;
}

function observationOf(listing: Listing, difference: ListDifference): NewObservation {
  const { counts, tally, delta, newestCreatedAt } = difference;
  return {
    ...counts,
    tally: JSON.stringify(tally),
    entries: delta.count,
    rows: listing.known.rows,
    newest_created_at: Number.isNaN(newestCreatedAt) ? null : newestCreatedAt,
    delta: delta.packed(),
  };
}

function addObservation(rows: Rows, id: number, at: number, columns: NewObservation): void {
  const { entries, rows: accounts, newest_created_at: newest, ...observation } = columns;
  const seq = rows.number("SELECT seq + 1 FROM list WHERE id = ?", id);
  rows.insert("observation", { list: id, seq, at, ...observation });
  rows.run(
    `UPDATE list SET observations = observations + 1, seq = seq + 1, first_at = min(first_at, ?1),
       last_at = ?1, unfolded = unfolded + ?2, rows = ?3, newest_created_at = ?4 WHERE id = ?5`,
    ...[at, entries, accounts, newest, id],
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
  const { before, now } = difference;
  rows.run("DELETE FROM held WHERE list = ?", id);
  rows.insert("held", { list: id, at, before, now, ...observationOf(listing, difference) });
  for (const part of newParts(rows, listing, difference, at))
    rows.insert("held_part", { list: id, ...part });
}

/** Records the list that is held back, inside a commit. Returns false if there is none. */
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
  addObservation(rows, id, whole(held, "at"), {
    pending: whole(held, "pending"),
    imported: whole(held, "imported"),
    gone: whole(held, "gone"),
    tally: String(held.tally),
    entries: whole(held, "entries"),
    rows: whole(held, "rows"),
    newest_created_at: maybeWhole(held, "newest_created_at"),
    delta: held.delta instanceof Uint8Array ? held.delta : null,
  });
  foldDue(rows, id, now);
  return true;
}
