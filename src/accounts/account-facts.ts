/**
 * The types of the facts that a filter can use and that an account list does not contain: ages and
 * cohorts. Layers above supply the facts.
 */

/** A value that is known, is being read, or is unavailable for the reason `why`. */
export type Loadable<T> =
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "reading" }
  | { readonly kind: "unknown"; readonly why: string };

/**
 * The times since which the accounts of one supplier are pending, according to the observations on
 * this computer.
 */
export interface AgeFacts {
  /**
   * Returns the row of the stored account with the number in these UTF-8 bytes, or -1 if there is
   * none. Allocates no memory.
   */
  find(bytes: Uint8Array, from: number, to: number): number;
  /**
   * Returns the time (epoch milliseconds) at which a stored account was first seen pending, or NaN
   * if it is not pending.
   */
  pendingSince(row: number): number;
  /**
   * Returns true if the account was not in the last observation before today. `row` is -1 for an
   * account that was never observed.
   */
  isNew(row: number): boolean;
}

/** The accounts of a cohort. */
interface CohortMembers {
  /**
   * Returns true if the account with the number in these UTF-8 bytes is a member. Allocates no
   * memory.
   */
  has(bytes: Uint8Array, from: number, to: number): boolean;
}

/**
 * The facts about the accounts of one supplier at one moment. Later facts are in another object.
 */
export interface AccountFacts {
  readonly ages: Loadable<AgeFacts>;
  /**
   * Returns the accounts of a cohort. The first call for a cohort starts to read them. Later calls
   * return the same result.
   */
  cohort(name: string): Loadable<CohortMembers>;
  /** The reason why this list has no gone accounts, as a sentence, or null if it has them. */
  readonly withoutGone: string | null;
}

/** The facts if only lists are available. */
export const noFacts: AccountFacts = Object.freeze({
  ages: { kind: "unknown", why: "Ages of accounts are not known here." } as const,
  cohort: (name: string) => ({ kind: "unknown", why: `There is no cohort "${name}".` }) as const,
  withoutGone: "This list does not show gone accounts. Use the Gone tab.",
});
