/** The watch list as it is used. */
import type { Clock } from "../api/clock.ts";
import type { Budget } from "./budget.ts";
import type { FollowByLists } from "./by-lists.ts";
import type { PollEvent } from "./poll.ts";
import type { CheckHistory } from "./sightings.ts";
import type { WatchRecord, WatchSubject } from "./subject.ts";
import type { CheckResult, Watched, WatchProgress } from "./watched.ts";

/** The reason why nothing is checked, or `none`. */
export type WatchPause =
  | { readonly kind: "none" }
  | { readonly kind: "asked" }
  /** The service refused the credentials: further checks would not help. */
  | { readonly kind: "refused"; readonly error: unknown };

export interface WatchSnapshot {
  /** The subjects in the order in which they were added. */
  readonly entries: readonly Watched[];
  /** Number of subjects that have not reached a final state. */
  readonly open: number;
  readonly pause: WatchPause;
  /** Milliseconds. */
  readonly askedMs: number;
  /**
   * Interval in milliseconds between two checks of a subject. It is longer than `askedMs` if there
   * are many subjects.
   */
  readonly everyMs: number;
  /** Suppliers whose open accounts are checked with a list, and not one by one. */
  readonly byLists: readonly string[];
  /** True if the stored list has been read. Before that, the list might be incomplete. */
  readonly isKnown: boolean;
  /** The reason why the list could not be read or stored, or null if there is none. */
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
  /** Removes the subjects, and returns the number of those that were on the list. */
  remove(subjects: readonly WatchSubject[]): number;
  togglePause(): void;
  /** Checks all open subjects now, and these even if they are final. */
  refresh(also?: readonly WatchSubject[]): void;
  /**
   * Lets a screen that checks this subject do so for the list too, until it is released; also when
   * the subject is added to the list meanwhile.
   */
  borrow(subject: WatchSubject): Borrowed;
  /** Applies the changes of other programs to the list. */
  sync(): void;
  /** Stops all checks, and stores the observations. */
  close(): void;
}

/** A subject that a screen checks for the list. */
interface Borrowed {
  /** Reports each event of the screen's checks. Ignored after the release. */
  report(event: PollEvent<CheckResult>): void;
  release(): void;
}

export interface WatchListOptions {
  /** Checks a subject. Rejects with `not-found` if the service does not know it. */
  readonly check: (subject: WatchSubject, signal: AbortSignal) => Promise<CheckResult>;
  /**
   * The observations of a subject, on this list or elsewhere in the program. The list reads missing
   * states from it, and adds the states that its record has from earlier sessions.
   */
  readonly sightings?: Pick<CheckHistory, "of" | "recall">;
  readonly clock: Clock;
  /** Milliseconds by which the clock is ahead of the service's, whose time is that of timelines. Default: 0. */
  readonly wrongByMs?: () => number;
  /** Configured interval in milliseconds between two checks of a subject. */
  readonly askedMs: number;
  readonly record: WatchRecord;
  /**
   * Checks the accounts of a supplier with many watched accounts by its lists. Without it each
   * account is checked by its status.
   */
  readonly lists?: FollowByLists;
  readonly budget?: Budget;
  readonly random?: () => number;
  /** Receives the error of each check, or null if the service answered. */
  readonly onCheck?: (error: unknown) => void;
}
