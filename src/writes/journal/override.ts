/**
 * Stores the operator's overrides of the duplicate guard. An override names what was found, item by
 * item, and passes nothing else. It is stored with the entry, so that it survives a kill.
 */
import { type Row, type Rows, text, whole } from "../../sqlite/rows.ts";
import { addRemark } from "./changes.ts";

/**
 * The kind of an earlier entry with the same item: refused with a 400 that blocks the form, might
 * have taken effect, or confirmed.
 */
export type FindingKind = "refused" | "in-doubt" | "confirmed";

export interface Finding {
  /** The hash of the item's content, as in `ItemKey`. */
  readonly item: string;
  readonly kind: FindingKind;
  /** The earlier entry, or the entry itself for its own earlier attempts. */
  readonly earlier: EarlierId;
}

/** The ID of an entry in the journal, or of a colleague's entry in the team's ledger. */
export type EarlierId = number | `t${number}`;

/** The operator's override of the duplicate guard. It passes exactly these findings. */
export interface Override {
  readonly reason: string;
  readonly passes: readonly Finding[];
}

export function notPassed(
  findings: readonly Finding[],
  passes: readonly Finding[],
): readonly Finding[] {
  if (passes.length === 0) return findings;
  return findings.filter(
    ({ item, kind, earlier }) =>
      !passes.some((one) => one.item === item && one.kind === kind && one.earlier === earlier),
  );
}

/**
 * Stores an override with an entry, as far as it names the entry's items, and notes the reason.
 * Stores nothing if it names none of them.
 */
export function addOverride(
  rows: Rows,
  intent: number,
  { reason, passes }: Override,
  at: number,
): void {
  const items = new Set(
    rows.all("SELECT key FROM item_key WHERE intent = ?", intent).map((row) => text(row, "key")),
  );
  const own = passes.filter(({ item }) => items.has(item));
  if (own.length === 0) return;
  for (const { item, kind, earlier } of own)
    rows.replace("override", { intent, item, kind, earlier, reason, at });
  addRemark(rows, intent, { at, kind: "again", text: reason });
}

export function readPasses(rows: Rows, intent: number): readonly Finding[] {
  return rows
    .all("SELECT item, kind, earlier FROM override WHERE intent = ?", intent)
    .map(findingOf);
}

/** Returns the stored overrides of an entry as one, with the latest reason, or null if there are none. */
export function readOverride(rows: Rows, intent: number): Override | null {
  const latest = "SELECT reason FROM override WHERE intent = ? ORDER BY at DESC LIMIT 1";
  const row = rows.get(latest, intent);
  return row === undefined
    ? null
    : { reason: text(row, "reason"), passes: readPasses(rows, intent) };
}

function findingOf(row: Row): Finding {
  return {
    item: text(row, "item"),
    kind: text(row, "kind") as FindingKind,
    earlier: earlierIdOf(row),
  };
}

function earlierIdOf({ earlier }: Row): EarlierId {
  if (typeof earlier === "number") return earlier;
  if (typeof earlier === "string" && /^t\d+$/.test(earlier)) return earlier as EarlierId;
  throw new Error("A stored override names no entry.");
}

/** Stores the entries of colleagues that bar an entry, in place of those that barred it before. */
export function storeTeamBars(rows: Rows, intent: number, findings: readonly Finding[]): void {
  rows.run("DELETE FROM team_bar WHERE intent = ?", intent);
  for (const { item, kind, earlier } of findings)
    rows.replace("team_bar", { intent, item, kind, earlier });
}

export function readTeamBars(rows: Rows, intent: number): readonly Finding[] {
  return rows
    .all("SELECT item, kind, earlier FROM team_bar WHERE intent = ?", intent)
    .map(findingOf);
}

/** Stores the override of a run until its rows are recorded, because that can take two processes. */
export function addRunOverride(
  rows: Rows,
  run: string,
  { reason, passes }: Override,
  at: number,
): void {
  for (const { item, kind, earlier } of passes)
    rows.replace("run_override", { run, item, kind, earlier, reason, at });
}

export function removeRunOverride(rows: Rows, run: string): void {
  rows.run("DELETE FROM run_override WHERE run = ?", run);
}

/** Returns true if an override of a run is stored for rows that are not recorded yet. */
export function hasRunOverride(rows: Rows, run: string): boolean {
  return rows.get("SELECT 1 FROM run_override WHERE run = ? LIMIT 1", run) !== undefined;
}

/** Copies the part of a run's override that names the items of a recorded entry to that entry. */
export function adoptRunOverride(rows: Rows, run: string, intent: number): void {
  const found = rows.all(
    `SELECT o.item, o.kind, o.earlier, o.reason, o.at FROM item_key k
     JOIN run_override o ON o.run = ? AND o.item = k.key WHERE k.intent = ?`,
    run,
    intent,
  );
  const [first] = found;
  if (first === undefined) return;
  const override = { reason: text(first, "reason"), passes: found.map(findingOf) };
  addOverride(rows, intent, override, whole(first, "at"));
}

/** Returns true if the reason of a run was typed for a row that is not settled yet. */
export function isRunOverridden(rows: Rows, run: string): boolean {
  const stored = `SELECT 1 FROM intent i JOIN override o ON o.intent = i.id WHERE i.run = ?
    AND i.run IS NOT NULL AND i.state IN ('intent', 'unsent', 'unknown', 'retryable') LIMIT 1`;
  return hasRunOverride(rows, run) || rows.get(stored, run) !== undefined;
}
