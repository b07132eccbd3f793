/** The local tables of lists that a team shares. */
import { maybeText, type Row, type Rows, text, whole } from "../../sqlite/rows.ts";
import type { ObservedRow, Position, SharedPage } from "../../writes/team/memory.ts";
import { columnsFrom, rowsAfter } from "./shared-rows.ts";
import {
  type AsideKind,
  asideOrigin,
  copyRows,
  putSnapshot,
  type Snapshot,
  type StoredList,
  storedList,
} from "./store.ts";

export interface ListPlace {
  readonly origin: string;
  readonly supplier: string;
}

/** The part of a local list that is the team's. */
export interface Mark extends Position {
  readonly machines: number;
  /** The machine and the person of the newest observation. */
  readonly machine: string;
  readonly person: string;
  readonly held: string | null;
  readonly isWhole: boolean;
  /** Lists of this machine that the team does not have. */
  readonly dropped: number;
}

export interface LocalList {
  readonly list: StoredList | null;
  /** The mark of the list. It is null if nothing of the list is the team's. */
  readonly mark: Mark | null;
  /** True if the list ends with observations that the team does not have. */
  readonly isAhead: boolean;
}

/** Reads a list and its mark. A mark of another ledger does not count. */
export function localList(rows: Rows, place: ListPlace, ledger: string): LocalList {
  const list = storedList(rows, place.origin, place.supplier);
  const row =
    list === null
      ? undefined
      : rows.get("SELECT * FROM shared WHERE list = ? AND ledger = ?", list.id, ledger);
  const mark = row === undefined ? null : markIn(row);
  return { list, mark, isAhead: list !== null && list.seq > (mark?.number ?? 0) };
}

function markIn(row: Row): Mark {
  return {
    number: whole(row, "number"),
    token: text(row, "token"),
    machines: whole(row, "machines"),
    machine: text(row, "machine"),
    person: text(row, "person"),
    held: maybeText(row, "held"),
    isWhole: whole(row, "is_whole") === 1,
    dropped: whole(row, "dropped"),
  };
}

export function putMark(rows: Rows, list: number, ledger: string, mark: Mark): void {
  const { isWhole, ...facts } = mark;
  rows.replace("shared", { list, ledger, ...facts, is_whole: Number(isWhole) });
}

export function changeMark(rows: Rows, place: ListPlace, ledger: string, change: Partial<Mark>) {
  const { list, mark } = localList(rows, place, ledger);
  if (list !== null && mark !== null) putMark(rows, list.id, ledger, { ...mark, ...change });
}

/** Returns the observations that the team does not have, oldest first. */
export function ownRows(rows: Rows, { list, mark }: LocalList): readonly Row[] {
  return rows.all(
    "SELECT * FROM observation WHERE list = ? AND seq > ? ORDER BY seq",
    ...[list?.id ?? 0, mark?.number ?? 0],
  );
}

export function heldRow(rows: Rows, { list }: LocalList): Row | null {
  return rows.get("SELECT * FROM observation WHERE list = ? AND seq = 0", list?.id ?? 0) ?? null;
}

/** Returns true if the list can go back to the last observation of the team. */
export function canGoBack(rows: Rows, { list, mark }: LocalList): boolean {
  if (list === null || mark === null) return false;
  const row = rows.get(
    `SELECT 1 FROM observation o JOIN list l ON l.id = o.list
      WHERE l.id = ? AND o.seq = ? AND l.base_seq <= o.seq`,
    ...[list.id, mark.number],
  );
  return row !== undefined;
}

/** Puts a list aside, and takes what the team does not have off it. */
export function putAside(rows: Rows, place: ListPlace, local: LocalList, isKept: boolean): void {
  const { list, mark } = local;
  if (list === null) return;
  const kind: AsideKind = mark === null ? "joined" : "own";
  const own = ownRows(rows, local).length;
  const origin = asideOrigin(kind, place.origin);
  rows.run("DELETE FROM list WHERE origin = ? AND supplier = ?", origin, place.supplier);
  rows.run("UPDATE list SET origin = ? WHERE id = ?", origin, list.id);
  if (mark !== null && isKept) {
    // The part of the team goes on under another ID, because the ages of a list are shared by it.
    const { id: _, ...facts } = rows.get("SELECT * FROM list WHERE id = ?", list.id) ?? {};
    const kept = rows.insert("list", { ...facts, origin: place.origin });
    copyRows(rows, rows, list.id, kept);
    goBack(rows, kept, mark);
    rows.run("UPDATE shared SET list = ? WHERE list = ?", kept, list.id);
  }
  rows.run("UPDATE list SET observations = ? WHERE id = ?", own, list.id);
}

function goBack(rows: Rows, id: number, { number }: Mark): void {
  const taken = rows.run("DELETE FROM observation WHERE list = ? AND seq > ?", id, number);
  rows.run("DELETE FROM observation WHERE list = ? AND seq = 0", id);
  rows.run(
    `UPDATE list SET seq = ?2, observations = observations - ?3,
      last_at = (SELECT at FROM observation WHERE list = ?1 AND seq = ?2),
      rows = (SELECT rows FROM observation WHERE list = ?1 AND seq = ?2),
      entries = (SELECT coalesce(sum(entries), 0) FROM observation WHERE list = ?1 AND seq > base_seq)
    WHERE id = ?1`,
    ...[id, number, taken],
  );
}

export function followRows(rows: Rows, place: ListPlace, ledger: string, page: SharedPage): void {
  const local = localList(rows, place, ledger);
  const last = page.rows.at(-1);
  if (local.list === null || last === undefined) return;
  insertRows(rows, local.list.id, page.rows);
  const entries = page.rows.reduce((sum, row) => sum + row.entries, 0);
  rows.run(
    `UPDATE list SET observations = ?, seq = ?, first_at = min(first_at, ?), last_at = ?,
      entries = entries + ?, rows = ? WHERE id = ?`,
    ...[page.observations, last.number, page.firstAt, last.at, entries, rowsAfter(last)],
    local.list.id,
  );
  const { isWhole = false, dropped = 0 } = local.mark ?? {};
  putMark(rows, local.list.id, ledger, { ...markAt(page, last), isWhole, dropped });
}

/** Replaces a list by the team's. The first row is the one that the snapshot contains. */
export function putWhole(
  rows: Rows,
  { origin, supplier }: ListPlace,
  ledger: string,
  { page, snapshot }: { readonly page: SharedPage; readonly snapshot: Snapshot },
): void {
  const [base] = page.rows;
  const last = page.rows.at(-1);
  if (base === undefined || last === undefined) return;
  rows.run("DELETE FROM list WHERE origin = ? AND supplier = ?", origin, supplier);
  const entries = page.rows.slice(1).reduce((sum, row) => sum + row.entries, 0);
  const id = rows.insert("list", {
    ...{ origin, supplier, observations: page.observations, rows: rowsAfter(base) },
    ...{
      first_at: page.firstAt,
      last_at: base.at,
      seq: base.number,
      base_seq: 0,
      base_at: base.at,
    },
    entries: 0,
  });
  putSnapshot(rows, id, snapshot);
  // The data of the first row is in the snapshot.
  insertRows(rows, id, [{ ...base, contents: null, dates: null }, ...page.rows.slice(1)]);
  rows.run(
    "UPDATE list SET seq = ?, last_at = ?, entries = ?, rows = ? WHERE id = ?",
    ...[last.number, last.at, entries, rowsAfter(last), id],
  );
  putMark(rows, id, ledger, { ...markAt(page, last), isWhole: false, dropped: 0 });
}

function markAt({ machines }: SharedPage, last: ObservedRow) {
  const { number, token, machine, person } = last;
  return { number, token, machine, person, machines, held: null };
}

function insertRows(rows: Rows, list: number, observed: readonly ObservedRow[]): void {
  rows.run("DELETE FROM observation WHERE list = ? AND seq = 0", list);
  if (observed.some(({ pendingSince }) => pendingSince !== null))
    rows.run(
      "UPDATE observation SET pending_since = NULL WHERE list = ? AND pending_since IS NOT NULL",
      list,
    );
  for (const row of observed)
    rows.insert("observation", { list, seq: row.number, ...columnsFrom(row) });
}

/** Stores the list that the team holds back, or removes the one that it no longer does. */
export function followHeld(
  rows: Rows,
  place: ListPlace,
  ledger: string,
  held: SharedPage["held"],
): void {
  const local = localList(rows, place, ledger);
  const { list, mark } = local;
  if (list === null || mark === null || local.isAhead) return;
  if (held === null && mark.held === null) return;
  if (held?.row === null && mark.held === held.token) return;
  rows.run("DELETE FROM observation WHERE list = ? AND seq = 0", list.id);
  if (held !== null && held.row !== null)
    rows.insert("observation", { list: list.id, seq: 0, ...columnsFrom(held.row) });
  putMark(rows, list.id, ledger, { ...mark, held: held?.token ?? null });
}

export function oldestRow(rows: Rows, list: number): { seq: number; at: number } | null {
  const row = rows.get(
    "SELECT seq, at FROM observation WHERE list = ? AND seq > 0 ORDER BY seq LIMIT 1",
    list,
  );
  return row === undefined ? null : { seq: whole(row, "seq"), at: whole(row, "at") };
}

/** Stores observations before the oldest one. They are in the snapshot, so only their changes are new. */
export function putEarlier(rows: Rows, list: number, observed: readonly ObservedRow[]): void {
  for (const row of observed) {
    const columns = { ...columnsFrom(row), pending_since: null, contents: null, dates: null };
    rows.replace("observation", { list, seq: row.number, ...columns });
  }
}
