import { accountStatusWords } from "../../text/describe-status.ts";
import { atLeastAge, formatAge } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitise.ts";
import {
  type AnsweredBy,
  type Found,
  type Hit,
  similarCount,
  similarOf,
  verdictOf,
} from "./found.ts";

/** Writes an instant (epoch milliseconds) in the way of the screen or the command. */
type TimeWriter = (ms: number) => string;

/** Similar numbers that are named; the others are counted. */
export const mostSuggestions = 5;

/** The state of an account: of a list in lower case, of 4.8 as the service sent it. */
export function stateWords({ source, state }: Pick<Hit, "source" | "state">): string {
  return source === "status" ? accountStatusWords(state).label : state;
}

/** Since when it is in its state; of a pending account that is a lower bound. Null if not known. */
export function sinceWords(
  { state, since }: Pick<Hit, "state" | "since">,
  now: number,
  time: TimeWriter,
): string | null {
  if (since === null) return null;
  return state === "pending" ? atLeastAge(now - since) : time(since);
}

/** Where an account was found, and how old that is: `list, 20 s old`. */
export function sourceWords({ source, at }: Hit, now: number, time: TimeWriter): string {
  const isNew = now - at < 10_000;
  switch (source) {
    case "list":
      return isNew ? "list, just now" : `list, ${formatAge(now - at)} old`;
    case "observed":
      return `stored list of ${time(at)}`;
    case "status":
      return isNew ? "asked just now" : `asked ${formatAge(now - at)} ago`;
  }
}

/** Why no account is shown for a number, as a sentence: no supplier has it, or some have not answered. */
export function absentWords(found: Found, by: AnsweredBy): string {
  const verdict = verdictOf(found, by);
  const wanted = safe(found.wanted);
  const all = names(found.places);
  if (verdict.kind !== "not-known") {
    return by === "status"
      ? `${wanted} was not found: ${all} answered 404.`
      : `${wanted} is on no list of ${all}.`;
  }
  const open = names(verdict.open);
  const have = verdict.open.length === 1 ? "has" : "have";
  return `${wanted} is not known: ${open} ${have} not answered.`;
}

/** The similar numbers of all suppliers, as a sentence; null if there are none. */
export function similarWords(found: Found): string | null {
  const named = similarOf(found).slice(0, mostSuggestions);
  if (named.length === 0) return null;
  const all = similarCount(found);
  const numbers = named.map(({ supplier, number }) => safe(`${supplier}/${number}`));
  const more = all > named.length ? ` and ${count(all - named.length)} more` : "";
  return `Similar: ${numbers.join(", ")}${more}.`;
}

function names(places: readonly { readonly supplier: string }[]): string {
  const [last = "no supplier", ...others] = places
    .map(({ supplier }) => safe(supplier))
    .toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}
