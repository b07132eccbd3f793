/** The views of a team's ledger apart from single entries. No text in them is trusted. */
import * as z from "zod/mini";
import type { ActivityFilter } from "../activity.ts";
import { type Answer, authorFields, maybeText, maybeWhole, state, tookEffect } from "./answers.ts";
import { fourEyes } from "./approvals.ts";

const author = z.object(authorFields);

export type Author = Answer<typeof author>;

/** The way in which a colleague settled an entry of another machine. */
const closingAct = z.enum(["closed", "verified"]);

export type ClosingAct = Answer<typeof closingAct>;

export const colleagueClosing = z.object({
  /** The ID of the entry in the journal of this machine. */
  localId: z.int(),
  tookEffect,
  act: closingAct,
  author,
  reason: z.string(),
});

/** An entry of this state folder that a colleague closed in the ledger. */
export type ColleagueClosing = Answer<typeof colleagueClosing>;

export const teamRun = z.object({
  ...authorFields,
  journal: z.string(),
  run: z.string(),
  profile: z.string(),
  operation: z.string(),
  /** Number of requests of the run, or null if its machine did not report it. */
  requests: maybeWhole,
  firstAt: z.int(),
  lastAt: z.int(),
  /** Number of claimed entries by outcome. Outcomes without an entry are absent. */
  counts: z.partialRecord(state, z.int()),
});

/** A bulk run of another state folder. Instants are epoch milliseconds by the clock of the database. */
export type TeamRun = Answer<typeof teamRun>;

const openOfPerson = z.object({
  ...authorFields,
  importSupplier: z.string(),
  unknown: z.int(),
  retryable: z.int(),
});

/** The open entries of one person on one machine at one supplier. */
export type OpenOfPerson = Answer<typeof openOfPerson>;

export const openWork = z.object({
  /** Sorted by person, machine and supplier. */
  people: z.array(openOfPerson),
  /** The policy of the service: if requests of colleagues can wait. */
  fourEyes: z.enum(fourEyes),
});

/** The open work of the other state folders. */
type OpenWork = Answer<typeof openWork>;

export const doneOfPerson = z.object({
  ...authorFields,
  operation: z.string(),
  importSupplier: z.string(),
  outcome: state,
  tookEffect,
  entries: z.int(),
  rows: z.int(),
});

/** The rows of one person's entries with one outcome. */
export type DoneOfPerson = Answer<typeof doneOfPerson>;

export const ledgerAct = z.object({
  ...authorFields,
  kind: z.enum(["override", "closed", "verified", "twice"]),
  /** Epoch milliseconds by the clock of the database. */
  at: z.int(),
  reason: maybeText,
});

/** An act of a person on an entry, or a breach of the promise. */
export type LedgerAct = Answer<typeof ledgerAct>;

/** The conditions for sums. `since` and `before` are about the claim. */
export type DoneFilter = Pick<
  ActivityFilter,
  "importSupplier" | "run" | "profile" | "since" | "before"
>;

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
