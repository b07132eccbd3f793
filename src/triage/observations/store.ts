/** Stores what each complete list has shown, and reads the accounts of the last one. */
import { runSliced } from "../../accounts/slices.ts";
import { type Row, type Rows, text, whole } from "../../sqlite/rows.ts";
import { dayMs } from "../../text/durations.ts";
import { Accounts, type Columns, partsIn } from "./accounts.ts";
import { applyChanges, type ListDifference } from "./comparison.ts";
import { applyDates, datesIn } from "./earlier-dates.ts";
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

export function copyRows(from: Rows, to: Rows, id: number, copy: number): void {
  for (const table of tables)
    for (const row of from.all(`SELECT * FROM ${table} WHERE list = ?`, id))
      to.insert(table, { ...row, list: copy });
}
