/** The interface of the observations: the history of the lists of a service. */
import type { RowColumns } from "../../accounts/columns.ts";
import type { Transition, WatchSubject } from "../../watch/timeline.ts";
import type { NumberColumn } from "../account-numbers.ts";
import type { ImportFigures } from "../import-pace.ts";

/**
 * The observations of one service origin: the history of its lists, from the complete loads on this
 * computer. Several processes can use the same file. All times are epoch milliseconds.
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
  /** Returns the states and ages of a supplier's accounts, or null if it was never observed. */
  ages(supplier: string, signal?: AbortSignal): Promise<Ages | null>;
  /**
   * Returns the changes of the last 90 days, oldest first. `since` is the earliest time to include.
   */
  changes(supplier: string, since: number | null): Promise<readonly Change[]>;
  changePages(
    supplier: string,
    since: number | null,
  ): AsyncGenerator<readonly Change[], void, void>;
  /**
   * Returns the counts of each observation, oldest first. After 90 days, only the last observation
   * of each day remains.
   */
  counts(supplier: string, since: number | null): Promise<readonly ObservedCounts[]>;
  /** Returns the stored figures at `now`, or null if the supplier was never observed. */
  summary(supplier: string, now: number): Promise<ObservedSummary | null>;
  stored(): Promise<readonly StoredObservations[]>;
  /**
   * Deletes a supplier of this origin, everything, or suppliers last observed before a time.
   * Returns the number of suppliers removed from the file.
   */
  purge(what: PurgeSelection): Promise<number>;
  /** Records the list that is held back. Returns false if there is none. */
  confirm(supplier: string): Promise<boolean>;
  /**
   * Records one observed status at the service's time. The status is stored soon, at the latest by
   * {@link close}.
   */
  saw(subject: WatchSubject, state: string, at: number): void;
  timeline(subject: WatchSubject): Promise<readonly Transition[]>;
  /**
   * Returns the durations, in milliseconds, of the imports of a supplier's accounts whose start and
   * end were observed.
   */
  importTimes(supplier: string): Promise<readonly number[]>;
  /**
   * Returns the figures of a supplier's imports in its last list, or null if it was never observed.
   */
  importFigures(supplier: string): Promise<ImportFigures | null>;
  /**
   * Returns the number of machines whose lists are in the history of a supplier, as last read, or null if no
   * team shares it.
   */
  machines(supplier: string): number | null;
  /** Returns the part of a supplier's history that is a team's, or null if no team shares it. */
  shared(supplier: string): Promise<SharedHistory | null>;
  close(): Promise<void>;
}

export interface SharedHistory {
  readonly machines: number;
  /** The machine and the person of the newest list. Both are not trusted. */
  readonly machine: string;
  readonly person: string;
  /** Number of lists of this machine that the team does not have yet. */
  readonly unpublished: number;
  /** Number of lists of this machine that were left out, because others have recorded later ones. */
  readonly dropped: number;
}

/**
 * The observations to delete: those of a supplier of this origin, those last made before a time, or
 * all.
 */
export type PurgeSelection = { readonly supplier: string } | { readonly before: number } | "all";

export interface ListRows extends Pick<RowColumns, "text" | "ends" | "flags" | "createdAt"> {
  readonly count: number;
}

export interface LoadRecorder {
  /**
   * Compares the rows in slices. The promise resolves when they are no longer needed, and never rejects.
   */
  take(rows: ListRows): Promise<void>;
  /** Records the list, which is complete and has only readable rows. */
  finish(): Promise<Recorded>;
  discard(): void;
}

export type ListComparison =
  /** `first` is true if there was no earlier observation and therefore no changes. */
  | { readonly kind: "recorded"; readonly first: boolean; readonly changes: number }
  /**
   * The list lacks too many accounts and waits for confirmation. `before` and `now` are the numbers
   * of listed accounts.
   */
  | { readonly kind: "held-back"; readonly before: number; readonly now: number }
  /** A load that began later is already recorded. */
  | { readonly kind: "late" };

export type Recorded = ListComparison | NotRecorded;

/** Nothing is stored. The content of the list is in memory while the program runs. */
export interface NotRecorded {
  readonly kind: "off";
  /** The problem as a sentence, or null if recording is switched off. */
  readonly why: string | null;
  /** The result of the comparison, or null if the list is not complete or could not be compared. */
  readonly comparison: ListComparison | null;
  /** The start of the last stored list, or null if there is none that can be read. */
  readonly storedAt: number | null;
}

export function notRecorded(why: string | null): NotRecorded {
  return { kind: "off", why, comparison: null, storedAt: null };
}

export function comparisonIn(recorded: Recorded | null): ListComparison | null {
  return recorded?.kind === "off" ? recorded.comparison : recorded;
}

export interface Ages {
  readonly observedAt: number;
  /** The start of the first observation. No earlier state is known. */
  readonly historySince: number;
  /** Number of known accounts, listed or not. Rows count from 0. */
  readonly rows: number;
  /** Returns the row of an account number in UTF-8, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number;
  rowOf(external: string): number;
  externalAt(row: number): string;
  readonly numbers: NumberColumn;
  /** Returns the last observed state and its observed start, or null for a deleted row. */
  observedStateOf(row: number): ObservedState | null;
  isImported(row: number): boolean;
  /** Returns the observed start of the pending time, or NaN if the account is not pending. */
  pendingSince(row: number): number;
  firstSeen(row: number): number;
  /** Returns the time of the last list with the account, or NaN if it is still listed. */
  lastSeen(row: number): number;
  /** Returns the creation time of the account in the lists, or NaN if it is unknown. */
  createdAt(row: number): number;
  /** Returns the first list with the account as pending, or NaN. Later, the account can be gone. */
  firstPending(row: number): number;
  /** Returns the time at which a list first lacked the account, or NaN if it is not gone. */
  goneAt(row: number): number;
  /**
   * Returns true if the account is listed and was not listed in the last observation before today.
   * Returns false if there was no such observation.
   */
  isNew(row: number): boolean;
  gone(): Iterable<GoneAccount>;
}

interface ObservedState {
  /** `removed` is an account that was imported and is no longer listed. */
  readonly state: "pending" | "imported" | "gone" | "removed";
  /** The start of the state, or NaN for an imported account. */
  readonly since: number;
}

/** An account that was pending, is no longer listed, and was never imported. */
export interface GoneAccount {
  readonly external: string;
  readonly firstSeenAt: number;
  /** The time at which the account was first seen pending. */
  readonly pendingSince: number;
  readonly goneAt: number;
}

/**
 * A change of one account in an observation. `from` and `to` are service account numbers for
 * `renumbered`. Otherwise they are `pending`, `imported`, `gone` or `removed`, or null before the
 * account was first seen.
 */
export interface Change {
  readonly external: string;
  readonly change: ChangeKind;
  readonly from: string | null;
  readonly to: string | null;
  readonly seenAt: number;
}

export type ChangeKind = "staged" | "imported" | "gone" | "returned" | "renumbered" | "removed";

export interface ObservedCounts {
  readonly at: number;
  readonly pending: number;
  readonly imported: number;
  /** Number of accounts that are gone at that time, including those of earlier observations. */
  readonly gone: number;
}

export interface ObservedSummary extends ObservedCounts {
  readonly historySince: number;
  readonly observations: number;
  /** The earliest pending time, or null if nothing is pending. */
  readonly oldestPendingSince: number | null;
  readonly pendingOverADay: number;
  /** Number of changes of each kind in the 24 hours before `now`. */
  readonly lastDay: Readonly<Record<ChangeKind, number>>;
  readonly heldBack: { readonly at: number; readonly before: number; readonly now: number } | null;
}

export interface StoredObservations {
  readonly supplier: string;
  readonly origin: string;
  readonly observations: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Accounts that are known, listed or not. */
  readonly accounts: number;
  /** Approximate size in the file, in bytes. */
  readonly bytes: number;
}

/** Number of accounts up to which a list can lose more than half of them and be recorded. */
const fewAccounts = 100;

/**
 * Returns true if a list is held back until someone confirms it: it is empty, or lost more than half
 * of the accounts of the list before.
 */
export function lostTooMany(of: {
  readonly before: number;
  readonly listed: number;
  /** Number of accounts of the list before that are not in this list. */
  readonly lost: number;
}): boolean {
  const { before, listed, lost } = of;
  return (listed === 0 && before > 0) || (before > fewAccounts && lost > before / 2);
}
