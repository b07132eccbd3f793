/** The watch list as it is used. */
import type { Clock } from "../api/clock.ts";
import type { Budget } from "./budget.ts";
import type { PollEvent } from "./poll.ts";
import type { Sightings } from "./sightings.ts";
import type { WatchRecord, WatchSubject } from "./subject.ts";
import type { Sighting, Watched, WatchProgress } from "./watched.ts";

/** Whether and why nothing is looked at. */
export type WatchPause =
  | { readonly kind: "none" }
  | { readonly kind: "asked" }
  /** The service refused the credentials: asking on would not help. */
  | { readonly kind: "refused"; readonly error: unknown };

export interface WatchSnapshot {
  /** In the order they were added. */
  readonly entries: readonly Watched[];
  /** How many have not reached a final state. */
  readonly open: number;
  readonly pause: WatchPause;
  /** Milliseconds. */
  readonly askedMs: number;
  /** How often each is looked at: longer than asked where there are too many. */
  readonly everyMs: number;
  /** Why the list could not be read or kept; null when it could. */
  readonly unkept: unknown;
}

/** What came of adding some. */
export interface Added {
  readonly added: number;
  /** Those that were on the list already. */
  readonly known: number;
  /** Those there was no room for. */
  readonly left: number;
}

/** Accounts and supply points that are looked at side by side, whatever is on the screen. */
export interface WatchList {
  /** Another object whenever something worth drawing has changed. */
  snapshot(): WatchSnapshot;
  subscribe(listener: () => void): () => void;
  /** Called when one reaches a final state, as it is then. */
  onFinal(listener: (watched: Watched) => void): () => void;
  progress(key: string): WatchProgress | null;
  has(subject: WatchSubject): boolean;
  add(subjects: readonly WatchSubject[]): Added;
  /** How many were on the list and are not any more. */
  remove(subjects: readonly WatchSubject[]): number;
  togglePause(): void;
  /** Looks now at all that are open, and at these although they may be final. */
  refresh(also?: readonly WatchSubject[]): void;
  /**
   * Lets a screen that checks this subject do so for the list too, until it is released; also when
   * the subject is added to the list meanwhile.
   */
  borrow(subject: WatchSubject): Borrowed;
  /** Takes over what other programs have added and removed. */
  sync(): void;
  /** Stops everything, and keeps what was seen. */
  close(): void;
}

/** A subject that a screen checks for the list. */
export interface Borrowed {
  /** Reports each event of the screen's checks; ignored once released. */
  report(event: PollEvent<Sighting>): void;
  release(): void;
}

export interface WatchListOptions {
  /** Rejects with `not-found` for what the service knows nothing of. */
  readonly look: (subject: WatchSubject, signal: AbortSignal) => Promise<Sighting>;
  /**
   * What was observed of a subject, on this list or elsewhere in the program. The list reads from it
   * what it does not know, and adds what its record knows from earlier sessions.
   */
  readonly sightings?: Pick<Sightings, "of" | "recall">;
  readonly clock: Clock;
  /** How often each is to be looked at, in milliseconds. */
  readonly askedMs: number;
  readonly record: WatchRecord;
  readonly budget?: Budget;
  readonly random?: () => number;
  /** Told of every look: null when the service answered. */
  readonly looked?: (error: unknown) => void;
}
