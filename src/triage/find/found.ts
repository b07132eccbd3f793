/** The results of a search for account numbers, and the conclusions from them. */
import type { Lookup } from "../lookups.ts";

/** An account in one source. */
export interface FoundAccount {
  readonly number: string;
  /**
   * The state from a list (`pending`, `imported`, `gone` or `removed`), or the unchanged status of
   * the service (INTERFACE 4.8).
   */
  readonly state: string;
  /** The service account number, or null if there is none or it is not stored here. */
  readonly serviceNumber: string | null;
  /**
   * The start of the state in epoch milliseconds, or null if unknown. For a pending account it is
   * the earliest known time.
   */
  readonly since: number | null;
}

/**
 * The source of a hit:
 * - `list`: a list in memory
 * - `observed`: the stored observations of lists
 * - `status`: a status request for this account (INTERFACE 4.8)
 */
export type HitSource = "list" | "observed" | "status";

/** An account of a supplier, with the place where it was found. */
export interface Hit extends FoundAccount {
  readonly supplier: string;
  readonly source: HitSource;
  /** The time (epoch milliseconds) at which the list was requested or the service responded. */
  readonly at: number;
}

/** The progress of the search in one source of a supplier. */
export type Searched =
  | { readonly kind: "waiting" }
  /** There is no such list: it is not loaded, was never observed, or the service has none (404). */
  | { readonly kind: "nothing" }
  /** `isWhole` is true if the source has every account of the supplier. */
  | { readonly kind: "searched"; readonly at: number; readonly isWhole: boolean }
  | { readonly kind: "failed"; readonly error: unknown };

/** The service's answer about one number at one supplier, and its time in epoch milliseconds. */
export type Answer = Lookup & { readonly at: number };

/** The findings about a number at one supplier. */
export interface PlaceFound {
  readonly supplier: string;
  /** The account with exactly this number in the newest source, or null. */
  readonly hit: Hit | null;
  /** The only listed account with a near number, or null. */
  readonly near: Hit | null;
  /**
   * The first accounts whose number contains the text, and a lower bound of the number of all of
   * them.
   */
  readonly containing: readonly Hit[];
  readonly containingCount: number;
  readonly list: Searched;
  readonly stored: Searched;
  /** The answer of the service, or null if no request was sent. */
  readonly answer: Answer | null;
}

/** A number with the findings of each supplier, in the order of the suppliers. */
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
export type Verdict =
  | { readonly kind: "found"; readonly hits: readonly Hit[] }
  | { readonly kind: "not-found" }
  | { readonly kind: "not-known"; readonly open: readonly PlaceFound[] };

/** The kind of answer that proves that a supplier does not have a number. */
export type AnsweredBy = "status" | "lists";

/**
 * Returns the conclusion about a number over all suppliers. With `status`, only a 404 (INTERFACE
 * 4.8) proves that a supplier does not have it, because a known account can be on no list. With
 * `lists`, a whole list proves it too.
 */
export function verdictOf({ places }: FoundNumber, by: AnsweredBy): Verdict {
  const hits = places.flatMap(({ hit }) => hit ?? []);
  if (hits.length > 0) return { kind: "found", hits };
  const open = places.filter((place) => !hasAnswered(place, by));
  return open.length === 0 && places.length > 0
    ? { kind: "not-found" }
    : { kind: "not-known", open };
}

function hasAnswered({ list, answer }: PlaceFound, by: AnsweredBy): boolean {
  if (answer?.kind === "not-found") return true;
  return by === "lists" && list.kind === "searched" && list.isWhole;
}

/** Returns the errors because of which a supplier has not answered, newest source first. */
export function errorsOf({ list, stored, answer }: PlaceFound): readonly unknown[] {
  return [answer, list, stored].flatMap((one) => (one?.kind === "failed" ? [one.error] : []));
}

/**
 * Returns the accounts of all suppliers with a near number, then the accounts whose number contains
 * the text.
 */
export function similarOf({ places }: FoundNumber): readonly Hit[] {
  const near = places.flatMap(({ near }) => near ?? []);
  return [...near, ...containingOf({ places }).filter((hit) => !near.some(isSame(hit)))];
}

/** Returns the first accounts of all suppliers whose number contains the text. */
export function containingOf({ places }: Pick<FoundNumber, "places">): readonly Hit[] {
  return places.flatMap(({ containing }) => containing);
}

/** Returns a lower bound of the number of accounts with a similar number. */
export function similarCount({ places }: FoundNumber): number {
  return places.reduce((sum, { near, containing, containingCount }) => {
    const isApart = near !== null && !containing.some(isSame(near));
    return sum + containingCount + (isApart ? 1 : 0);
  }, 0);
}

function isSame({ supplier, number }: Hit): (other: Hit) => boolean {
  return (other) => other.supplier === supplier && other.number === number;
}
