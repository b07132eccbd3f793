/** The views of a team's ledger apart from single entries. No text in them is trusted. */
import type { ActivityOutcome } from "../activity.ts";
import type { TookEffect } from "../journal/entry.ts";
import type { FourEyes } from "./approvals.ts";

/** The author of something in the ledger. Only the login of the database cannot be chosen. */
export interface Author {
  readonly person: string;
  readonly machine: string;
  readonly login: string;
}

/** The way in which a colleague settled an entry of another machine. */
export type ClosingAct = "closed" | "verified";

/** An entry of this state folder that a colleague closed in the ledger. */
export interface ColleagueClosing {
  /** The ID of the entry in the journal of this machine. */
  readonly localId: number;
  readonly tookEffect: TookEffect;
  readonly act: ClosingAct;
  readonly author: Author;
  readonly reason: string;
}

/** A bulk run of another state folder. Instants are epoch milliseconds by the clock of the database. */
export interface TeamRun extends Author {
  readonly journal: string;
  readonly run: string;
  readonly profile: string;
  readonly operation: string;
  /** Number of requests of the run, or null if its machine did not report it. */
  readonly requests: number | null;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Number of claimed entries by outcome. Outcomes without an entry are absent. */
  readonly counts: Readonly<Partial<Record<ActivityOutcome, number>>>;
}

/** The open entries of one person on one machine at one supplier. */
export interface OpenOfPerson extends Author {
  readonly importSupplier: string;
  readonly unknown: number;
  readonly retryable: number;
}

/** The open work of the other state folders. */
export interface OpenWork {
  /** Sorted by person, machine and supplier. */
  readonly people: readonly OpenOfPerson[];
  /** The policy of the service: if requests of colleagues can wait. */
  readonly fourEyes: FourEyes;
}

/** The rows of one person's entries with one outcome. */
export interface DoneOfPerson extends Author {
  readonly operation: string;
  readonly importSupplier: string;
  readonly outcome: ActivityOutcome;
  readonly tookEffect: TookEffect;
  readonly entries: number;
  readonly rows: number;
}

/** An act of a person on an entry, or a breach of the promise. */
export interface LedgerAct extends Author {
  readonly kind: "override" | "closed" | "verified" | "twice";
  /** Epoch milliseconds by the clock of the database. */
  readonly at: number;
  readonly reason: string | null;
}

/** The conditions for sums. An absent condition matches every entry. */
export interface DoneFilter {
  readonly importSupplier?: string | undefined;
  readonly run?: string | undefined;
  readonly profile?: string | undefined;
  /** Earliest time of the claim in epoch milliseconds, inclusive. */
  readonly since?: number | undefined;
  /** Latest time of the claim in epoch milliseconds, exclusive. */
  readonly before?: number | undefined;
}

/** The part of a ledger that only reads it. Each function rejects with a team error. */
export interface LedgerViews {
  /** Returns the closings by colleagues of entries of this state folder. */
  closings(localIds: readonly number[]): Promise<readonly ColleagueClosing[]>;
  /** Returns the acts on an entry, the oldest first. */
  acts(entry: number): Promise<readonly LedgerAct[]>;
  /** Returns the runs of other state folders, the latest first. */
  runs(limit: number): Promise<readonly TeamRun[]>;
  openWork(): Promise<OpenWork>;
  /** Returns the sums of the entries of other state folders, sorted by person. */
  done(filter: DoneFilter): Promise<readonly DoneOfPerson[]>;
}
