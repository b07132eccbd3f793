/** The watch list as it is used. */
import type { Follower, FollowerOptions } from "./follower.ts";
import type { WatchRecord } from "./record.ts";
import type { WatchSubject } from "./subject.ts";
import type { Watched, WatchProgress } from "./watched.ts";

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
  /** Checks a subject for a screen, whether or not it is on the list. */
  readonly show: Follower["show"];
  /** Applies the changes of other programs to the list. */
  sync(): void;
  /** Stops all checks, and stores the observations. */
  close(): void;
}

export interface WatchListOptions extends FollowerOptions {
  readonly record: WatchRecord;
}
