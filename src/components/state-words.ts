import {
  accountStatusWords,
  notFoundWords,
  type StatusWords,
  supplyPointStatusWords,
} from "../text/describe-status.ts";
import { notFound } from "../watch/transitions.ts";

/** An account's state as it was observed, in words. */
export function accountStateWords(state: string): StatusWords {
  return state === notFound ? notFoundWords.account : accountStatusWords(state);
}

/** The same for a supply point. */
export function supplyPointStateWords(state: string): StatusWords {
  return state === notFound ? notFoundWords["supply-point"] : supplyPointStatusWords(state);
}
