import {
  accountFinality,
  cohortFinality,
  type Finality,
  supplyPointFinality,
  type Transition,
} from "./transitions.ts";

/** An account, a supply point or a cohort whose import can be watched. */
export interface WatchSubject {
  readonly kind: "account" | "supply-point" | "cohort";
  readonly supplier: string;
  /** The external account number, the supply point's external identifier, or the cohort's name. */
  readonly number: string;
}

/** A watched subject as stored, with its observations. */
export interface StoredWatch extends WatchSubject {
  /** Epoch milliseconds at which the subject was added. */
  readonly addedAt: number;
  readonly timeline: readonly Transition[];
}

/** Returns true if a subject counts toward the limit of the watch list. A cohort does not. */
export function isSingle({ kind }: WatchSubject): boolean {
  return kind !== "cohort";
}

/**
 * Returns the key of a subject. It includes the kind, because an account and a supply point can
 * share a number.
 */
export function keyOf({ kind, supplier, number }: WatchSubject): string {
  return JSON.stringify([kind, supplier, number]);
}

/**
 * Returns the part of a timeline that counts for a watch that started at `addedAt` (epoch
 * milliseconds): its latest state, and the observations since then. A failure before the watch does
 * not end it.
 */
export function timelineSince(
  timeline: readonly Transition[],
  addedAt: number,
): readonly Transition[] {
  const latest = timeline.at(-1);
  return timeline.filter((one) => one === latest || one.lastSeenAt >= addedAt);
}

const finalities = {
  account: accountFinality,
  "supply-point": supplyPointFinality,
  cohort: cohortFinality,
} as const;

/** Returns the finality of a timeline by the rules of the kind of its subject (INTERFACE 3). */
export function finalityOf(kind: WatchSubject["kind"], timeline: readonly Transition[]): Finality {
  return finalities[kind](timeline);
}
