import {
  accountStatusWords,
  notFoundWords,
  type StatusWords,
  supplyPointStatusWords,
} from "../text/describe-status.ts";
import { accountFinality, notFound, type Transition } from "../watch/transitions.ts";

const notSeenYet: StatusWords = {
  label: "not seen yet",
  meaning: "The service has not answered yet.",
  tone: "muted",
  mark: "–",
  asciiMark: "-",
};

/** The latest state of an account in words; an attempt that was seen to fail says so (INTERFACE 3). */
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
    asciiMark: "x",
  };
}

/** The latest state of a supply point in words. */
export function supplyPointStateWords(timeline: readonly Transition[]): StatusWords {
  const state = timeline.at(-1)?.state;
  if (state === undefined) return notSeenYet;
  return state === notFound ? notFoundWords["supply-point"] : supplyPointStatusWords(state);
}
