/** The results of a search for account numbers, the conclusions from them, and their words. */
import { agoWords } from "../../text/ages.ts";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { Lookup } from "../lookups.ts";
import type { ListedTimes } from "../verdict.ts";

export interface FoundAccount {
  readonly number: string;
  /**
   * The state from a list (`pending`, `imported`, `gone` or `removed`), or the unchanged status of
   * the service (INTERFACE 4.8).
   */
  readonly state: string;
  /** The service account number, or null if there is none or it is not stored here. */
  readonly serviceNumber: string | null;
  readonly times: ListedTimes;
}

/**
 * The source of a hit:
 * - `list`: a list in memory
 * - `observed`: the stored observations of lists
 * - `status`: a status request for this account (INTERFACE 4.8)
 */
export type HitSource = "list" | "observed" | "status";

export interface Hit extends FoundAccount {
  readonly supplier: string;
  readonly source: HitSource;
  /** The time (epoch milliseconds) at which the list was requested or the service responded. */
  readonly at: number;
}

export function isListed({ state }: Pick<FoundAccount, "state">): boolean {
  return state === "pending" || state === "imported";
}

export type Searched =
  | { readonly kind: "waiting" }
  /** There is no such list: it is not loaded, was never observed, or the service has none (404). */
  | { readonly kind: "nothing" }
  /** `isWhole` is true if the source has every account of the supplier. */
  | { readonly kind: "searched"; readonly at: number; readonly isWhole: boolean }
  | { readonly kind: "failed"; readonly error: unknown };

export type Answer = Lookup & { readonly at: number };

export interface PlaceFound {
  readonly supplier: string;
  /** The account with exactly this number in the newest source, or null. */
  readonly hit: Hit | null;
  readonly near: Hit | null;
  readonly containing: readonly Hit[];
  /** A lower bound of the number of accounts whose number contains the text. */
  readonly containingCount: number;
  readonly list: Searched;
  readonly stored: Searched;
  readonly answer: Answer | null;
}

export interface FoundNumber {
  readonly wanted: string;
  readonly places: readonly PlaceFound[];
}

/**
 * The conclusion about a number:
 * - `found`: at least one supplier has exactly this number
 * - `not-found`: every supplier answered, and none has it
 * - `not-known`: no supplier is known to have it, and the suppliers of `open` have not answered
 */
export type Conclusion =
  | { readonly kind: "found"; readonly hits: readonly Hit[] }
  | { readonly kind: "not-found" }
  | { readonly kind: "not-known"; readonly open: readonly PlaceFound[] };

export type AnsweredBy = "status" | "lists";

/**
 * Returns the conclusion about a number over all suppliers. With `status`, only a 404 (INTERFACE
 * 4.8) proves that a supplier does not have the number, because a known account can be on no list. With
 * `lists`, a whole list without the number is also a proof.
 */
export function conclusionOf({ places }: FoundNumber, by: AnsweredBy): Conclusion {
  const hits = places.flatMap(({ hit }) => hit ?? []);
  if (hits.length > 0) return { kind: "found", hits };
  const open = places.filter((place) => !hasAnswered(place, by));
  return open.length === 0 && places.length > 0
    ? { kind: "not-found" }
    : { kind: "not-known", open };
}

export function isUnsearched({ places }: FoundNumber): boolean {
  return places.every(
    ({ list, stored, answer }) =>
      list.kind !== "searched" && stored.kind !== "searched" && answer?.kind !== "not-found",
  );
}

function hasAnswered({ list, answer }: PlaceFound, by: AnsweredBy): boolean {
  if (answer?.kind === "not-found") return true;
  return by === "lists" && list.kind === "searched" && list.isWhole;
}

/** Returns the errors because of which a supplier has not answered, newest source first. */
export function errorsOf({ list, stored, answer }: PlaceFound): readonly unknown[] {
  return [answer, list, stored].flatMap((source) =>
    source?.kind === "failed" ? [source.error] : [],
  );
}

/**
 * Returns the accounts of all suppliers with a near number, then the accounts whose number contains
 * the text.
 */
export function similarOf({ places }: FoundNumber): readonly Hit[] {
  const near = places.flatMap(({ near }) => near ?? []);
  return [...near, ...containingOf({ places }).filter((hit) => !near.some(isSame(hit)))];
}

export function containingOf({ places }: Pick<FoundNumber, "places">): readonly Hit[] {
  return places.flatMap(({ containing }) => containing);
}

function similarCount({ places }: FoundNumber): number {
  return places.reduce((sum, { near, containing, containingCount }) => {
    const isApart = near !== null && !containing.some(isSame(near));
    return sum + containingCount + (isApart ? 1 : 0);
  }, 0);
}

function isSame({ supplier, number }: Hit): (other: Hit) => boolean {
  return (other) => other.supplier === supplier && other.number === number;
}

type TimeWriter = (ms: number) => string;

export const maxSuggestions = 5;

export function sourceWords(
  { source, at }: Pick<Hit, "source" | "at">,
  now: number,
  time: TimeWriter,
): string {
  switch (source) {
    case "list":
      return `list, ${agoWords(at, now)}`;
    case "observed":
      return `stored list of ${time(at)}`;
    case "status":
      return `asked ${agoWords(at, now)}`;
  }
}

/**
 * Returns a sentence with the reason why no account is shown for a number: no supplier has it, or
 * some suppliers have not answered.
 */
export function absentWords(found: FoundNumber, by: AnsweredBy): string {
  const conclusion = conclusionOf(found, by);
  const wanted = safe(found.wanted);
  if (conclusion.kind !== "not-known") {
    const all = supplierNames(found.places);
    return by === "status"
      ? `${wanted} was not found: ${all} answered 404.`
      : `${wanted} is on no list of ${all}.`;
  }
  const { open } = conclusion;
  const have = open.length === 1 ? "has" : "have";
  return `${wanted} is not known: ${supplierNames(open)} ${have} not ${open.every(wasNotAsked) ? "been asked" : "answered"}.`;
}

export function canBeAsked({ answer }: Pick<PlaceFound, "answer">): boolean {
  return answer === null;
}

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
  const isThere = source === "status" || isListed({ state });
  const verb = isThere ? "lists" : "listed";
  const name = `${safe(hit.supplier)} ${verb} ${safe(hit.number)}`;
  if (exact.length === 0) return { hit, words: `${name}, a similar number` };
  const also = exact.length === 1 ? "" : `, and ${supplierNames(exact.slice(1))} too`;
  return { hit, words: `${name}${isThere ? "" : ` (${state})`}${also}` };
}

export function similarWords(found: FoundNumber): string | null {
  const named = similarOf(found).slice(0, maxSuggestions);
  if (named.length === 0) return null;
  const all = similarCount(found);
  const numbers = named.map(({ supplier, number }) => safe(`${supplier}/${number}`));
  const more = all > named.length ? ` and ${count(all - named.length)} more` : "";
  return `Similar: ${numbers.join(", ")}${more}.`;
}

export function supplierNames(places: readonly { readonly supplier: string }[]): string {
  const [last = "no supplier", ...others] = places
    .map(({ supplier }) => safe(supplier))
    .toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}
