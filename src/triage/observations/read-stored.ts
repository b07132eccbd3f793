/** Reads changes, counts and summaries from the stored observations. */
import { utf8 } from "../../accounts/columns.ts";
import { maybeInstant, type Row, type Rows, text, whole } from "../../sqlite/rows.ts";
import { dayMs } from "../../text/durations.ts";
import { type NumberColumn, numberAt } from "../account-numbers.ts";
import { blockShift, Part, storedBlockRows, unpackNumbers } from "./block-parts.ts";
import type { Delta } from "./delta.ts";
import { changeKinds } from "./list-difference.ts";
import type {
  Change,
  ChangeKind,
  ObservedCounts,
  ObservedSummary,
  StoredObservations,
} from "./observations.ts";
import { deltasAfter, readPart, storedList } from "./parts-table.ts";
import type { PendingTimes } from "./read-ages.ts";

/** The word for each state in a change, by the number of the state. */
const stateWords: readonly (string | null)[] = [null, "pending", "imported", "gone", "removed"];

/**
 * The end of a page of changes: the list, the last complete observation, and the position in the
 * next observation.
 */
export interface ChangesEnd {
  readonly list: number;
  readonly seq: number;
  readonly at: number;
}

/** A page of changes, oldest first. `next` is the start of the next page, or null at the end. */
export interface ChangesPage {
  readonly changes: readonly Change[];
  readonly next: ChangesEnd | null;
}

/** Returns a page of the changes since a time. Throws if the list of `after` has been deleted. */
export function readChanges(
  rows: Rows,
  key: { readonly origin: string; readonly supplier: string; readonly since: number | null },
  after: ChangesEnd | null,
  limit: number,
): ChangesPage {
  const list = storedList(rows, key.origin, key.supplier);
  if (after !== null && list?.id !== after.list)
    throw new Error(`The observations of ${key.supplier} were deleted while they were read.`);
  if (list === null) return { changes: [], next: null };
  const numberOf = numbersOf(rows, list.id);
  const changes: Change[] = [];
  let { seq, at } = after ?? { seq: 0, at: 0 };
  for (;;) {
    const [stored] = deltasAfter(rows, list.id, seq, key.since ?? undefined, 1);
    if (stored === undefined) return { changes, next: null };
    const { delta, at: seenAt } = stored;
    for (; at < delta.count; at++) {
      if (changes.length === limit) return { changes, next: { list: list.id, seq, at } };
      const change = delta.change(at);
      if (change === null) continue;
      const external = numberOf(delta.rows[at] as number);
      changes.push({ external, change, ...fromAndTo(delta, at, change), seenAt });
    }
    seq = stored.seq;
    at = 0;
  }
}

function fromAndTo(delta: Delta, at: number, change: ChangeKind) {
  const textIn = (bytes: Uint8Array | null) => (bytes === null ? null : utf8.decode(bytes));
  if (change === "renumbered")
    return { from: textIn(delta.previousService(at)), to: textIn(delta.service(at)) };
  return {
    from: stateWords[delta.previousState(at)] ?? null,
    to: stateWords[delta.newState(at)] ?? null,
  };
}

/**
 * Returns a function that returns the account number of a row. It reads each block when it is first
 * needed.
 */
function numbersOf(rows: Rows, list: number): (row: number) => string {
  const blocks = new Map<number, NumberColumn>();
  return (row) => {
    const index = row >>> blockShift;
    let block = blocks.get(index);
    if (block === undefined) {
      const { lengths, text } = unpackNumbers(readPart(rows, list, Part.numbers, index));
      let end = 0;
      block = { ends: lengths.map((length) => (end += length)), text };
      blocks.set(index, block);
    }
    return numberAt(block, row & (storedBlockRows - 1));
  };
}

/** Returns the counts of the observations since a time, oldest first. */
export function readCounts(
  rows: Rows,
  origin: string,
  supplier: string,
  since: number | null,
): ObservedCounts[] {
  const list = storedList(rows, origin, supplier);
  if (list === null) return [];
  const all = rows.all(
    "SELECT at, pending, imported, gone FROM observation WHERE list = ? AND at >= ? ORDER BY seq",
    list.id,
    since ?? Number.MIN_SAFE_INTEGER,
  );
  return all.map(countsIn);
}

function countsIn(row: Row): ObservedCounts {
  return {
    at: whole(row, "at"),
    pending: whole(row, "pending"),
    imported: whole(row, "imported"),
    gone: whole(row, "gone"),
  };
}

/** Returns the figures of the last observation, or null if there is none. */
export function readSummary(
  rows: Rows,
  pending: PendingTimes,
  origin: string,
  supplier: string,
  now: number,
): ObservedSummary | null {
  const list = storedList(rows, origin, supplier);
  const last = rows.get(
    "SELECT * FROM observation WHERE list = ? AND seq = ?",
    list?.id ?? 0,
    list?.seq ?? 0,
  );
  if (list === null || last === undefined) return null;
  let oldest = Number.POSITIVE_INFINITY;
  let overADay = 0;
  for (const [time, count] of pending.of(rows, list)) {
    const since = Math.min(time, list.lastAt);
    if (since < oldest) oldest = since;
    if (since <= now - dayMs) overADay += count;
  }
  return {
    ...countsIn(last),
    historySince: list.firstAt,
    observations: list.observations,
    oldestPendingSince: Number.isFinite(oldest) ? oldest : null,
    pendingOverADay: overADay,
    newestCreatedAt: Number.isNaN(list.newestCreatedAt) ? null : list.newestCreatedAt,
    lastDay: changesSince(rows, list.id, now - dayMs),
    heldBack: heldBack(rows, list.id),
  };
}

function heldBack(rows: Rows, list: number): ObservedSummary["heldBack"] {
  const held = rows.get("SELECT at, before, now FROM held WHERE list = ?", list);
  if (held === undefined) return null;
  return { at: whole(held, "at"), before: whole(held, "before"), now: whole(held, "now") };
}

function changesSince(rows: Rows, list: number, since: number): Record<ChangeKind, number> {
  const counts = { staged: 0, imported: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 };
  const all = rows.all("SELECT tally FROM observation WHERE list = ? AND at >= ?", list, since);
  for (const row of all) {
    const tally: unknown = JSON.parse(text(row, "tally"));
    if (!Array.isArray(tally)) continue;
    for (const [at, kind] of changeKinds.entries()) counts[kind] += Number(tally[at] ?? 0);
  }
  return counts;
}

/** Returns the stored observations of every origin and supplier. */
export function readStored(rows: Rows): StoredObservations[] {
  const all = rows.all(
    `SELECT *, (SELECT coalesce(sum(length(bytes)), 0) FROM part WHERE list = id)
      + (SELECT coalesce(sum(length(delta) + 60), 0) FROM observation WHERE list = id)
      + (SELECT coalesce(sum(length(bytes)), 0) FROM held_part WHERE list = id) AS bytes
     FROM list ORDER BY origin, supplier`,
  );
  return all.map((row) => ({
    supplier: text(row, "supplier"),
    origin: text(row, "origin"),
    observations: whole(row, "observations"),
    firstAt: maybeInstant(row, "first_at") ?? Number.NaN,
    lastAt: maybeInstant(row, "last_at") ?? Number.NaN,
    accounts: whole(row, "rows"),
    bytes: whole(row, "bytes"),
  }));
}
