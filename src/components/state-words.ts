/** Describes the latest state of an account, a supply point or a cohort in words. */
import {
  accountStatusWords,
  marked,
  notFoundWords,
  type StatusWords,
  supplyPointStatusWords,
} from "../text/describe-status.ts";
import { count } from "../text/numbers.ts";
import type { WatchSubject } from "../watch/subject.ts";
import { accountFinality, notFound, progressIn, type Transition } from "../watch/transitions.ts";

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
