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

const notSeenYet: StatusWords = {
  label: "not seen yet",
  meaning: "No response from the service yet.",
  tone: "muted",
  mark: "–",
};

/**
 * Returns the latest state of an account in words. It reports a failed attempt if one was observed
 * (INTERFACE 3).
 */
export function accountStateWords(timeline: readonly Transition[]): StatusWords {
  const state = timeline.at(-1)?.state;
  if (state === undefined) return notSeenYet;
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
  if (state === undefined) return notSeenYet;
  return state === notFound ? notFoundWords["supply-point"] : supplyPointStatusWords(state);
}

/** Returns the progress of a cohort in words. Failed accounts are more important than open ones. */
function cohortStateWords(timeline: readonly Transition[]): StatusWords {
  const progress = progressIn(timeline);
  if (progress === null) return notSeenYet;
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

/** The minimum difference to report that an account has been pending longer than its state. */
const worthSayingMs = 60_000;

/**
 * Formats the time that a state has lasted, and the time that the account has been pending, as far
 * as they are known.
 */
export function stateAgeWords(
  began: StateStart,
  now: number,
  pendingSince: number | null = null,
): string {
  const duration = formatAge(now - began.at);
  const pending = isOlder(pendingSince, began)
    ? `, pending for at least ${formatAge(now - pendingSince)}`
    : "";
  switch (began.kind) {
    case "seen":
      return ` for ${duration}, since ${shortInstant(began.at, now)}${pending}`;
    case "between":
      return ` for at least ${duration}; it began after ${shortInstant(began.after, now)}${pending}`;
    case "before":
      // The first check found the state, so its start is unknown.
      return pending === "" ? ` for at least ${duration}` : pending;
  }
}

/** Formats the start of a state without an age, which a screen reader would repeat as it grows. */
export function sinceWords(began: StateStart, pendingSince: number | null = null): string {
  const at = formatInstant(began.at);
  const pending = isOlder(pendingSince, began)
    ? `, pending since ${formatInstant(pendingSince)} or earlier`
    : "";
  switch (began.kind) {
    case "seen":
      return `, since ${at}${pending}`;
    case "between":
      return `, since ${at} or earlier; it began after ${formatInstant(began.after)}${pending}`;
    case "before":
      return `, since ${at} or earlier${pending}`;
  }
}

function isOlder(pendingSince: number | null, began: StateStart): pendingSince is number {
  return pendingSince !== null && began.at - pendingSince >= worthSayingMs;
}
