/** Describes the results of a search in words, for screens and commands. */
import { accountStatusWords } from "../../text/describe-status.ts";
import { atLeastAge, formatAge } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import {
  type AnsweredBy,
  type FoundNumber,
  type Hit,
  type PlaceFound,
  similarCount,
  similarOf,
  verdictOf,
} from "./found.ts";

/** Formats a time (epoch milliseconds) for the screen or the command. */
type TimeWriter = (ms: number) => string;

/** Maximum number of similar numbers to name. The others are counted. */
export const maxSuggestions = 5;

/**
 * Returns the state of an account: lower case from a list, or the label of a status (INTERFACE
 * 4.8).
 */
export function stateWords({ source, state }: Pick<Hit, "source" | "state">): string {
  return source === "status" ? accountStatusWords(state).label : state;
}

/**
 * Returns the start of the account's state, or null if unknown. Returns a lower bound of the age
 * for a pending account.
 */
export function sinceWords(
  { state, since }: Pick<Hit, "state" | "since">,
  now: number,
  time: TimeWriter,
): string | null {
  if (since === null) return null;
  return state === "pending" ? atLeastAge(now - since) : time(since);
}

/** Returns the source of an account, and its age: `list, 20 s old`. */
export function sourceWords(
  { source, at }: Pick<Hit, "source" | "at">,
  now: number,
  time: TimeWriter,
): string {
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

/**
 * Returns a sentence with the reason why no account is shown for a number: no supplier has it, or
 * some suppliers have not answered.
 */
export function absentWords(found: FoundNumber, by: AnsweredBy): string {
  const verdict = verdictOf(found, by);
  const wanted = safe(found.wanted);
  if (verdict.kind !== "not-known") {
    const all = supplierNames(found.places);
    return by === "status"
      ? `${wanted} was not found: ${all} answered 404.`
      : `${wanted} is on no list of ${all}.`;
  }
  const { open } = verdict;
  const have = open.length === 1 ? "has" : "have";
  return `${wanted} is not known: ${supplierNames(open)} ${have} not ${open.every(wasNotAsked) ? "been asked" : "answered"}.`;
}

/** Returns true if a supplier has not been asked and no request to it failed. */
export function wasNotAsked({ answer, list }: PlaceFound): boolean {
  return answer === null && list.kind !== "failed";
}

/**
 * Returns the account of another supplier, or of a similar number, that was probably meant, or null
 * if none is known.
 */
export function elsewhere(
  { places }: FoundNumber,
  supplier: string,
): { readonly hit: Hit; readonly words: string } | null {
  const others = places.filter((place) => place.supplier !== supplier);
  const exact = others.flatMap(({ hit }) => hit ?? []);
  const [hit = places.flatMap(({ near }) => near ?? [])[0]] = exact;
  if (hit === undefined) return null;
  const { source, state } = hit;
  const isListed = source === "status" || state === "pending" || state === "imported";
  const verb = isListed ? "lists" : "listed";
  const name = `${safe(hit.supplier)} ${verb} ${safe(hit.number)}`;
  if (exact.length === 0) return { hit, words: `${name}, a similar number` };
  const also = exact.length === 1 ? "" : `, and ${supplierNames(exact.slice(1))} too`;
  return { hit, words: `${name}${isListed ? "" : ` (${state})`}${also}` };
}

/** Names the similar numbers of all suppliers in a sentence, or returns null if there are none. */
export function similarWords(found: FoundNumber): string | null {
  const named = similarOf(found).slice(0, maxSuggestions);
  if (named.length === 0) return null;
  const all = similarCount(found);
  const numbers = named.map(({ supplier, number }) => safe(`${supplier}/${number}`));
  const more = all > named.length ? ` and ${count(all - named.length)} more` : "";
  return `Similar: ${numbers.join(", ")}${more}.`;
}

/** Returns the names of suppliers for a sentence: `ACME, DONE and NORTH`. */
export function supplierNames(places: readonly { readonly supplier: string }[]): string {
  const [last = "no supplier", ...others] = places
    .map(({ supplier }) => safe(supplier))
    .toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}
