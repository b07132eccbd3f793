import type { RowColumns } from "../../accounts/columns.ts";
import type { WatchSubject } from "../../watch/subject.ts";
import type { Transition } from "../../watch/transitions.ts";
import type { NumberColumn } from "../number-index.ts";

/**
 * What complete loads of a service's lists have shown over time, on this machine. Bound to one
 * service origin; several processes may use the same file. All times are epoch milliseconds.
 *
 * Reading rejects with a file error where the file cannot be read. Recording never rejects. A list that
 * cannot be stored, or must not, continues what is stored in memory: reading answers with it.
 */
export interface Observations {
  /** Why nothing can be recorded, as a sentence; null while it can, and where recording is off. */
  problem(): string | null;
  /** One load begins. Nothing is recorded before {@link LoadRecorder.finish}. */
  begin(supplier: string, startedAt: number): LoadRecorder;
  /** Null where the supplier was never observed. */
  ages(supplier: string, signal?: AbortSignal): Promise<Ages | null>;
  /** Oldest first; of the last 90 days. `since` is the earliest time to be in it. */
  changes(supplier: string, since: number | null): Promise<readonly Change[]>;
  /** The same in pages, however many there are. */
  changePages(
    supplier: string,
    since: number | null,
  ): AsyncGenerator<readonly Change[], void, void>;
  /** How many accounts each observation saw, oldest first; thinned out with age. */
  counts(supplier: string, since: number | null): Promise<readonly ObservedCounts[]>;
  /** The stored figures at `now`; null where the supplier was never observed. */
  summary(supplier: string, now: number): Promise<ObservedSummary | null>;
  /** What is stored of every origin, by origin and supplier. */
  stored(): Promise<readonly StoredObservations[]>;
  /**
   * Deletes a supplier of this origin, everything, or what was last observed before a time; the
   * result is how many suppliers are gone from the file.
   */
  purge(what: { readonly supplier: string } | { readonly before: number } | "all"): Promise<number>;
  /** Records the list that was held back; false where none is. */
  confirm(supplier: string): Promise<boolean>;
  /** One status seen, by the service's time. It is stored soon, at the latest by {@link close}. */
  saw(subject: WatchSubject, state: string, at: number): void;
  /** The states seen of a subject, oldest first. */
  timeline(subject: WatchSubject): Promise<readonly Transition[]>;
  /**
   * How long imports of a supplier's accounts were in progress, in milliseconds: those that were seen
   * to begin and to end.
   */
  importTimes(supplier: string): Promise<readonly number[]>;
  /** Waits for what is being recorded. */
  close(): Promise<void>;
}

/** Rows as they travel to the comparison: those of a batch or of a list that was compared before. */
export interface ListRows extends Pick<RowColumns, "text" | "ends" | "flags" | "createdAt"> {
  readonly count: number;
}

/** Takes the rows of one load while they arrive. */
export interface LoadRecorder {
  /**
   * Copies the rows. Null while there is room for more; else a promise that resolves when there is:
   * a caller that waits for it keeps the memory small. It never rejects.
   */
  take(rows: ListRows): Promise<void> | null;
  /** The list is complete, and every row of it was readable. */
  finish(): Promise<Recorded>;
  /** The load was cut off, failed, or had unreadable rows. */
  discard(): void;
}

/** What a complete list is beside those before it. */
export type Seen =
  /** `first`: there was no observation before, so there are no changes. */
  | { readonly kind: "recorded"; readonly first: boolean; readonly changes: number }
  /** The list lost too many accounts to be believed; `before` and `now` are how many were listed. */
  | { readonly kind: "held-back"; readonly before: number; readonly now: number }
  /** A load that began later is recorded already. */
  | { readonly kind: "late" };

/** What has become of a load. */
export type Recorded = Seen | NotRecorded;

/** Nothing is stored. What the list shows is known all the same, as long as the program runs. */
export interface NotRecorded {
  readonly kind: "off";
  /** The sentence of the problem; null if recording is switched off. */
  readonly why: string | null;
  /** Null if the list is not complete, or could not be compared. */
  readonly seen: Seen | null;
  /** When the last list that is stored began; null without one that can be read. */
  readonly storedAt: number | null;
}

/** What a list is beside those before it, whether it is stored or not; null if that is not known. */
export function seenIn(recorded: Recorded | null): Seen | null {
  return recorded?.kind === "off" ? recorded.seen : recorded;
}

/** What is known of each account of a supplier, as of the last observation. */
export interface Ages {
  /** When the last observation began. */
  readonly observedAt: number;
  /** When the first one began: nothing is known from before. */
  readonly historySince: number;
  /** Accounts that are known, listed or not; rows count from 0. */
  readonly rows: number;
  /** The row of an account number in UTF-8, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number;
  rowOf(external: string): number;
  /** The account number of a row. */
  externalAt(row: number): string;
  /** The account numbers of all rows. */
  readonly numbers: NumberColumn;
  /** The state as of the last observation, and since when as far as observed; null for a deleted row. */
  standingOf(row: number): Standing | null;
  /** Whether the last observation listed it as imported. */
  isImported(row: number): boolean;
  /** Since when the account is pending, as far as observed; NaN unless it is pending. */
  pendingSince(row: number): number;
  firstSeen(row: number): number;
  /** When the account was first not listed any more; NaN unless it is gone. */
  goneAt(row: number): number;
  /** Whether it was not listed in the last observation before today; false where there was none. */
  isNew(row: number): boolean;
  gone(): Iterable<GoneAccount>;
}

/** The state of an account in the last observation. */
interface Standing {
  /** `removed`: it was imported, and is no longer listed. */
  readonly state: "pending" | "imported" | "gone" | "removed";
  /** NaN for an imported account. */
  readonly since: number;
}

/** An account that was pending, is no longer listed, and was never imported. */
export interface GoneAccount {
  readonly external: string;
  readonly firstSeenAt: number;
  /** Since when it was pending before it was gone. */
  readonly pendingSince: number;
  readonly goneAt: number;
}

/**
 * One account that another observation shows differently. `from` and `to` are service account
 * numbers for `renumbered`, else `pending`, `imported`, `gone`, `removed`, or null before an account
 * was first seen.
 */
export interface Change {
  readonly external: string;
  readonly change: ChangeKind;
  readonly from: string | null;
  readonly to: string | null;
  readonly seenAt: number;
}

export type ChangeKind = "staged" | "imported" | "gone" | "returned" | "renumbered" | "removed";

/** How many accounts one observation saw. */
export interface ObservedCounts {
  readonly at: number;
  readonly pending: number;
  readonly imported: number;
  /** Accounts that are gone by then, those of earlier observations included. */
  readonly gone: number;
}

/** The figures of the last observation of a supplier. */
export interface ObservedSummary extends ObservedCounts {
  readonly historySince: number;
  readonly observations: number;
  /** Null while nothing is pending. */
  readonly oldestPendingSince: number | null;
  readonly pendingOverADay: number;
  /** The newest `account_created_at`; null while none is known. */
  readonly newestCreatedAt: number | null;
  /** How many changes of each kind were seen in the 24 hours before `now`. */
  readonly lastDay: Readonly<Record<ChangeKind, number>>;
  /** The list that waits to be confirmed. */
  readonly heldBack: { readonly at: number; readonly before: number; readonly now: number } | null;
}

/** What is stored of one supplier of one origin. */
export interface StoredObservations {
  readonly supplier: string;
  readonly origin: string;
  readonly observations: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Accounts that are known, listed or not. */
  readonly accounts: number;
  /** Room in the file, about. */
  readonly bytes: number;
}
