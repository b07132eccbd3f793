import {
  accountStatusWords,
  marked,
  notFoundWords,
  type StatusWords,
  supplyPointStatusWords,
} from "../text/describe-status.ts";
import { count } from "../text/numbers.ts";
import {
  accountFinality,
  type CohortProgress,
  notFound,
  progressIn,
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

export function supplyPointStateWords(timeline: readonly Transition[]): StatusWords {
  const state = timeline.at(-1)?.state;
  if (state === undefined) return notCheckedYet;
  return state === notFound ? notFoundWords["supply-point"] : supplyPointStatusWords(state);
}

export function progressText({ done, open, failed }: CohortProgress): string {
  return `${done} done, ${open} open, ${failed} failed`;
}

/**
 * Returns the latest state as a value for scripts: the state of the interface, or the figures of a
 * cohort. Returns null before the first check.
 */
export function latestState(timeline: readonly Transition[]): string | null {
  const latest = timeline.at(-1);
  if (latest === undefined) return null;
  return latest.progress === undefined ? latest.state : progressText(latest.progress);
}

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

export function stateWordsOf(
  kind: WatchSubject["kind"],
): (timeline: readonly Transition[]) => StatusWords {
  return words[kind];
}
