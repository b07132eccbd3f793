/** What a filter can ask about an account that is not on its list. Layers above answer it. */

/** Something that is known, is being read, or cannot be known, with the reason in a sentence. */
export type Known<T> =
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "reading" }
  | { readonly kind: "unknown"; readonly why: string };

/** Since when accounts of one supplier are pending, as observed from this machine. */
export interface AgeFacts {
  /** The stored account whose number is these bytes of UTF-8, or -1; allocates nothing. */
  find(bytes: Uint8Array, from: number, to: number): number;
  /** When a stored account was first seen pending, in epoch milliseconds; NaN where it is not pending. */
  pendingSince(row: number): number;
  /** Whether it was not in the last observation before today; -1 is an account never seen. */
  isNew(row: number): boolean;
}

/** The accounts of a cohort. */
interface CohortMembers {
  /** Whether the account whose number is these bytes of UTF-8 is one of them; allocates nothing. */
  has(bytes: Uint8Array, from: number, to: number): boolean;
}

/** What is known about the accounts of one supplier at one moment. Others are another object. */
export interface AccountFacts {
  readonly ages: Known<AgeFacts>;
  /** The same answer each time; the first question about a cohort begins to read it. */
  cohort(name: string): Known<CohortMembers>;
  /** Why gone accounts are not on this list, in a sentence; null where they are. */
  readonly withoutGone: string | null;
}

/** Where nothing but lists is known. */
export const noFacts: AccountFacts = Object.freeze({
  ages: { kind: "unknown", why: "Ages of accounts are not known here." } as const,
  cohort: (name: string) => ({ kind: "unknown", why: `There is no cohort "${name}".` }) as const,
  withoutGone: "Gone accounts are not on this list.",
});
