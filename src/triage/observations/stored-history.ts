import { maybeWhole, type Row, type Rows, text, whole } from "../../sqlite/rows.ts";
import { dayMs } from "../../text/durations.ts";
import { numberAt } from "../account-numbers.ts";
import { type Accounts, State } from "./accounts.ts";
import { changeKinds, kindOf } from "./comparison.ts";
import type {
  Change,
  ChangeKind,
  ObservedCounts,
  ObservedSummary,
  StoredObservations,
} from "./observations.ts";
import { movesIn } from "./packed-changes.ts";
import { storedList } from "./store.ts";

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
