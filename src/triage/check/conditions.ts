import type { VerifiedGone } from "../figures/gone.ts";
import type { NewAccount } from "../figures/newest.ts";

/** How many accounts a condition names as examples. */
export const sampleSize = 5;

/** What is asked about a supplier. Durations are milliseconds. */
export interface Asked {
  readonly pendingOlderThan?: number | undefined;
  readonly noImportFor?: number | undefined;
  readonly gone?: boolean | undefined;
  readonly unknownWrites?: boolean | undefined;
  /** Whether all accounts of a list are imported: a stored one, or that of a file. */
  readonly list?: "cohort" | "source" | undefined;
}

/** Some accounts: how many, and the first of them. */
export interface Sampled {
  readonly count: number;
  readonly sample: readonly string[];
}

/** What is known of a supplier, or of the part of its accounts that is asked about. */
export interface CheckFacts {
  /** When the list was requested, in epoch milliseconds. */
  readonly listedAt: number;
  readonly pending: number;
  /** Since when lists of it are stored; null where none is. */
  readonly historySince: number | null;
  /** Too many accounts are missing in the list: it waits to be confirmed. */
  readonly isHeldBack: boolean;
  /**
   * When the last list that is stored began, if accounts were first seen pending since, and lists are
   * not stored now: another check would see them for the first time again. Else null.
   */
  readonly unstoredSince: number | null;
  /** Pending for longer than was asked about, the oldest first. */
  readonly older: Sampled;
  /** The accounts imported last, newest first. */
  readonly newest: readonly NewAccount[];
  /** Accounts with a creation time that cannot be right: none of them counts as the last import. */
  readonly ahead: number;
  /** Null where nothing is stored. */
  readonly gone: VerifiedGone | null;
  /** Entries of the journal whose outcome is unknown, by what they are about; null if it cannot be read. */
  readonly unknownWrites: Sampled | null;
  /** Accounts of the list that are not imported. */
  readonly notImported: Sampled;
}

/**
 * Why nothing can be said about a condition:
 * - `short-history`: lists are stored for less long than was asked about
 * - `no-history`: no list is stored
 * - `not-stored`: lists are not stored now, and accounts may be pending since the last one that was
 * - `held-back`: the list lost too many accounts to be believed
 * - `unverified`: more accounts are gone than were verified, and of those none is
 * - `unread`: the journal cannot be read
 */
type NotKnown =
  | "short-history"
  | "no-history"
  | "not-stored"
  | "held-back"
  | "unverified"
  | "unread";

/** With these reasons the figure is a lower bound; with the others there is none. */
const boundedBy: readonly NotKnown[] = ["short-history", "not-stored", "unverified"];

type ConditionName =
  | "pending-older-than"
  | "no-import-for"
  | "gone"
  | "unknown-writes"
  | "cohort"
  | "source";

/** What came of one condition. */
export interface Condition {
  readonly condition: ConditionName;
  /** Null where it is not known. */
  readonly met: boolean | null;
  /** Accounts or entries; seconds for `no-import-for`; null if nothing is known of it. */
  readonly figure: number | null;
  /** Seconds for the conditions with a duration, else 0. */
  readonly limit: number;
  readonly sample: readonly string[];
  /** Why `met` is null; null where it is not. */
  readonly notKnown: NotKnown | null;
  /** The figure is a lower bound. */
  readonly atLeast: boolean;
}

/** What came of each condition that was asked about, in the order of the help. */
export function conditionsOf(asked: Asked, facts: CheckFacts): readonly Condition[] {
  const { pendingOlderThan, noImportFor, list } = asked;
  return [
    ...(pendingOlderThan === undefined ? [] : [pendingCondition(pendingOlderThan, facts)]),
    ...(noImportFor === undefined ? [] : [importCondition(noImportFor, facts)]),
    ...(asked.gone ? [goneCondition(facts)] : []),
    ...(asked.unknownWrites ? [unknownCondition(facts)] : []),
    ...(list === undefined ? [] : [trusted(counted(list, facts.notImported), facts)]),
  ];
}

/** Whether someone has to act: it is met, or not known. */
export function isAlarming({ met }: Condition): boolean {
  return met !== false;
}

function pendingCondition(limitMs: number, facts: CheckFacts): Condition {
  const found = { ...counted("pending-older-than", facts.older), limit: seconds(limitMs) };
  const isPending = facts.pending > 0 && found.met === false;
  if (isPending && reachMs(facts) < limitMs) return unsettled(found, shortage(facts));
  const unstoredMs = facts.unstoredSince === null ? 0 : facts.listedAt - facts.unstoredSince;
  if (isPending && unstoredMs > limitMs) return unsettled(found, "not-stored");
  return trusted(found, facts);
}

function importCondition(limitMs: number, facts: CheckFacts): Condition {
  const [last] = facts.newest;
  const sinceMs = Math.max(0, last ? facts.listedAt - last.createdAt : reachMs(facts));
  const found: Condition = {
    ...counted("no-import-for", { count: 0, sample: facts.newest.map(({ external }) => external) }),
    figure: seconds(sinceMs),
    limit: seconds(limitMs),
    met: sinceMs > limitMs,
  };
  if (last !== undefined) return found;
  // Where nothing waits either, there is nothing to import.
  if (facts.pending === 0) return trusted({ ...found, met: false }, facts);
  return found.met ? found : unsettled(found, shortage(facts));
}

function goneCondition(facts: CheckFacts): Condition {
  const accounts = facts.gone?.accounts ?? [];
  const atLeast = facts.gone?.atLeast ?? false;
  const found = { ...counted("gone", sampled(accounts)), atLeast };
  if (found.met) return found;
  if (facts.gone === null) return unsettled(found, "no-history");
  return atLeast ? unsettled(found, "unverified") : trusted(found, facts);
}

function unknownCondition({ unknownWrites }: CheckFacts): Condition {
  const found = counted("unknown-writes", unknownWrites ?? { count: 0, sample: [] });
  return unknownWrites === null ? unsettled(found, "unread") : found;
}

/** A condition that holds as soon as there is one. */
function counted(condition: ConditionName, { count, sample }: Sampled): Condition {
  return {
    ...{ condition, met: count > 0, figure: count, limit: 0, sample: sample.slice(0, sampleSize) },
    ...{ notKnown: null, atLeast: false },
  };
}

/** The same, unless it rests on a list that is not believed. */
function trusted(condition: Condition, { isHeldBack }: CheckFacts): Condition {
  return isHeldBack && condition.met === false ? unsettled(condition, "held-back") : condition;
}

function unsettled(condition: Condition, notKnown: NotKnown): Condition {
  const figure = boundedBy.includes(notKnown) ? condition.figure : null;
  return { ...condition, met: null, notKnown, figure };
}

function shortage({ historySince }: CheckFacts): NotKnown {
  return historySince === null ? "no-history" : "short-history";
}

/** How long ago the first stored list was requested, in milliseconds. */
function reachMs({ historySince, listedAt }: CheckFacts): number {
  return historySince === null ? 0 : listedAt - historySince;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** All of some accounts, with the first as examples. */
export function sampled(accounts: readonly string[]): Sampled {
  return { count: accounts.length, sample: accounts.slice(0, sampleSize) };
}
