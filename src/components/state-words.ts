import {
  accountStatusWords,
  type StatusWords,
  supplyPointStatusWords,
} from "../text/describe-status.ts";
import { notFound } from "../watch/transitions.ts";

const notFoundWords = {
  label: "NOT FOUND (404)",
  tone: "bad",
  mark: "✗",
  asciiMark: "x",
} as const;

/** An account's state as it was observed. 404 is a state of its own, in its own words: not UNKNOWN. */
export function accountStateWords(state: string): StatusWords {
  if (state !== notFound) return accountStatusWords(state);
  return {
    ...notFoundWords,
    meaning:
      "The service has no import of this number for this supplier: never staged, another supplier's, or mistyped.",
  };
}

/** The same for a supply point. */
export function supplyPointStateWords(state: string): StatusWords {
  if (state !== notFound) return supplyPointStatusWords(state);
  return {
    ...notFoundWords,
    meaning: "No import process matches this identifier for this supplier.",
  };
}
