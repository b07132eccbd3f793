/** The watch list as it is used. */
import type { Clock } from "../api/clock.ts";
import type { Budget } from "./budget.ts";
import type { FollowByLists } from "./by-lists.ts";
import type { PollEvent } from "./poll.ts";
import type { Sightings } from "./sightings.ts";
import type { WatchRecord, WatchSubject } from "./subject.ts";
import type { Sighting, Watched, WatchProgress } from "./watched.ts";

/** Whether and why nothing is checked. */
export type WatchPause =
  | { readonly kind: "none" }
  | { readonly kind: "asked" }
  /** The service refused the credentials: further checks would not help. */
  | { readonly kind: "refused"; readonly error: unknown };

export interface WatchSnapshot {
  /** In the order they were added. */
  readonly entries: readonly Watched[];
  /** How many have not reached a final state. */
  readonly open: number;
  readonly pause: WatchPause;
  /** Milliseconds. */
  readonly askedMs: number;
  /** How often each is checked: less often than asked where there are too many. */
  readonly everyMs: number;
  /** Suppliers whose open accounts are checked with a list, and not one by one. */
  readonly byLists: readonly string[];
  /** The stored list has been read: else there may be more than is known here. */
  readonly isKnown: boolean;
  /** Why the list could not be read or kept; null when it could. */
  readonly unkept: unknown;
}

/** The result of adding some. */
export interface Added {
  readonly added: number;
  /** Already on the list. */
  readonly known: number;
  /** The number of accounts and supply points without room; if there are any, none was added. */
  readonly beyond: number;
}

/** Is called with a watched subject, and with the account of a cohort that has failed, or null. */
export type FinalListener = (watched: Watched, failed: string | null) => void;

/** Accounts and supply points that are checked side by side, whatever is on the screen. */
export interface WatchList {
  /** A new object whenever something visible has changed. */
  snapshot(): WatchSnapshot;
  subscribe(listener: () => void): () => void;
  /** Calls the listener when one reaches a final state, as it is then, and when an account of a cohort fails. */
  onFinal(listener: FinalListener): () => void;
  progress(key: string): WatchProgress | null;
  has(subject: WatchSubject): boolean;
  add(subjects: readonly WatchSubject[]): Added;
  /** How many were removed. */
  remove(subjects: readonly WatchSubject[]): number;
  togglePause(): void;
  /** Checks all open subjects now, and these even if they are final. */
  refresh(also?: readonly WatchSubject[]): void;
  /**
   * Lets a screen that checks this subject do so for the list too, until it is released; also when
   * the subject is added to the list meanwhile.
   */
  borrow(subject: WatchSubject): Borrowed;
  /** Adopts what other programs have added and removed. */
  sync(): void;
  /** Stops everything, and keeps what was seen. */
  close(): void;
}

/** A subject that a screen checks for the list. */
interface Borrowed {
  /** Reports each event of the screen's checks; ignored once released. */
  report(event: PollEvent<Sighting>): void;
  release(): void;
}

export interface WatchListOptions {
  /** Rejects with `not-found` for what the service knows nothing of. */
  readonly check: (subject: WatchSubject, signal: AbortSignal) => Promise<Sighting>;
  /**
   * What was observed of a subject, on this list or elsewhere in the program. The list reads from it
   * what it does not know, and adds what its record knows from earlier sessions.
   */
  readonly sightings?: Pick<Sightings, "of" | "recall">;
  readonly clock: Clock;
  /** Milliseconds by which the clock is ahead of the service's, whose time is that of timelines. Default: 0. */
  readonly wrongByMs?: () => number;
  /** How often each is to be checked, in milliseconds. */
  readonly askedMs: number;
  readonly record: WatchRecord;
  /** How many accounts of one supplier are watched; without it each is checked by its status. */
  readonly lists?: FollowByLists;
  readonly budget?: Budget;
  readonly random?: () => number;
  /** Called after every check: null when the service answered. */
  readonly onCheck?: (error: unknown) => void;
}
