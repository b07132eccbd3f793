import type { RowColumns } from "../../accounts/columns.ts";
import type { WatchSubject } from "../../watch/subject.ts";
import type { Transition } from "../../watch/transitions.ts";
import type { NumberColumn } from "../number-index.ts";

/**
 * The observations of one service origin: the history that complete loads of its lists have shown
 * on this machine. Several processes can use the same file. All times are epoch milliseconds.
 *
 * Reading rejects with a file error if the file is unreadable. Recording never rejects. A list that
 * cannot or must not be stored continues the stored lists in memory, and reading includes it.
 */
export interface Observations {
  /**
   * Returns the reason why nothing can be recorded, as a sentence, or null if recording works or is
   * off.
   */
  problem(): string | null;
  /** Begins one load. Nothing is recorded before {@link LoadRecorder.finish}. */
  begin(supplier: string, startedAt: number): LoadRecorder;
  /** Returns the ages of a supplier, or null if it was never observed. */
  ages(supplier: string, signal?: AbortSignal): Promise<Ages | null>;
  /**
   * Returns the changes of the last 90 days, oldest first. `since` is the earliest time to include.
   */
  changes(supplier: string, since: number | null): Promise<readonly Change[]>;
  /** Yields the changes in pages, for any number of them. */
  changePages(
    supplier: string,
    since: number | null,
  ): AsyncGenerator<readonly Change[], void, void>;
  /** Returns the counts of each observation, oldest first. Older observations are thinned out. */
  counts(supplier: string, since: number | null): Promise<readonly ObservedCounts[]>;
  /** Returns the stored figures at `now`, or null if the supplier was never observed. */
  summary(supplier: string, now: number): Promise<ObservedSummary | null>;
  /** Returns the stored observations of every origin, by origin and supplier. */
  stored(): Promise<readonly StoredObservations[]>;
  /**
   * Deletes a supplier of this origin, everything, or suppliers last observed before a time.
   * Returns the number of suppliers removed from the file.
   */
  purge(what: { readonly supplier: string } | { readonly before: number } | "all"): Promise<number>;
  /** Records the list that was held back. Returns false if there is none. */
  confirm(supplier: string): Promise<boolean>;
  /**
   * Records one observed status at the service's time. It is stored soon, at the latest by {@link
   * close}.
   */
  saw(subject: WatchSubject, state: string, at: number): void;
  /** Returns the observed states of a subject, oldest first. */
  timeline(subject: WatchSubject): Promise<readonly Transition[]>;
  /**
   * Returns the durations (ms) of those imports of a supplier's accounts whose beginning and end
   * were observed.
   */
  importTimes(supplier: string): Promise<readonly number[]>;
  /** Waits until recording has ended. */
  close(): Promise<void>;
}

/** The rows to compare: those of a batch, or of an earlier list. */
export interface ListRows extends Pick<RowColumns, "text" | "ends" | "flags" | "createdAt"> {
  readonly count: number;
}

/** Takes the rows of one load while they arrive. */
export interface LoadRecorder {
  /**
   * Copies the rows. Returns null if there is room for more, else a promise that resolves when
   * there is. A caller that waits for it keeps memory small. It never rejects.
   */
  take(rows: ListRows): Promise<void> | null;
  /** Records the list, which is complete and has only readable rows. */
  finish(): Promise<Recorded>;
  /** Drops a load that was cut off, failed, or had unreadable rows. */
  discard(): void;
}

/** The result of comparing a complete list with the lists before it. */
export type Seen =
  /** `first`: there was no earlier observation, so there are no changes. */
  | { readonly kind: "recorded"; readonly first: boolean; readonly changes: number }
  /**
   * The list lost too many accounts to be believed. `before` and `now` are the numbers of listed
   * accounts.
   */
  | { readonly kind: "held-back"; readonly before: number; readonly now: number }
  /** A load that began later is recorded already. */
  | { readonly kind: "late" };

/** The result of recording a load. */
export type Recorded = Seen | NotRecorded;

/** Nothing is stored. The content of the list stays known while the program runs. */
export interface NotRecorded {
  readonly kind: "off";
  /** The sentence of the problem, or null if recording is switched off. */
  readonly why: string | null;
  /** The comparison of the list, or null if it is not complete or could not be compared. */
  readonly seen: Seen | null;
  /** The start of the last stored list, or null if there is none that can be read. */
  readonly storedAt: number | null;
}

/**
 * Returns the comparison of a list with those before it, stored or not, or null if it is unknown.
 */
export function seenIn(recorded: Recorded | null): Seen | null {
  return recorded?.kind === "off" ? recorded.seen : recorded;
}

/** The states and ages of a supplier's accounts as of the last observation. */
export interface Ages {
  /** The start of the last observation. */
  readonly observedAt: number;
  /** The start of the first observation: nothing is known from before. */
  readonly historySince: number;
  /** Accounts that are known, listed or not. Rows count from 0. */
  readonly rows: number;
  /** Returns the row of an account number in UTF-8, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number;
  rowOf(external: string): number;
  /** Returns the account number of a row. */
  externalAt(row: number): string;
  /** The account numbers of all rows. */
  readonly numbers: NumberColumn;
  /**
   * Returns the state as of the last observation and its start as far as observed, or null for a
   * deleted row.
   */
  observedStateOf(row: number): ObservedState | null;
  /** Returns true if the last observation listed it as imported. */
  isImported(row: number): boolean;
  /**
   * Returns the time since which the account is pending, as far as observed, or NaN if it is not
   * pending.
   */
  pendingSince(row: number): number;
  firstSeen(row: number): number;
  /** Returns the time at which a list first lacked the account, or NaN if it is not gone. */
  goneAt(row: number): number;
  /**
   * Returns true if it was not listed in the last observation before today. False if there was
   * none.
   */
  isNew(row: number): boolean;
  gone(): Iterable<GoneAccount>;
}

/** The state of an account in the last observation. */
interface ObservedState {
  /** `removed`: it was imported and is no longer listed. */
  readonly state: "pending" | "imported" | "gone" | "removed";
  /** NaN for an imported account. */
  readonly since: number;
}

/** An account that was pending, is no longer listed, and was never imported. */
export interface GoneAccount {
  readonly external: string;
  readonly firstSeenAt: number;
  /** The time since which it was pending before it was gone. */
  readonly pendingSince: number;
  readonly goneAt: number;
}

/**
 * One account that changed in an observation. `from` and `to` are service account numbers for
 * `renumbered`, else `pending`, `imported`, `gone`, `removed`, or null before an account was first
 * seen.
 */
export interface Change {
  readonly external: string;
  readonly change: ChangeKind;
  readonly from: string | null;
  readonly to: string | null;
  readonly seenAt: number;
}

export type ChangeKind = "staged" | "imported" | "gone" | "returned" | "renumbered" | "removed";

/** The numbers of accounts in one observation. */
export interface ObservedCounts {
  readonly at: number;
  readonly pending: number;
  readonly imported: number;
  /** Number of accounts that are gone at that time, including those of earlier observations. */
  readonly gone: number;
}

/** The figures of the last observation of a supplier. */
export interface ObservedSummary extends ObservedCounts {
  readonly historySince: number;
  readonly observations: number;
  /** The earliest pending time, or null if nothing is pending. */
  readonly oldestPendingSince: number | null;
  readonly pendingOverADay: number;
  /** The newest `account_created_at`, or null if none is known. */
  readonly newestCreatedAt: number | null;
  /** Number of changes of each kind in the 24 hours before `now`. */
  readonly lastDay: Readonly<Record<ChangeKind, number>>;
  /** The list that waits for confirmation, or null. */
  readonly heldBack: { readonly at: number; readonly before: number; readonly now: number } | null;
}

/** The stored observations of one supplier of one origin. */
export interface StoredObservations {
  readonly supplier: string;
  readonly origin: string;
  readonly observations: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Accounts that are known, listed or not. */
  readonly accounts: number;
  /** Approximate size in the file. */
  readonly bytes: number;
}
