/** Converts observations between the local tables and the team's sequence, and checks those of the team. */
import { runSliced } from "../../accounts/slices.ts";
import { Damage } from "../../sqlite/file-error.ts";
import { maybeWhole, type Row, text, whole } from "../../sqlite/rows.ts";
import type { ObservedRow, SharedRow } from "../../writes/team/memory.ts";
import { Accounts, type Columns, partsIn, State } from "./accounts.ts";
import { applyChanges, type Contents, changeKinds, type Moves } from "./comparison.ts";
import { applyDates, datesIn, type EarlierDates } from "./earlier-dates.ts";
import { contentsIn, movesIn } from "./packed-changes.ts";
import { unpacked } from "./packing.ts";
import { departedRetentionMs } from "./retention.ts";
import type { NewObservation, Snapshot } from "./store.ts";

/** Number of figures of an observation before its tally. */
const figures = 7;

/** Returns a new observation as the team's sequence has it. */
export function sharedRow(next: NewObservation, number: number): SharedRow {
  return sharedFrom({ ...next.columns, dates: null, forget_before: null }, number);
}

/** Returns a stored observation as the team's sequence has it. */
export function sharedFrom(row: Row, number = whole(row, "seq")): SharedRow {
  const [before = 0, now = 0] = JSON.parse(text(row, "listed")) as number[];
  const since = text(row, "pending_since");
  const newest = maybeWhole(row, "newest_created_at");
  const tally = JSON.parse(text(row, "tally")) as number[];
  const counts = ["pending", "imported", "gone", "rows"].map((name) => whole(row, name));
  return {
    number,
    token: crypto.randomUUID(),
    at: whole(row, "at"),
    entries: whole(row, "entries"),
    facts: [...counts, newest, before, now, ...tally],
    pendingSince: since === "" ? null : JSON.parse(since),
    moves: bytesOrNull(row.moves),
    contents: bytesOrNull(row.contents),
    dates: bytesOrNull(row.dates),
    forgetBefore: maybeWhole(row, "forget_before"),
  };
}

/** Returns the columns of a local observation from one of the team. */
export function columnsFrom(row: SharedRow): Record<string, number | string | Uint8Array | null> {
  const [pending, imported, gone, rows, newest, before, now, ...tally] = row.facts;
  return {
    at: row.at,
    entries: row.entries,
    pending: pending ?? 0,
    imported: imported ?? 0,
    gone: gone ?? 0,
    rows: rows ?? 0,
    newest_created_at: newest ?? null,
    listed: JSON.stringify([before ?? 0, now ?? 0]),
    tally: JSON.stringify(tally),
    pending_since: row.pendingSince === null ? null : JSON.stringify(row.pendingSince),
    moves: row.moves,
    contents: row.contents,
    dates: row.dates,
    forget_before: row.forgetBefore,
  };
}

export function rowsAfter({ facts }: SharedRow): number {
  return facts[3] ?? 0;
}

/**
 * Returns the changes of an observation of the team. Throws damage if it cannot follow one with `before`
 * accounts: its bytes come from another machine, and are not trusted.
 */
export async function checkRow(row: ObservedRow, before: number): Promise<CheckedRow> {
  const { facts, moves, contents, dates, entries, forgetBefore } = row;
  demand(forgetBefore === null || forgetBefore <= row.at - departedRetentionMs);
  const isWhole = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  const numbers = facts.filter((_, at) => at !== 4);
  demand(facts.length === figures + changeKinds.length && numbers.every(isWhole));
  const earlier = dates === null ? null : datesIn(await unpacked(dates));
  demand(earlier === null || earlier.rows.every((at) => at < before));
  const after = rowsAfter(row);
  if (moves === null || contents === null) {
    demand(moves === contents && entries === 0 && after === before);
    return { changes: null, dates: earlier, forgetBefore };
  }
  const [moved, content] = await Promise.all([movesIn(moves), contentsIn(contents)]);
  const { numbers: added, services, created } = content;
  demand(moved.rows.length === entries && after === before + added.length);
  let known = before;
  let listed = 0;
  for (const [index, at] of moved.rows.entries()) {
    const move = moved.moves[index];
    demand(isWhole(at) && isWhole(move) && Number(move) <= State.removed * 9);
    demand(at < known || (at === known && known < after));
    if (at === known) known += 1;
    const to = Number(move) & 7;
    if (to === State.pending || to === State.imported) listed += 1;
  }
  demand(known === after && services.length === listed && created.length === listed);
  return { changes: [moved, content], dates: earlier, forgetBefore };
}

/** The changes of an observation, unpacked. */
interface CheckedRow {
  readonly changes: readonly [Moves, Contents] | null;
  readonly dates: EarlierDates | null;
  readonly forgetBefore: number | null;
}

/** Applies an observation of the time `at`, which follows a list of the time `before`. */
export async function applyRow(
  accounts: Accounts,
  { changes, dates, forgetBefore }: CheckedRow,
  at: number,
  before: number,
): Promise<void> {
  if (changes !== null) applyChanges(accounts, ...changes, at, before);
  if (dates !== null) applyDates(accounts, dates);
  if (forgetBefore !== null) await runSliced(accounts.forget(forgetBefore));
}

/** Throws damage if changes without their data are not those of a list. */
export async function checkMoves({ moves, entries }: ObservedRow, accounts: number): Promise<void> {
  if (moves === null) return;
  const { rows } = await movesIn(moves);
  demand(rows.length === entries && rows.every((row) => row >= 0 && row < accounts));
}

function demand(isSound: boolean): void {
  if (!isSound) throw new Damage("an observation of the team cannot be read");
}

function bytesOrNull(value: unknown): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}

/** Bytes of a part, so that one arrives within the time limit of an answer on a slow link. */
const partBytes = 1 << 19;

/** Returns the parts of a snapshot: a line with the name and length of each column, then the columns. */
export function snapshotParts(snapshot: Snapshot): readonly Uint8Array[] {
  const head = snapshot.map(([name, bytes]) => [name, bytes.length]);
  const body = Buffer.concat([
    Buffer.from(`${JSON.stringify(head)}\n`),
    ...snapshot.map(([, bytes]) => bytes),
  ]);
  return Array.from({ length: Math.ceil(body.length / partBytes) }, (_, at) =>
    body.subarray(at * partBytes, (at + 1) * partBytes),
  );
}

/** Returns the columns of a snapshot, packed, and its accounts. Throws damage if they do not match. */
export async function readSnapshot(
  parts: readonly Uint8Array[],
): Promise<{ readonly snapshot: Snapshot; readonly accounts: Accounts }> {
  const body = Buffer.concat(parts);
  const end = body.indexOf("\n");
  demand(end > 0);
  const head: unknown = JSON.parse(body.subarray(0, end).toString());
  demand(Array.isArray(head));
  const snapshot: [string, Uint8Array][] = [];
  const columns: Record<string, Columns[string]> = {};
  let from = end + 1;
  for (const [name, length] of head as [string, number][]) {
    demand(typeof name === "string" && Number.isSafeInteger(length) && length >= 0);
    const bytes = new Uint8Array(body.subarray(from, from + length));
    from += length;
    snapshot.push([name, bytes]);
    columns[name] = await unpacked(bytes);
  }
  demand(from === body.length);
  return { snapshot, accounts: new Accounts(await runSliced(partsIn(columns))) };
}
