/**
 * The verdict on an account or a supply point: its state, since when, if that is usual, and if
 * other accounts of the supplier have the same problem.
 */
import { accountStatusWords, type StatusWords } from "../text/describe-status.ts";
import {
  finalityOf,
  leftLists,
  listedPending,
  notFound,
  stateStart,
  type Transition,
  type WatchSubject,
} from "../watch/timeline.ts";
import { type ImportPace, stuckBefore, type UsualDuration } from "./import-pace.ts";
import { stateWordsOf } from "./state-words.ts";

/** The facts of a list about an account. Times are epoch milliseconds of the service. */
export interface ListedAccount {
  readonly state: "pending" | "imported" | "gone" | "removed";
  readonly at: number;
  /** The time at which a list first lacked the account, or null if it is listed. */
  readonly leftAt: number | null;
  /** The time of the first list with the account as pending, or null if unknown or imported. */
  readonly pendingSince: number | null;
  readonly pendingUntil: number | null;
  readonly createdAt: number | null;
  /** Number of a team's machines whose lists have these facts. Default: null, without a team. */
  readonly machines?: number | null;
}

/** The times that lists show of an account. */
export type ListedTimes = Pick<
  ListedAccount,
  "leftAt" | "pendingSince" | "pendingUntil" | "createdAt"
>;

export const noListedTimes: ListedTimes = {
  leftAt: null,
  pendingSince: null,
  pendingUntil: null,
  createdAt: null,
};

/** The facts from which a verdict is made. Times are epoch milliseconds of the service. */
export interface VerdictFacts {
  readonly kind: WatchSubject["kind"];
  readonly timeline: readonly Transition[];
  /** The last check that found the latest state, or null to take it from the timeline. */
  readonly checkedAt?: number | null;
  readonly listed: ListedAccount | null;
  readonly reported?: ReportedTime | null;
  readonly pace: ImportPace | null;
  /** Milliseconds between two checks, or null if nothing repeats the check. */
  readonly everyMs: number | null;
  readonly isAway?: boolean;
  readonly now: number;
}

export interface ReportedTime {
  readonly label: string;
  readonly at: number;
}

export interface VerdictSince {
  readonly at: number;
  /** False if the state might have begun before `at`. */
  readonly isExact: boolean;
  /** The last check before `at` that found another state, or null if the state is as old at least. */
  readonly after: number | null;
  readonly label: string | null;
}

export interface Usual {
  readonly kind: "as-usual" | "slow" | "stuck";
  readonly supplier: string;
  readonly medianMs: number;
}

export interface Others {
  readonly supplier: string;
  readonly listedAt: number;
  readonly importedLastHour: number;
  readonly newestAt: number | null;
  readonly stuck: number | null;
}

/** The verdict on an account or a supply point. Times are epoch milliseconds of the service. */
export interface Verdict {
  readonly kind: WatchSubject["kind"];
  /** The state as received, or the state in the list. Null if nothing is known. */
  readonly state: string | null;
  readonly words: StatusWords;
  readonly confirmedBy: string | null;
  readonly since: VerdictSince | null;
  readonly pendingSince: number | null;
  readonly pendingUntil: number | null;
  readonly wasPending: boolean;
  /** Number of a team's machines whose lists show the state or the pending time, or null without a team. */
  readonly machines: number | null;
  readonly isOpen: boolean;
  /** True if only a list shows the state. */
  readonly isListed: boolean;
  readonly checkedAt: number | null;
  /** False if the state is older than three intervals, or the service is away. */
  readonly isCurrent: boolean;
  readonly usual: Usual | null;
  /** The other imports, or null if the state is final or nothing is known of the supplier. */
  readonly others: Others | null;
}

const currentIntervals = 3;

/** Returns the verdict. A list never overrides a newer check. */
export function verdictOf(facts: VerdictFacts): Verdict {
  const { kind, timeline, listed, everyMs, isAway = false, now } = facts;
  const last = timeline.at(-1);
  const lookedAt = last ? Math.max(last.lastSeenAt, facts.checkedAt ?? last.lastSeenAt) : null;
  const source = sourceOf(last?.state ?? null, lookedAt, listed);
  if (source === "none") return { ...nothingKnown, kind, words: stateWordsOf(kind)([]) };
  const isListed = source !== "check" && listed !== null;
  const state = isListed ? listed.state : (last?.state ?? "");
  const isGone = state === leftLists;
  const words = isListed || isGone ? accountStatusWords(state) : stateWordsOf(kind)(timeline);
  const checkedAt = isListed
    ? Math.max(listed.at, confirmedAt(source, lookedAt))
    : latest(lookedAt, state === "COMPLETED" && listed?.state === "imported" ? listed.at : null);
  const pending = pendingOf(state, timeline, listed, lookedAt);
  const isOpen = isListed
    ? state === listedPending
    : finalityOf(kind, timeline) === "open" && state !== notFound;
  const known = {
    state,
    since: isListed ? listedSince(listed) : checkedSince(facts, state),
    ...pending,
    machines: isListed || pending.pendingSince !== null ? (listed?.machines ?? null) : null,
    isListed: source === "list",
    checkedAt,
  };
  const isJudged = kind === "account" && isOpen;
  return {
    ...known,
    kind,
    words,
    isOpen,
    confirmedBy: source === "both" && last && last.state !== leftLists ? last.state : null,
    isCurrent:
      !isAway && (everyMs === null || now - (checkedAt ?? now) <= currentIntervals * everyMs),
    usual: isJudged ? usualOf(known, facts.pace) : null,
    others: isJudged ? othersOf(facts) : null,
  };
}

const nothingKnown: Omit<Verdict, "kind" | "words"> = {
  state: null,
  confirmedBy: null,
  since: null,
  pendingSince: null,
  pendingUntil: null,
  wasPending: false,
  machines: null,
  isOpen: true,
  isListed: false,
  checkedAt: null,
  isCurrent: false,
  usual: null,
  others: null,
};

/**
 * The source of the state: the check, the list, or `both` if a check confirms that an account of
 * the list is gone.
 */
type Source = "none" | "check" | "list" | "both";

const withoutAccount: ReadonlySet<string> = new Set([
  "UNKNOWN",
  notFound,
  listedPending,
  leftLists,
]);

/** The checked states that a newer list with the account as pending contradicts. */
const neverPending: ReadonlySet<string> = new Set(["COMPLETED", notFound, leftLists]);

function sourceOf(
  checked: string | null,
  checkedAt: number | null,
  listed: ListedAccount | null,
): Source {
  if (checked === null || checkedAt === null) return listed === null ? "none" : "list";
  if (listed === null) return "check";
  const isNewer = listed.at > checkedAt;
  switch (listed.state) {
    case "gone":
      if (withoutAccount.has(checked)) return checked === listedPending ? "list" : "both";
      return isNewer && checked !== "COMPLETED" ? "list" : "check";
    case "pending":
      return isNewer && neverPending.has(checked) ? "list" : "check";
    case "imported":
      return isNewer && checked !== "COMPLETED" ? "list" : "check";
    case "removed":
      return "check";
  }
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function confirmedAt(source: Source, checkedAt: number | null): number {
  return source === "both" && checkedAt !== null ? checkedAt : Number.NEGATIVE_INFINITY;
}

function listedSince({
  state,
  leftAt,
  pendingSince,
  createdAt,
}: ListedAccount): VerdictSince | null {
  if (state === "imported")
    return createdAt === null ? null : reportedSince({ label: "created", at: createdAt });
  const at = state === "pending" ? pendingSince : leftAt;
  return at === null ? null : { at, isExact: false, after: null, label: null };
}

function reportedSince({ label, at }: ReportedTime): VerdictSince {
  return { at, isExact: true, after: null, label };
}

function checkedSince(
  { timeline, listed, reported = null }: VerdictFacts,
  state: string,
): VerdictSince | null {
  if (reported !== null) return reportedSince(reported);
  const createdAt = listed?.createdAt ?? null;
  if (state === "COMPLETED" && createdAt !== null)
    return reportedSince({ label: "created", at: createdAt });
  const start = stateStart(timeline);
  if (start === null) return null;
  const { at } = start;
  if (start.kind === "between") return { at, isExact: false, after: start.after, label: null };
  const since = { at, isExact: start.kind === "seen", after: null, label: null };
  const listedAt = listed?.state === "pending" ? listed.pendingSince : null;
  // Checks by lists find `pending`, and the stored lists might have found it before.
  return state === listedPending && listedAt !== null && listedAt < at
    ? { ...since, at: listedAt, isExact: false }
    : since;
}

/**
 * Returns the time for which lists show the account as pending. The time ends with the last list or
 * check that does not contradict it.
 */
function pendingOf(
  state: string,
  timeline: readonly Transition[],
  listed: ListedAccount | null,
  checkedAt: number | null,
): Pick<Verdict, "pendingSince" | "pendingUntil" | "wasPending"> {
  const none = { pendingSince: null, pendingUntil: null, wasPending: false };
  if (listed === null || listed.pendingSince === null) return none;
  const { pendingSince, at } = listed;
  if (listed.state === "gone")
    return state === leftLists
      ? { pendingSince, pendingUntil: listed.pendingUntil, wasPending: true }
      : none;
  if (listed.state !== "pending" || isImported(state)) return none;
  const contradiction = timeline.find(
    ({ state, lastSeenAt }) => neverPending.has(state) && lastSeenAt >= at,
  );
  if (contradiction !== undefined)
    return state === notFound || state === leftLists
      ? { pendingSince, pendingUntil: at, wasPending: true }
      : none;
  const isConfirmed = checkedAt !== null && checkedAt > at;
  return { pendingSince, pendingUntil: isConfirmed ? checkedAt : at, wasPending: false };
}

export function isImported(state: string | null): boolean {
  return state === "COMPLETED" || state === "imported" || state === "removed";
}

function usualOf(
  known: Pick<Verdict, "state" | "since" | "pendingSince" | "pendingUntil" | "checkedAt">,
  pace: ImportPace | null,
): Usual | null {
  if (pace === null) return null;
  const { since, checkedAt, pendingSince, pendingUntil } = known;
  const isInProgress = known.state === "IN_PROGRESS";
  if (isInProgress && pace.inProgress && since !== null && checkedAt !== null)
    return judged(checkedAt - since.at, pace.inProgress, pace);
  if (pace.pending === null) return null;
  if (pendingSince !== null && pendingUntil !== null)
    return judged(pendingUntil - pendingSince, pace.pending, pace);
  // An account is pending at least as long as it is in progress.
  return isInProgress && since !== null && checkedAt !== null
    ? judged(checkedAt - since.at, pace.pending, pace)
    : null;
}

function judged(
  ms: number,
  { medianMs, slowMs, stuckMs }: UsualDuration,
  { supplier }: Pick<ImportPace, "supplier">,
): Usual {
  return { kind: ms > stuckMs ? "stuck" : ms > slowMs ? "slow" : "as-usual", supplier, medianMs };
}

function othersOf({ pace, listed }: VerdictFacts): Others | null {
  if (pace === null || pace.list === null) return null;
  const { at: listedAt, importedLastHour, newestAt, stuck } = pace.list;
  const stuckSince = stuckBefore(pace);
  const isCounted =
    listed?.state === "pending" &&
    listed.pendingSince !== null &&
    stuckSince !== null &&
    listed.pendingSince < stuckSince;
  return {
    supplier: pace.supplier,
    listedAt,
    importedLastHour,
    newestAt,
    stuck: stuck === null ? null : Math.max(0, stuck - (isCounted ? 1 : 0)),
  };
}
