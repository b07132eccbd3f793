/**
 * Facts about accounts that are not part of their list and that a filter can ask for. Layers above
 * supply them.
 */

/** A value that is known, is being read, or is unavailable for the reason `why`. */
export type Loadable<T> =
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "reading" }
  | { readonly kind: "unknown"; readonly why: string };

/**
 * The times since which the accounts of one supplier are pending, as observed from this machine.
 */
export interface AgeFacts {
  /**
   * Returns the row of the stored account with this number (bytes of UTF-8), or -1. Allocates
   * nothing.
   */
  find(bytes: Uint8Array, from: number, to: number): number;
  /**
   * Returns the time (epoch milliseconds) at which a stored account was first seen pending, or NaN
   * if it is not pending.
   */
  pendingSince(row: number): number;
  /**
   * Returns true if the account was not in the last observation before today. -1 is an account that
   * was never seen.
   */
  isNew(row: number): boolean;
}

/** The accounts of a cohort. */
interface CohortMembers {
  /**
   * Returns true if the account with this number (bytes of UTF-8) is a member. Allocates nothing.
   */
  has(bytes: Uint8Array, from: number, to: number): boolean;
}

/** The facts about the accounts of one supplier at one moment. Later facts are another object. */
export interface AccountFacts {
  readonly ages: Loadable<AgeFacts>;
  /** Returns the same result each time. The first call for a cohort begins to read it. */
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
