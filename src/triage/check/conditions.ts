/**
 * Decides from the facts about a supplier if the conditions of a check are met, and describes them.
 */
import { formatInstant } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { count, plural } from "../../text/numbers.ts";
import type { VerifiedGone } from "../figures/gone.ts";
import { futureAccountsNote, type NewAccount } from "../figures/newest.ts";

export const sampleSize = 5;

/** The conditions to check for a supplier. Durations are milliseconds. */
export interface CheckConditions {
  readonly pendingOlderThan?: number | undefined;
  readonly noImportFor?: number | undefined;
  readonly gone?: boolean | undefined;
  readonly unknownWrites?: boolean | undefined;
  /** The list whose accounts must all be imported: a stored cohort or a source file. */
  readonly list?: "cohort" | "source" | undefined;
}

export interface Sampled {
  readonly count: number;
  readonly sample: readonly string[];
}

interface PersonCount {
  readonly person: string;
  readonly count: number;
}

export interface CheckFacts {
  /** The time at which the list was requested, in epoch milliseconds. */
  readonly listedAt: number;
  readonly pending: number;
  readonly historySince: number | null;
  /** True if the list lacks too many accounts and waits for confirmation. */
  readonly isHeldBack: boolean;
  /**
   * The start of the last stored list if lists are not stored now and accounts were first seen
   * pending after it, else null. The next check would see them for the first time again.
   */
  readonly unstoredSince: number | null;
  /** The accounts pending for longer than the limit, oldest first. */
  readonly older: Sampled;
  readonly newest: readonly NewAccount[];
  /**
   * Number of accounts with a creation time too far in the future. None of them counts as the last
   * import.
   */
  readonly ahead: number;
  /** The gone accounts, or null if nothing is stored. */
  readonly gone: VerifiedGone | null;
  /** The subjects of unknown entries, or null if the journal cannot be read. */
  readonly unknownWrites: Sampled | null;
  /**
   * The part of {@link unknownWrites} that is of colleagues, by person, or `missing` if the team's ledger
   * could not be read. Null without a team.
   */
  readonly colleagues: readonly PersonCount[] | "missing" | null;
  readonly notImported: Sampled;
}

/**
 * The reason why a condition has no result:
 * - `short-history`: lists have been stored for less than the limit
 * - `no-history`: no list is stored
 * - `not-stored`: lists are not stored now, and accounts might be pending since the last stored
 * list
 * - `held-back`: the list lacks too many accounts and waits for confirmation
 * - `unverified`: more accounts left the list than were verified, and none of the verified accounts
 * is gone
 * - `unread`: the journal cannot be read
 * - `team-missing`: the entries of the team's colleagues could not be read
 */
type NotKnown =
  | "short-history"
  | "no-history"
  | "not-stored"
  | "held-back"
  | "unverified"
  | "unread"
  | "team-missing";

/** The reasons for which the figure is a lower bound. For other reasons there is no figure. */
const lowerBoundReasons: readonly NotKnown[] = [
  ...(["short-history", "not-stored", "unverified", "team-missing"] as const),
];

type ConditionName =
  | "pending-older-than"
  | "no-import-for"
  | "gone"
  | "unknown-writes"
  | "cohort"
  | "source";

export interface Condition {
  readonly condition: ConditionName;
  /** True if the condition is met, or null if that is unknown. */
  readonly met: boolean | null;
  /** Number of accounts or entries, or seconds for `no-import-for`, or null if unknown. */
  readonly figure: number | null;
  /** The limit in seconds if the condition has a duration, else 0. */
  readonly limit: number;
  readonly sample: readonly string[];
  readonly notKnown: NotKnown | null;
  /** True if the figure is a lower bound. */
  readonly atLeast: boolean;
}

export function conditionsOf(requested: CheckConditions, facts: CheckFacts): readonly Condition[] {
  const { pendingOlderThan, noImportFor, list } = requested;
  return [
    ...(pendingOlderThan === undefined ? [] : [pendingCondition(pendingOlderThan, facts)]),
    ...(noImportFor === undefined ? [] : [importCondition(noImportFor, facts)]),
    ...(requested.gone ? [goneCondition(facts)] : []),
    ...(requested.unknownWrites ? [unknownCondition(facts)] : []),
    ...(list === undefined ? [] : [unlessHeldBack(countCondition(list, facts.notImported), facts)]),
  ];
}

export function isAlarming({ met }: Condition): boolean {
  return met !== false;
}

function pendingCondition(limitMs: number, facts: CheckFacts): Condition {
  const condition = {
    ...countCondition("pending-older-than", facts.older),
    limit: seconds(limitMs),
  };
  const isPending = facts.pending > 0 && condition.met === false;
  if (isPending && historyMs(facts) < limitMs)
    return withoutResult(condition, historyReason(facts));
  const unstoredMs = facts.unstoredSince === null ? 0 : facts.listedAt - facts.unstoredSince;
  if (isPending && unstoredMs > limitMs) return withoutResult(condition, "not-stored");
  return unlessHeldBack(condition, facts);
}

function importCondition(limitMs: number, facts: CheckFacts): Condition {
  const [last] = facts.newest;
  const sinceMs = Math.max(0, last ? facts.listedAt - last.createdAt : historyMs(facts));
  const condition: Condition = {
    ...countCondition("no-import-for", {
      count: 0,
      sample: facts.newest.map(({ external }) => external),
    }),
    figure: seconds(sinceMs),
    limit: seconds(limitMs),
    met: sinceMs > limitMs,
  };
  if (last !== undefined) return condition;
  // Without pending accounts there is nothing to import.
  if (facts.pending === 0) return unlessHeldBack({ ...condition, met: false }, facts);
  return condition.met ? condition : withoutResult(condition, historyReason(facts));
}

function goneCondition(facts: CheckFacts): Condition {
  const accounts = facts.gone?.accounts ?? [];
  const atLeast = facts.gone?.atLeast ?? false;
  const condition = { ...countCondition("gone", sampled(accounts)), atLeast };
  if (condition.met) return condition;
  if (facts.gone === null) return withoutResult(condition, "no-history");
  return atLeast ? withoutResult(condition, "unverified") : unlessHeldBack(condition, facts);
}

function unknownCondition({ unknownWrites, colleagues }: CheckFacts): Condition {
  const condition = countCondition("unknown-writes", unknownWrites ?? { count: 0, sample: [] });
  if (unknownWrites === null) return withoutResult(condition, "unread");
  if (colleagues !== "missing") return condition;
  return condition.met ? { ...condition, atLeast: true } : withoutResult(condition, "team-missing");
}

function countCondition(condition: ConditionName, { count, sample }: Sampled): Condition {
  return {
    condition,
    met: count > 0,
    figure: count,
    limit: 0,
    sample: sample.slice(0, sampleSize),
    notKnown: null,
    atLeast: false,
  };
}

function unlessHeldBack(condition: Condition, { isHeldBack }: CheckFacts): Condition {
  return isHeldBack && condition.met === false ? withoutResult(condition, "held-back") : condition;
}

function withoutResult(condition: Condition, notKnown: NotKnown): Condition {
  const figure = lowerBoundReasons.includes(notKnown) ? condition.figure : null;
  return { ...condition, met: null, notKnown, figure };
}

function historyReason({ historySince }: CheckFacts): NotKnown {
  return historySince === null ? "no-history" : "short-history";
}

function historyMs({ historySince, listedAt }: CheckFacts): number {
  return historySince === null ? 0 : listedAt - historySince;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

export function sampled(accounts: readonly string[]): Sampled {
  return { count: accounts.length, sample: accounts.slice(0, sampleSize) };
}

export function conditionWords(
  condition: Condition,
  facts: Pick<
    CheckFacts,
    "historySince" | "unstoredSince" | "newest" | "ahead" | "pending" | "colleagues"
  >,
): string {
  const { figure } = condition;
  const reason = notKnownWords(condition, facts);
  if (figure === null) return `${subjectWords(condition)} not known: ${reason}`;
  const words = figureWords({ ...condition, figure }, facts);
  return reason === null ? words : `${words}; not known: ${reason}`;
}

function figureWords(
  { condition, figure, limit, atLeast }: Condition & { readonly figure: number },
  {
    newest,
    ahead,
    pending,
    colleagues,
  }: Pick<CheckFacts, "newest" | "ahead" | "pending" | "colleagues">,
): string {
  const limitWords = formatDuration(limit * 1_000);
  switch (condition) {
    case "pending-older-than":
      return `${plural(figure, "account")} pending for more than ${limitWords}`;
    case "no-import-for": {
      const since = formatDuration(figure * 1_000);
      const idle = pending === 0 ? ", and none is pending" : "";
      const words =
        newest.length === 0
          ? `none imported${idle}${pending === 0 ? "" : ` for at least ${since} (limit ${limitWords})`}`
          : `last import ${since} ago (limit ${limitWords})${idle}`;
      return ahead === 0 ? words : `${words}, ${futureAccountsNote(ahead)}`;
    }
    case "gone":
      return `${atLeast ? "at least " : ""}${plural(figure, "account")} gone`;
    case "unknown-writes":
      return `${atLeast ? "at least " : ""}${plural(figure, "entry", "entries")} with an unknown outcome${colleaguesWords(colleagues)}`;
    case "cohort":
    case "source":
      return `${count(figure)} of the ${condition === "cohort" ? "cohort" : "list"} not imported`;
  }
}

/** Names the colleagues with such entries: ` (op2 2)`. */
function colleaguesWords(colleagues: CheckFacts["colleagues"]): string {
  if (colleagues === null || colleagues === "missing" || colleagues.length === 0) return "";
  return ` (${colleagues.map(({ person, count: n }) => `${person} ${count(n)}`).join(", ")})`;
}

function subjectWords({ condition, limit }: Condition): string {
  switch (condition) {
    case "pending-older-than":
      return `accounts pending for more than ${formatDuration(limit * 1_000)}`;
    case "no-import-for":
      return "the last import is";
    case "gone":
      return "gone accounts";
    case "unknown-writes":
      return "entries with an unknown outcome";
    case "cohort":
    case "source":
      return `accounts of the ${condition === "cohort" ? "cohort" : "list"} that are not imported`;
  }
}

function notKnownWords(
  { notKnown }: Condition,
  { historySince, unstoredSince }: Pick<CheckFacts, "historySince" | "unstoredSince">,
): string | null {
  switch (notKnown) {
    case null:
      return null;
    case "short-history":
      return `lists are stored only since ${minuteOf(historySince)}`;
    case "no-history":
      return "no earlier list is known on this machine";
    case "not-stored":
      return `lists are not stored since ${minuteOf(unstoredSince)}`;
    case "held-back":
      return "the list lost too many accounts and is held back";
    case "unverified":
      return "more accounts left the list than were verified";
    case "unread":
      return "the journal cannot be read";
    case "team-missing":
      return "the team's entries are missing";
  }
}

function minuteOf(ms: number | null): string {
  return `${formatInstant(ms ?? Number.NaN, { utc: true, seconds: false })} UTC`;
}
