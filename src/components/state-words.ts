/** Describes the latest state of an account, a supply point or a cohort, and its age, in words. */
import { formatInstant, shortInstant } from "../text/dates.ts";
import {
  accountStatusWords,
  marked,
  notFoundWords,
  type StatusWords,
  supplyPointStatusWords,
} from "../text/describe-status.ts";
import { formatAge } from "../text/durations.ts";
import { count } from "../text/numbers.ts";
import {
  accountFinality,
  notFound,
  progressIn,
  type StateStart,
  type Transition,
  type WatchSubject,
} from "../watch/timeline.ts";

const notCheckedYet: StatusWords = {
  label: "not seen yet",
  meaning: "No response from the service yet.",
  tone: "muted",
  mark: "–",
};

/**
 * Returns the latest state of an account in words. If the timeline has a failed attempt, the words
 * report the failure (INTERFACE 3).
 */
export function accountStateWords(timeline: readonly Transition[]): StatusWords {
  const state = timeline.at(-1)?.state;
  if (state === undefined) return notCheckedYet;
  const words = state === notFound ? notFoundWords.account : accountStatusWords(state);
  if (accountFinality(timeline) !== "ended") return words;
  return {
    label: `${words.label} (failed)`,
    meaning: "The attempt failed: it was being imported, and there is no account.",
    tone: "bad",
    mark: "✗",
  };
}

/** Returns the latest state of a supply point in words. */
export function supplyPointStateWords(timeline: readonly Transition[]): StatusWords {
  const state = timeline.at(-1)?.state;
  if (state === undefined) return notCheckedYet;
  return state === notFound ? notFoundWords["supply-point"] : supplyPointStatusWords(state);
}

/** Returns the progress of a cohort in words. The label counts failed accounts, or else open ones. */
function cohortStateWords(timeline: readonly Transition[]): StatusWords {
  const progress = progressIn(timeline);
  if (progress === null) return notCheckedYet;
  const { done, open, failed } = progress;
  const meaning = [
    `${count(done)} of ${count(done + open + failed)} accounts are imported`,
    ...(open === 0 ? [] : [`${count(open)} are open`]),
    ...(failed === 0 ? [] : [`the attempt failed for ${count(failed)}`]),
  ].join(", ");
  const words =
    failed > 0
      ? marked("bad", `${count(failed)} failed`)
      : open > 0
        ? marked("waiting", `${count(open)} open`)
        : marked("ok", `${count(done)} done`);
  return { ...words, meaning: `${meaning}.` };
}

const words = {
  account: accountStateWords,
  "supply-point": supplyPointStateWords,
  cohort: cohortStateWords,
} as const;

/** Returns the words for the states of a kind of subject. */
export function stateWordsOf(
  kind: WatchSubject["kind"],
): (timeline: readonly Transition[]) => StatusWords {
  return words[kind];
}

/** A time of the service that shows the age of a state, such as the creation of the account. */
export interface KnownAge {
  /** The label of the time, for example `created`. */
  readonly label: string;
  /** The time in epoch milliseconds. */
  readonly at: number;
}

/**
 * Formats the age of a state as known by the service, which is more exact than the time of its
 * first check.
 */
export function ageWords({ label, at }: KnownAge, now: number): string {
  return `, ${label} ${formatAge(now - at)} ago`;
}

/** The minimum time, by which an account is pending longer than its state, that is reported. */
const minPendingLeadMs = 60_000;

/**
 * Formats the time that a state has lasted, and the time that the account has been pending, as far
 * as they are known.
 */
export function stateAgeWords(
  start: StateStart,
  now: number,
  pendingSince: number | null = null,
): string {
  const duration = formatAge(now - start.at);
  const pending = isOlder(pendingSince, start)
    ? `, pending for at least ${formatAge(now - pendingSince)}`
    : "";
  switch (start.kind) {
    case "seen":
      return ` for ${duration}, since ${shortInstant(start.at, now)}${pending}`;
    case "between":
      return ` for at least ${duration}; it began after ${shortInstant(start.after, now)}${pending}`;
    case "before":
      // The first check already found this state, so the start of the state is unknown.
      return pending === "" ? ` for at least ${duration}` : pending;
  }
}

/** Formats the start of a state without an age, which a screen reader would repeat as it grows. */
export function sinceWords(start: StateStart, pendingSince: number | null = null): string {
  const at = formatInstant(start.at);
  const pending = isOlder(pendingSince, start)
    ? `, pending since ${formatInstant(pendingSince)} or earlier`
    : "";
  switch (start.kind) {
    case "seen":
      return `, since ${at}${pending}`;
    case "between":
      return `, since ${at} or earlier; it began after ${formatInstant(start.after)}${pending}`;
    case "before":
      return `, since ${at} or earlier${pending}`;
  }
}

function isOlder(pendingSince: number | null, start: StateStart): pendingSince is number {
  return pendingSince !== null && start.at - pendingSince >= minPendingLeadMs;
}
