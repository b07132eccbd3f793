/** The stored observations: what each complete list has shown. Only this file knows the tables. */
import { runSliced } from "../../accounts/slices.ts";
import { nextRetention } from "../../sqlite/retention.ts";
import { maybeWhole, type Row, type Rows, text, whole } from "../../sqlite/rows.ts";
import { dayMs } from "../../text/durations.ts";
import { numberAt } from "../account-numbers.ts";
import { Accounts, type Columns, partsIn, State } from "./accounts.ts";
import { applyChanges, changeKinds, kindOf, type ListDifference } from "./comparison.ts";
import { applyDates, datesIn } from "./earlier-dates.ts";
import type {
  Change,
  ChangeKind,
  ObservedCounts,
  ObservedSummary,
  PurgeSelection,
  StoredObservations,
} from "./observations.ts";
import { contentsIn, movesIn, packedContents, packedMoves } from "./packed-changes.ts";
import { packed, unpacked } from "./packing.ts";

export interface StoredList {
  readonly id: number;
  readonly seq: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly rows: number;
  readonly forgotten: number;
}

/** Returns a name of the accounts of a list: another one after each observation and each retention. */
export function nameOf({ id, seq, lastAt, forgotten }: StoredList): string {
  return [id, seq, lastAt, forgotten].join(" ");
}

export function storedList(rows: Rows, origin: string, supplier: string): StoredList | null {
  const row = rows.get("SELECT * FROM list WHERE origin = ? AND supplier = ?", origin, supplier);
  return row === undefined
    ? null
    : {
        id: whole(row, "id"),
        seq: whole(row, "seq"),
        firstAt: whole(row, "first_at"),
        lastAt: whole(row, "last_at"),
        rows: whole(row, "rows"),
        forgotten: whole(row, "forgotten"),
      };
}

export interface Stored {
  readonly snapshot: readonly Row[];
  readonly changes: readonly Row[];
}

export function readStoredList(rows: Rows, { id }: StoredList): Stored {
  const snapshot = rows.all("SELECT name, bytes FROM snapshot WHERE list = ?", id);
  const changes = rows.all(
    `SELECT o.at, o.moves, o.contents, o.dates, o.forget_before, l.base_at FROM observation o JOIN list l ON l.id = o.list
      WHERE o.list = ? AND o.seq > l.base_seq ORDER BY o.seq`,
    id,
  );
  return { snapshot, changes };
}

/** Unpacks the accounts of a list, in the thread pool if they are many. */
export async function accountsOf({ snapshot, changes }: Stored): Promise<Accounts> {
  const columns: Record<string, Columns[string]> = {};
  for (const row of snapshot) columns[text(row, "name")] = await unpacked(row.bytes);
  const accounts = new Accounts(await runSliced(partsIn(columns)));
  let before = whole(changes[0] ?? {}, "base_at");
  for (const row of changes) {
    const at = whole(row, "at");
    if (row.moves !== null) {
      const [moves, contents] = await Promise.all([movesIn(row.moves), contentsIn(row.contents)]);
      applyChanges(accounts, moves, contents, at, before);
    }
    if (row.dates !== null) applyDates(accounts, datesIn(await unpacked(row.dates)));
    if (row.forget_before !== null) await runSliced(accounts.forget(whole(row, "forget_before")));
    before = at;
  }
  return accounts;
}

/** An observation as it is stored: packed before the transaction begins. */
export interface NewObservation {
  readonly at: number;
  readonly columns: Readonly<Record<string, number | string | Uint8Array | null>>;
  readonly entries: number;
  readonly rows: number;
}

export async function packedObservation(
  difference: ListDifference,
  rows: number,
  at: number,
): Promise<NewObservation> {
  const { moves, rows: changed, renumbered, numbers, services, created } = difference;
  const hasChanges = changed.length > 0;
  return {
    at,
    entries: changed.length,
    rows,
    columns: {
      at,
      rows,
      entries: changed.length,
      ...difference.counts,
      newest_created_at: difference.newestCreatedAt,
      tally: JSON.stringify(difference.tally),
      listed: JSON.stringify([difference.before, difference.now]),
      pending_since: JSON.stringify([...difference.pendingSince]),
      moves: hasChanges ? await packedMoves({ rows: changed, moves, renumbered }) : null,
      contents: hasChanges ? await packedContents({ numbers, services, created }) : null,
    },
  };
}

export type Snapshot = readonly (readonly [name: string, bytes: Uint8Array])[];

export async function packedSnapshot(accounts: Accounts): Promise<Snapshot> {
  await runSliced(accounts.writeChanged());
  const columns = Object.entries(accounts.columns());
  return Promise.all(columns.map(async ([name, bytes]) => [name, await packed(bytes)] as const));
}

/** A new snapshot is due if changes exceed a 32nd of the accounts, after 300 loads, or after a day. */
export function isSnapshotDue(rows: Rows, list: StoredList | null, next: NewObservation): boolean {
  if (list === null) return true;
  const row = rows.get("SELECT entries, base_seq, base_at FROM list WHERE id = ?", list.id) ?? {};
  return (
    whole(row, "entries") + next.entries > Math.max(4_096, next.rows / 32) ||
    list.seq - whole(row, "base_seq") >= 300 ||
    Math.abs(next.at - whole(row, "base_at")) > dayMs
  );
}

export function addObservation(
  rows: Rows,
  { origin, supplier }: { readonly origin: string; readonly supplier: string },
  next: NewObservation,
  snapshot: Snapshot | null,
): void {
  const { at, entries, rows: accounts } = next;
  const id =
    storedList(rows, origin, supplier)?.id ??
    rows.insert("list", {
      ...{ origin, supplier, observations: 0, rows: 0, seq: 0, base_seq: 0, entries: 0 },
      ...{ first_at: at, last_at: at, base_at: at },
    });
  rows.run("DELETE FROM observation WHERE list = ? AND seq = 0", id);
  rows.run(
    "UPDATE observation SET pending_since = NULL WHERE list = ? AND pending_since IS NOT NULL",
    id,
  );
  const seq = rows.number("SELECT seq + 1 FROM list WHERE id = ?", id);
  rows.insert("observation", { list: id, seq, ...next.columns });
  countIn(rows, id, at, entries, accounts);
  if (snapshot !== null) putSnapshot(rows, id, snapshot);
}

function countIn(rows: Rows, id: number, at: number, entries: number, accounts: number): void {
  rows.run(
    `UPDATE list SET observations = observations + 1, seq = seq + 1, first_at = min(first_at, ?1),
      last_at = ?1, entries = entries + ?2, rows = ?3 WHERE id = ?4`,
    ...[at, entries, accounts, id],
  );
}

export function putSnapshot(rows: Rows, id: number, snapshot: Snapshot): void {
  for (const [name, bytes] of snapshot) rows.replace("snapshot", { list: id, name, bytes });
  rows.run(
    // Observations that a team does not have yet are published with their data.
    `UPDATE observation SET contents = NULL WHERE list = ?1 AND contents IS NOT NULL AND seq > 0
      AND seq <= coalesce((SELECT number FROM shared WHERE list = ?1), seq)`,
    id,
  );
  rows.run("UPDATE list SET base_seq = seq, base_at = last_at, entries = 0 WHERE id = ?", id);
}

/** Replaces the snapshot by one without the accounts that retention has deleted. */
export function putForgotten(
  rows: Rows,
  id: number,
  { snapshot, forgotten }: { readonly snapshot: Snapshot; readonly forgotten: number },
): void {
  putSnapshot(rows, id, snapshot);
  rows.run("UPDATE list SET forgotten = forgotten + ? WHERE id = ?", forgotten, id);
}

export function holdBack(rows: Rows, list: StoredList, next: NewObservation): void {
  rows.run("DELETE FROM observation WHERE list = ? AND seq = 0", list.id);
  rows.insert("observation", { list: list.id, seq: 0, ...next.columns });
}

export function confirmHeld(rows: Rows, origin: string, supplier: string): boolean {
  const list = storedList(rows, origin, supplier);
  const held = rows.get("SELECT * FROM observation WHERE list = ? AND seq = 0", list?.id ?? 0);
  if (list === null || held === undefined) return false;
  rows.run("UPDATE observation SET seq = ? WHERE list = ? AND seq = 0", list.seq + 1, list.id);
  countIn(rows, list.id, whole(held, "at"), whole(held, "entries"), whole(held, "rows"));
  return true;
}

export interface StoredMoves {
  readonly at: number;
  readonly moves: unknown;
}

export function movesAfter(rows: Rows, list: number, seq: number, since: number): StoredMoves[] {
  const found = rows.all(
    "SELECT at, moves FROM observation WHERE list = ? AND seq > max(0, ?) AND at >= ? AND moves IS NOT NULL ORDER BY seq",
    ...[list, seq, since],
  );
  return found.map((row) => ({ at: whole(row, "at"), moves: row.moves }));
}

const maxImportMoves = 1_000;

/**
 * Returns the changes of the observations with imports, newest first. The first observation has no
 * import whose start is known, and as many changes as accounts.
 */
export function importMoves(rows: Rows, list: number): StoredMoves[] {
  const imported = changeKinds.indexOf("imported");
  const found = rows.all(
    `SELECT at, moves FROM observation WHERE list = ? AND seq > 1 AND moves IS NOT NULL
      AND tally ->> ? > 0 ORDER BY seq DESC LIMIT ?`,
    ...[list, `$[${imported}]`, maxImportMoves],
  );
  return found.map((row) => ({ at: whole(row, "at"), moves: row.moves }));
}

const stateWords: readonly (string | null)[] = [null, "pending", "imported", "gone", "removed"];

export async function* changesIn(
  stored: readonly StoredMoves[],
  accounts: Accounts,
): AsyncGenerator<Change, void, void> {
  for (const { at: seenAt, moves: bytes } of stored) {
    const { rows, moves, renumbered } = await movesIn(bytes);
    for (const [index, row] of rows.entries()) {
      const [from, to] = [(moves[index] as number) >> 3, (moves[index] as number) & 7];
      const another = renumbered.get(index);
      const change = another ? "renumbered" : kindOf(from, to);
      if (change === null) continue;
      const words = another ?? [stateWords[from] ?? null, stateWords[to] ?? null];
      const external = numberAt(accounts.numbers, row);
      // A team forgets an account when its first machine does, which can be before the changes expire here.
      if (external === "") continue;
      yield { external, change, from: words[0], to: words[1], seenAt };
    }
  }
}

/** Rows that were not listed in the last observation before `today`, and are listed now. */
export async function rowsNewSince(
  stored: readonly StoredMoves[],
  accounts: Accounts,
): Promise<Set<number>> {
  const isListed = (state: number) => state === State.pending || state === State.imported;
  const [isNew, checked] = [new Set<number>(), new Set<number>()];
  for (const { moves: bytes } of stored) {
    const { rows, moves } = await movesIn(bytes);
    for (const [index, row] of rows.entries()) {
      if (checked.has(row)) continue;
      checked.add(row);
      if (!isListed((moves[index] as number) >> 3) && isListed(accounts.state(row))) isNew.add(row);
    }
  }
  return isNew;
}

export function seqBefore(rows: Rows, list: number, time: number): number | null {
  const row = rows.get(
    "SELECT max(seq) AS seq FROM observation WHERE list = ? AND at < ? AND seq > 0",
    list,
    time,
  );
  return row === undefined ? null : maybeWhole(row, "seq");
}

export function countsOf(
  rows: Rows,
  origin: string,
  supplier: string,
  since: number | null,
): ObservedCounts[] {
  const list = storedList(rows, origin, supplier);
  const all = rows.all(
    "SELECT at, pending, imported, gone FROM observation WHERE list = ? AND seq > 0 AND at >= ? ORDER BY seq",
    ...[list?.id ?? 0, since ?? Number.MIN_SAFE_INTEGER],
  );
  return all.map(countsIn);
}

function countsIn(row: Row): ObservedCounts {
  const [at, pending] = [whole(row, "at"), whole(row, "pending")];
  return { at, pending, imported: whole(row, "imported"), gone: whole(row, "gone") };
}

export function summaryOf(
  rows: Rows,
  origin: string,
  supplier: string,
  now: number,
): ObservedSummary | null {
  const list = rows.get("SELECT * FROM list WHERE origin = ? AND supplier = ?", origin, supplier);
  const id = whole(list ?? {}, "id");
  const last = rows.get(
    "SELECT * FROM observation WHERE list = ? AND seq = ?",
    id,
    whole(list ?? {}, "seq"),
  );
  if (list === undefined || last === undefined) return null;
  const held = rows.get("SELECT at, listed FROM observation WHERE list = ? AND seq = 0", id);
  const times = arrayIn<[number, number]>(last, "pending_since").map(
    ([since, count]) => [Math.min(since, whole(list, "last_at")), count] as const,
  );
  const over = times.filter(([since]) => since <= now - dayMs);
  return {
    ...countsIn(last),
    historySince: whole(list, "first_at"),
    observations: whole(list, "observations"),
    oldestPendingSince: times.length === 0 ? null : Math.min(...times.map(([since]) => since)),
    pendingOverADay: over.reduce((sum, [, count]) => sum + count, 0),
    newestCreatedAt: maybeWhole(last, "newest_created_at"),
    lastDay: tallySince(rows, id, now - dayMs),
    heldBack: held === undefined ? null : heldBackIn(held),
  };
}

function heldBackIn(held: Row): ObservedSummary["heldBack"] {
  const [before = 0, now = 0] = arrayIn<number>(held, "listed");
  return { at: whole(held, "at"), before, now };
}

function arrayIn<T>(row: Row, column: string): readonly T[] {
  const value: unknown = JSON.parse(text(row, column) || "[]");
  return Array.isArray(value) ? (value as T[]) : [];
}

function tallySince(rows: Rows, list: number, since: number): Record<ChangeKind, number> {
  const counts = { staged: 0, imported: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 };
  for (const row of rows.all(
    "SELECT tally FROM observation WHERE list = ? AND seq > 0 AND at >= ?",
    list,
    since,
  )) {
    const tally = arrayIn<number>(row, "tally");
    for (const [at, kind] of changeKinds.entries()) counts[kind] += Number(tally[at] ?? 0);
  }
  return counts;
}

export function allStored(rows: Rows): StoredObservations[] {
  const all = rows.all(
    `SELECT *, (SELECT coalesce(sum(length(bytes)), 0) FROM snapshot WHERE list = id)
      + (SELECT coalesce(sum(coalesce(length(moves), 0) + coalesce(length(contents), 0) + 60), 0)
        FROM observation WHERE list = id) AS bytes
     FROM list WHERE origin NOT LIKE 'aside %' ORDER BY origin, supplier`,
  );
  return all.map((row) => ({
    supplier: text(row, "supplier"),
    origin: text(row, "origin"),
    observations: whole(row, "observations"),
    firstAt: whole(row, "first_at"),
    lastAt: whole(row, "last_at"),
    accounts: whole(row, "rows"),
    bytes: whole(row, "bytes"),
  }));
}

/**
 * The lists of a supplier that wait to be compared with those of a team: `own` ends with lists that the team
 * does not have, and `joined` is a history from before this machine joined.
 */
export const asideKinds = ["joined", "own"] as const;
export type AsideKind = (typeof asideKinds)[number];

export function asideOrigin(kind: AsideKind, origin: string): string {
  return `aside ${kind} ${origin}`;
}

const tables = ["snapshot", "observation"] as const;

/** Copies a list into other tables: lists that cannot be stored are compared there. */
export function copyList(from: Rows, to: Rows, origin: string, supplier: string): boolean {
  const list = from.get("SELECT * FROM list WHERE origin = ? AND supplier = ?", origin, supplier);
  if (list === undefined) return false;
  copyRows(from, to, whole(list, "id"), to.insert("list", list));
  return true;
}

/** Copies the snapshot and the observations of a list. */
export function copyRows(from: Rows, to: Rows, id: number, copy: number): void {
  for (const table of tables)
    for (const row of from.all(`SELECT * FROM ${table} WHERE list = ?`, id))
      to.insert(table, { ...row, list: copy });
}

const changeRetentionMs = 90 * dayMs;
/** Milliseconds after which an account that left is forgotten. */
export const departedRetentionMs = 730 * dayMs;

/**
 * Deletes changes and timelines of more than 90 days. Returns the lists of which a new snapshot is
 * needed first, and the time before which accounts that left are forgotten.
 */
export function expire(rows: Rows, trusted: number | null): readonly ExpiringList[] {
  const due = () => {
    const row = rows.get(
      `SELECT min(at) + ? AS due FROM
        (SELECT min(at) AS at FROM observation UNION ALL SELECT min(at) FROM sighting)`,
      changeRetentionMs,
    );
    return row === undefined ? null : maybeWhole(row, "due");
  };
  const until = nextRetention(rows, trusted, due);
  if (until === null) return [];
  rows.run("DELETE FROM sighting WHERE at < ?", until - changeRetentionMs);
  return rows.all("SELECT * FROM list").map((row) => ({
    id: whole(row, "id"),
    origin: text(row, "origin"),
    supplier: text(row, "supplier"),
    changesBefore: until - changeRetentionMs,
    departedBefore: until - departedRetentionMs,
    isShared: rows.get("SELECT 1 FROM shared WHERE list = ?", whole(row, "id")) !== undefined,
    needsSnapshot:
      whole(row, "first_at") < until - departedRetentionMs ||
      rows.get(
        "SELECT 1 FROM observation WHERE list = ? AND at < ? AND seq > ?",
        whole(row, "id"),
        until - changeRetentionMs,
        whole(row, "base_seq"),
      ) !== undefined,
  }));
}

export interface ExpiringList {
  readonly id: number;
  readonly origin: string;
  readonly supplier: string;
  readonly changesBefore: number;
  readonly departedBefore: number;
  /** True if a team has it: then its accounts are forgotten by all machines at once. */
  readonly isShared: boolean;
  readonly needsSnapshot: boolean;
}

/** Keeps one observation a day of those before the retention, without its changes. */
export function thin(rows: Rows, { id, changesBefore, departedBefore }: ExpiringList): void {
  rows.run("UPDATE observation SET moves = NULL WHERE list = ? AND at < ?", id, changesBefore);
  rows.run(
    `DELETE FROM observation WHERE list = ?1 AND at < ?2 AND seq NOT IN
      (SELECT max(seq) FROM observation WHERE list = ?1 AND at < ?2 GROUP BY at / ${dayMs})`,
    ...[id, changesBefore],
  );
  rows.run(
    "DELETE FROM observation WHERE list = ?1 AND at < ?2 AND seq < (SELECT seq FROM list WHERE id = ?1)",
    ...[id, departedBefore],
  );
}

/** Deletes lists, also those that wait for a team. Returns the number of the others. */
export function purge(rows: Rows, origin: string, selection: PurgeSelection): number {
  if (selection === "all") {
    rows.run("DELETE FROM sighting");
    rows.run("DELETE FROM list WHERE origin LIKE 'aside %'");
    return rows.run("DELETE FROM list");
  }
  if ("supplier" in selection) {
    const { supplier } = selection;
    rows.run(
      "DELETE FROM sighting WHERE origin = ? AND json_extract(subject, '$[1]') = ?",
      origin,
      supplier,
    );
    const remove = (from: string) =>
      rows.run("DELETE FROM list WHERE origin = ? AND supplier = ?", from, supplier);
    for (const kind of asideKinds) remove(asideOrigin(kind, origin));
    return remove(origin);
  }
  rows.run("DELETE FROM sighting WHERE at < ?", selection.before);
  rows.run("DELETE FROM list WHERE origin LIKE 'aside %' AND last_at < ?", selection.before);
  return rows.run("DELETE FROM list WHERE last_at < ?", selection.before);
}
