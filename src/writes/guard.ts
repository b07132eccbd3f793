/**
 * The duplicate guard: finds the items of a write that earlier entries might have sent to the same
 * service with effect. The console and the commands call it before a write is recorded, and again
 * in the commit that starts its first attempt.
 */

import { serviceKey } from "../api/url.ts";
import { instant, maybeText, type Row, type Rows, whole } from "../sqlite/rows.ts";
import { closingRemark } from "./activity.ts";
import { effectiveState } from "./item-keys.ts";
import type { Closing, State, TookEffect } from "./journal/entry.ts";
import { type Finding, type FindingKind, notPassed } from "./journal/override.ts";
import type { Operation } from "./kinds/kind.ts";
import { isRecognized, kindOf } from "./kinds/kinds.ts";
import type { PreparedWrite } from "./prepare.ts";

/** An earlier entry with the same item, and the state of that item. */
export interface EarlierEntry {
  readonly journalId: number;
  readonly state: State;
  /** Time at which the entry was recorded, in epoch milliseconds. */
  readonly at: number;
  /** True if retention has removed the entry, so that it cannot be shown. */
  readonly isRemoved: boolean;
  /** The operator's decision on a closed entry. Absent for any other entry. */
  readonly closing?: Closing;
}

interface GuardedWrite {
  readonly baseUrl: string;
  readonly write: Pick<PreparedWrite, "operation" | "query" | "keys" | "facts">;
}

/** An item of a write that also is in an earlier entry. */
export interface FoundItem {
  readonly earlier: EarlierEntry;
  readonly operation: Operation;
  /** The position of the item in the request, or null for every item of it. */
  readonly position: number | null;
  readonly items: number;
  /** Number of other items of the request that earlier entries have. */
  readonly others: number;
}

/** The findings that bar a write. An override names them to pass them. */
interface Barred {
  readonly findings: readonly Finding[];
}

export type GuardFinding =
  | { readonly kind: "clear" }
  /** An earlier entry took effect or might have. The service itself prevents a second effect. */
  | ({ readonly kind: "reported" } & FoundItem)
  /**
   * An earlier entry took effect or might have. Nothing prevents a second effect, so the write is
   * sent only with a reason.
   */
  | ({ readonly kind: "sent-before" } & FoundItem & Barred)
  /** The service refused this form with a 400 that blocks the form. It needs a reason. */
  | ({ readonly kind: "refused-before" } & FoundItem & Barred);

/** A finding that bars a write unless the operator enters a reason. */
export type Bar = Extract<GuardFinding, { readonly kind: "sent-before" | "refused-before" }>;

export interface GuardScope {
  /** The ID of the write's own entry, which is left out. Default: none. */
  readonly except?: number | null;
  /** The findings that an override passes. Default: none. */
  readonly passes?: readonly Finding[];
}

/** Looks up every item of a write in the journal and returns the most severe finding. */
export function askGuard(rows: Rows, guarded: GuardedWrite, scope: GuardScope = {}): GuardFinding {
  const found = askAboutItems(rows, guarded, scope);
  const worst = mostSevere(found);
  if (worst.kind === "clear") return worst;
  return { ...worst, others: found.filter(({ kind }) => kind !== "clear").length - 1 };
}

/** Returns one finding for each item, in order. */
export function askAboutItems(
  rows: Rows,
  { baseUrl, write }: GuardedWrite,
  { except = null, passes = [] }: GuardScope = {},
): readonly GuardFinding[] {
  const { operation, query, keys, facts } = write;
  const service = serviceKey(baseUrl);
  return keys.map(({ content: item, earlierContent }, position): GuardFinding => {
    const found = rows.all(sameContent, item, earlierContent ?? item, service, except);
    const [first] = found;
    if (first === undefined) return { kind: "clear" };
    const about = (row: Row): FoundItem => ({
      earlier: earlierOf(row),
      operation,
      position,
      items: keys.length,
      others: 0,
    });
    const isKnown = isRecognized(operation, query, [facts.items[position]]);
    const barring = found.filter((row) => isBlocked(row) || !isKnown);
    const findings = notPassed(
      barring.map((row) => ({ item, kind: kindOfEarlier(row), earlier: whole(row, "intent") })),
      passes,
    );
    const worst = barring.find((row) => whole(row, "intent") === findings[0]?.earlier);
    if (worst !== undefined) {
      const kind = isBlocked(worst) ? "refused-before" : "sent-before";
      return { kind, ...about(worst), findings };
    }
    return isKnown ? { kind: "reported", ...about(first) } : { kind: "clear" };
  });
}

/** Returns true if the service refused the form of an earlier entry, and has not confirmed it. */
function isBlocked(row: Row): boolean {
  return whole(row, "blocked") === 1 && maybeText(row, "state") !== "confirmed";
}

/** Returns the kind of an earlier entry. A later attempt can have the effect that a 400 ruled out. */
function kindOfEarlier(row: Row): FindingKind {
  const state = maybeText(row, "state");
  if (state === "confirmed") return "confirmed";
  const hadNoEffect = state === null || state === "rejected";
  return isBlocked(row) && hadNoEffect ? "refused" : "in-doubt";
}

export function barOf(finding: GuardFinding): Bar | null {
  return finding.kind === "sent-before" || finding.kind === "refused-before" ? finding : null;
}

const keysWhere = (condition: string) => `SELECT * FROM (
    SELECT k.intent, k.blocked, coalesce(k.state, ${effectiveState}) AS state,
      coalesce(k.at, i.created_at) AS at, k.state IS NOT NULL AS removed, i.took_effect,
      CASE WHEN i.took_effect IS NOT NULL THEN (${closingRemark("i.id")}) END AS closing_reason
    FROM item_key k LEFT JOIN intent i ON i.id = k.intent
    LEFT JOIN item t ON t.intent = k.intent AND t.position = k.position
    WHERE ${condition} AND k.service = ? AND k.intent IS NOT ?)`;

/**
 * Selects the entries of an item, most severe first: an effect before a refusal, doubt before
 * confirmation, and the latest first.
 */
const sameContent = `${keysWhere("k.key IN (?, ?)")}
  WHERE state IS NOT NULL OR blocked
  ORDER BY blocked AND state IS NOT 'confirmed', state = 'confirmed', intent DESC`;

/** Selects the latest entry that used the ID of an item for other content. */
const otherContent = `${keysWhere("k.name = ? AND k.key <> ?")}
  WHERE state IS NOT NULL ORDER BY intent DESC LIMIT 1`;

function earlierOf(row: Row): EarlierEntry {
  const tookEffect = maybeText(row, "took_effect") as TookEffect | null;
  const reason = maybeText(row, "closing_reason");
  return {
    journalId: whole(row, "intent"),
    state: (maybeText(row, "state") ?? "rejected") as State,
    at: instant(row, "at"),
    isRemoved: whole(row, "removed") === 1,
    ...(tookEffect === null || reason === null ? {} : { closing: { tookEffect, reason } }),
  };
}

/** An item whose ID an earlier entry on the same account used for other content. */
export interface SameId {
  readonly operation: Operation;
  readonly position: number;
  readonly earlier: EarlierEntry;
}

/** Returns the items whose ID an earlier entry used for other content. They bar nothing. */
export function sameIdsOf(
  rows: Rows,
  { baseUrl, write: { operation, keys } }: GuardedWrite,
): readonly SameId[] {
  // Only for these kinds the name is an ID that the customer chose.
  if (kindOf(operation).idField === null) return [];
  const service = serviceKey(baseUrl);
  return keys.flatMap(({ content, name }, position) => {
    const row = name === null ? undefined : rows.get(otherContent, name, content, service, null);
    return row === undefined ? [] : [{ operation, position, earlier: earlierOf(row) }];
  });
}

/**
 * Looks up every item of several writes and returns the most severe finding, with what bars any of
 * them. Of equally severe findings, that of the first write is returned.
 */
export function askAboutAll(
  rows: Rows,
  baseUrl: string,
  writes: readonly GuardedWrite["write"][],
): GuardFinding {
  return mostSevere(writes.map((write) => askGuard(rows, { baseUrl, write })));
}

/**
 * Returns the most severe finding, with all findings that bar. A bar is more severe than a report,
 * and doubt is more severe than certainty.
 */
function mostSevere(found: readonly GuardFinding[]): GuardFinding {
  let worst: GuardFinding = { kind: "clear" };
  for (const finding of found) if (severity(finding) > severity(worst)) worst = finding;
  if (worst.kind === "clear" || worst.kind === "reported") return worst;
  return { ...worst, findings: found.flatMap((one) => barOf(one)?.findings ?? []) };
}

function severity(finding: GuardFinding): number {
  switch (finding.kind) {
    case "clear":
      return 0;
    case "reported":
      return finding.earlier.state === "confirmed" ? 1 : 2;
    case "refused-before":
      return 3;
    case "sent-before":
      return finding.earlier.state === "confirmed" ? 4 : 5;
  }
}
