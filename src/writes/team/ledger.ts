/**
 * The port to a team's ledger: the shared record of what every machine of a team has sent. It decides
 * for all machines which entry may be sent. The driver is in postgres.ts, which only a profile with a
 * team loads.
 */
import * as z from "zod/mini";
import type { Clock } from "../../api/clock.ts";
import type { AppError } from "../../errors/app-error.ts";
import type { Profile } from "../../settings/schemas.ts";
import type { TeamAccess, TeamNames } from "../../settings/team-access.ts";
import type { ActivityFilter, ActivityOutcome } from "../activity.ts";
import type { Closing, Reason, TookEffect } from "../journal/entry.ts";
import type { Operation } from "../kinds/kind.ts";
import { type Answer, authorFields, maybeText, maybeWhole, state, tookEffect } from "./answers.ts";
import { type Approvals, unapproved } from "./approvals.ts";
import type { LedgerOverride } from "./ledger-override.ts";
import type { ClosingAct, LedgerViews } from "./ledger-views.ts";

/** Milliseconds for which a claim allows the first bytes of its request. */
export const claimGoodMs = 60_000;

/** The ID of a machine without a journal, which sends nothing, and which a repair does not wait for. */
export const noFolder = "00000000-0000-0000-0000-000000000000";

/** The ledger of a team, as one state folder uses it. */
export interface Ledger extends LedgerViews {
  /** Connects before the first call, which then need not wait for it. */
  connect(): void;
  /**
   * Claims an entry before its first attempt, under the guard of all machines. Never rejects. After
   * `away`, the claim might be stored: the caller sends nothing, and publishes that.
   */
  claim(request: ClaimRequest, signal: AbortSignal): Promise<ClaimAnswer>;
  /**
   * Returns what the ledger has of the items of each question, the most severe finding first. It claims
   * nothing, so the answer decides nothing. Rejects with a team error.
   */
  ask(questions: readonly Question[]): Promise<readonly (readonly TeamFinding[])[]>;
  /**
   * Extends the claims of entries that are being sent, so that other entries still wait for their
   * accounts. Resolves with the tokens that still have their account. Rejects with a team error.
   */
  renew(claims: readonly Renewal[]): Promise<ReadonlySet<string>>;
  /**
   * Publishes outcomes as the journal has them. Resolves with the journal IDs of those that the
   * ledger did not take, because it knows better. Rejects with a team error.
   */
  publish(outcomes: readonly Outcome[]): Promise<readonly number[]>;
  /**
   * Closes an entry whose outcome is open: by a person's decision, or because the service showed its
   * effect. Rejects with a team error.
   */
  closeEntry(id: number, closing: Closing, act: ClosingAct): Promise<CloseAnswer>;
  /**
   * Stores that a person took the team from the profile of this state folder at a time in epoch
   * milliseconds. Rejects with a team error.
   */
  leave(at: number): Promise<void>;
  /** Stores that this state folder claims again, and has published its entries. Rejects with a team error. */
  rejoin(): Promise<void>;
  /**
   * Returns the entries that changed since a watermark, oldest change first. Null starts with the
   * oldest entry. An entry can be repeated, and none is left out. Rejects with a team error.
   */
  since(watermark: string | null): Promise<Page>;
  /** Returns the matching entries, the newest claim first. Rejects with a team error. */
  list(filter: TeamFilter): Promise<readonly ListedEntry[]>;
  /** The requests and approvals of the service, where two people are asked for. */
  readonly approvals: Approvals;
  /** Ends the connection. Calls that wait for an answer end as `away`. */
  close(): Promise<void>;
}

/** Opens a ledger with an access. Nothing is connected before the first call. */
export type OpenLedger = (access: TeamAccess, options: LedgerOptions) => Ledger;

export interface LedgerOptions {
  readonly service: string;
  readonly user: LedgerUser;
  readonly clock: Clock;
  readonly random: () => number;
}

export interface TeamDriver {
  readonly env: Record<string, string | undefined>;
  readonly home: string;
  /** Returns the stored profiles, because a team belongs to a service. */
  profiles(): readonly Profile[];
  load(): Promise<OpenLedger>;
}

export interface TeamPlace {
  readonly service: string;
  readonly address: string;
}

export interface Team {
  readonly place: TeamPlace;
  readonly folder: string;
  /** The names of this machine and its person, which the ledger shows. */
  readonly names: TeamNames;
  readonly ledger: Ledger;
  now(): ClaimTime;
  /** Resolves when the outcomes of earlier processes are published or could not be. */
  readonly ready: Promise<void>;
  /** Returns the failure of the last call that published, or null if it succeeded. */
  trouble(): Trouble | null;
  /**
   * Publishes every outcome that the ledger does not have. Resolves with the number of those that
   * are left. Rejects with a journal error only.
   */
  publish(): Promise<number>;
  /**
   * Asks the ledger for its state. If it was restored from a backup, every outcome is to be published
   * again. Rejects with a team error, or a journal error.
   */
  contact(): Promise<void>;
  /** Returns the number of outcomes that the ledger does not have. Throws a journal error. */
  unpublished(): number;
  /** Publishes for a few seconds. Resolves with the number of outcomes that are left. Never rejects. */
  drain(): Promise<number>;
  /** Publishes for a few seconds, and ends the connection. Resolves with the number that is left. */
  close(): Promise<number>;
}

export interface Trouble {
  readonly error: AppError<"team">;
  /** Running time of the first failure since the last success, in milliseconds. */
  readonly since: number;
}

export interface LedgerUser {
  /** The random ID of the state folder, or {@link noFolder}. */
  readonly journal: string;
  /** The name of the machine, which is shown and never trusted. */
  readonly machine: string;
  /** The name of the person, which is shown and never trusted. */
  readonly person: string;
  position(): LedgerPosition;
  seen(state: LedgerState): void;
}

/** The state of a ledger, by which a machine notices that it was restored from a backup. */
export type LedgerState = Pick<Answer<typeof publishAnswer>, "epoch" | "newest">;

export interface LedgerPosition {
  /** The number of its latest claim. */
  readonly seq: number;
  /** The state of the ledger that it saw last, or null if it has seen none. */
  readonly state: LedgerState | null;
  /** True if every outcome of the journal is published with this call. */
  readonly isComplete: boolean;
}

/** A claim to extend. A new claim of the same entry has another token. */
export interface Renewal {
  readonly journal: string;
  readonly localId: number;
  readonly token: string;
  /** The number of attempts so far. */
  readonly attempts: number;
}

export interface LedgerEntry {
  readonly localId: number;
  /** The random name of the claim, which the journal stores before the ledger is asked. */
  readonly token: string;
  /** The number of the claim among those of its state folder. A later claim has a higher one. */
  readonly claimNumber: number;
  readonly service: string;
  /** The account lock (account-lock.ts). The ledger stores it only while the entry is being sent. */
  readonly account: string;
  readonly profile: string;
  readonly operation: Operation;
  readonly movesMoney: boolean;
  readonly importSupplier: string;
  readonly externalAccountNumber: string | null;
  readonly externalIdentifier: string | null;
  readonly run: string | null;
  /** Number of requests of the run, or null without a run. */
  readonly runRequests: number | null;
  readonly line: number | null;
  readonly sha256: string;
  /** The hash of the exact request (prepare.ts), which an approval is for. */
  readonly content: string;
  /** Epoch milliseconds by the clock of this machine. It only identifies the entry. */
  readonly recordedAt: number;
  readonly attempts: number;
}

interface ClaimItem {
  readonly key: string;
  readonly name: string | null;
  readonly isRecognized: boolean;
}

export interface Question {
  readonly service: string;
  readonly items: readonly ClaimItem[];
  /** The ID of the entry in the journal, which is left out, or null if it is not recorded. */
  readonly localId: number | null;
}

export interface ClaimRequest extends LedgerEntry {
  readonly items: readonly ClaimItem[];
  readonly override: LedgerOverride | null;
}

const entryFields = {
  id: z.int(),
  /** The state folder of the entry. */
  journal: z.string(),
  localId: z.int(),
  ...authorFields,
  state,
  /** Epoch milliseconds of the claim by the clock of the database. */
  at: z.int(),
  /** True if an entry that is being sent was not renewed in time. Its outcome is unknown. */
  isLeaseOver: z.boolean(),
  /** True if retention has removed the personal data of the entry. */
  isRemoved: z.boolean(),
};

const entry = z.object(entryFields);

/** An entry of the ledger. All its texts come from other machines and are not trusted. */
export type TeamEntry = Answer<typeof entry>;

export const teamFinding = z.object({
  position: z.int(),
  kind: z.enum(["sent-before", "refused-before", "reported"]),
  /** The state of the item, or null if it is only blocked. */
  state: z.nullable(state),
  earlier: entry,
  /** True if the override of the claim passes it. */
  isPassed: z.boolean(),
});

export type TeamFinding = Answer<typeof teamFinding>;

/** A moment by two clocks, because one can be set and the other stops while the machine sleeps. */
export interface ClaimTime {
  /** Epoch milliseconds. */
  readonly wall: number;
  /** Milliseconds of a clock that is never set. */
  readonly steady: number;
}

/** The permission for an attempt, until {@link claimGoodMs} after the question. */
export interface Permit {
  readonly askedAt: ClaimTime;
  /** The ID of the entry in the ledger, or null for a renewed claim, whose ID is stored. */
  readonly id: number | null;
}

const claimed = z.object({
  kind: z.literal("claimed"),
  token: z.string(),
  id: z.int(),
  /** The earlier entries that do not bar the claim, the most severe first. */
  findings: z.array(teamFinding),
});

type Claimed = Omit<Answer<typeof claimed>, "token"> & Permit;

/**
 * Returns true while the first bytes of a claimed request may leave. Later, a colleague might have
 * overridden the claim. It is checked in the commit of the attempt, and again before the bytes leave.
 */
export function isGood({ askedAt }: Pick<Permit, "askedAt">, now: ClaimTime): boolean {
  return Math.max(now.wall - askedAt.wall, now.steady - askedAt.steady) < claimGoodMs;
}

/**
 * The reason of a bar:
 * - `sent-before`: an earlier entry of an item took effect, or might have
 * - `refused-before`: the service refused an item of this form
 * - `recorded`: the ledger has an outcome of this entry, so the state folder is older than its claims
 * - `copied`: the ledger has another entry with this ID, so the folder was copied or restored
 * - `given-up`: the claim was given up, or is too old
 * - `restored`: the ledger was restored from a backup, and not every machine has reported back
 * - `unapproved`: two people are asked for, and no approval is for this entry
 */
const barReason = z.enum([
  "sent-before",
  "refused-before",
  "recorded",
  "copied",
  "given-up",
  "restored",
  "unapproved",
]);

export type BarReason = Answer<typeof barReason>;

const barred = z.object({
  kind: z.literal("barred"),
  token: z.string(),
  why: barReason,
  /** The earlier entries of the items, the most severe first. Empty for the other reasons. */
  findings: z.array(teamFinding),
  /** The entry of the ledger that has this ID, or null for the other reasons. */
  entry: z.nullable(entry),
  /** The request for the entry. Present only for `unapproved`. */
  approval: z.optional(unapproved),
});

export type Barred = Omit<Answer<typeof barred>, "token">;

/** Another entry is being sent to the same account. The caller asks again later. */
const busy = z.object({ kind: z.literal("busy"), token: z.string(), entry });

type Busy = Omit<Answer<typeof busy>, "token">;

const ledgerState = {
  /** The ID of the time between two restores. */
  epoch: z.string(),
  /** The highest ID of an entry. */
  newest: z.int(),
};

/** The answers to claims, in any order, each with the token of its claim. */
export const claimAnswers = z.object({
  ...ledgerState,
  answers: z.array(z.discriminatedUnion("kind", [claimed, barred, busy])),
});

/** The answer to outcomes, with the journal IDs of those that the ledger did not take. */
export const publishAnswer = z.object({ ...ledgerState, refused: z.array(z.int()) });

/** The ledger could not be asked. Nothing may be sent. */
export interface Away {
  readonly kind: "away";
  readonly error: AppError<"team">;
}

export type ClaimAnswer = Claimed | Barred | Busy | Away;

/**
 * The reason for which an attempt must not begin. `lost`: the ledger no longer has the claim as being
 * sent, because a colleague closed it or was sent to the same account after the lease.
 */
export type LedgerRefusal = Exclude<ClaimAnswer, Claimed> | { readonly kind: "lost" };

/** The states of an entry that are published. An entry that is being sent is claimed. */
export type OutcomeState = Exclude<ActivityOutcome, "sending">;

export interface Outcome extends LedgerEntry {
  readonly state: OutcomeState;
  readonly tookEffect: TookEffect | null;
  readonly reason: Reason | null;
  readonly doubt: string;
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly items: readonly OutcomeItem[];
}

export interface OutcomeItem extends ClaimItem {
  readonly position: number;
  /** The state of the item, or null if it cannot have taken effect. */
  readonly state: ActivityOutcome | null;
  readonly isBlocked: boolean;
}

/** The answer to a closing. `not-open`: the outcome of the entry is known, or the entry is being sent. */
export const closeAnswer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("closed") }),
  z.object({ kind: z.literal("not-open"), entry }),
  z.object({ kind: z.literal("not-found") }),
]);

export type CloseAnswer = Answer<typeof closeAnswer>;

export const listedEntry = z.object({
  ...entryFields,
  service: z.string(),
  profile: z.string(),
  operation: z.string(),
  importSupplier: maybeText,
  externalAccountNumber: maybeText,
  externalIdentifier: maybeText,
  run: maybeText,
  line: maybeWhole,
  tookEffect: z.nullable(tookEffect),
  httpStatus: maybeWhole,
  code: maybeText,
  attempts: z.int(),
  /** Epoch milliseconds of the outcome by the clock of the database, or null. */
  settledAt: maybeWhole,
});

export type ListedEntry = Answer<typeof listedEntry>;

/** The conditions for entries of the ledger. `since` and `before` are about the claim. */
export interface TeamFilter
  extends Omit<ActivityFilter, "operation" | "number" | "baseUrl" | "limit"> {
  readonly id?: number | undefined;
  /** Only entries with a lower ID, for the next page. */
  readonly below?: number | undefined;
  readonly limit: number;
  readonly exceptFolder?: string | undefined;
  /** True for the entries of bulk runs only, false for all others. */
  readonly isOfRun?: boolean | undefined;
  /** The name of a person, or a login of the database. */
  readonly person?: string | undefined;
  readonly machine?: string | undefined;
}

export interface Page {
  readonly entries: readonly ListedEntry[];
  readonly watermark: string;
  readonly hasMore: boolean;
}

export interface TeamFacts {
  /** The ID of the entry in the ledger, or null if this machine does not know it. */
  readonly teamId: number | null;
  readonly isPublished: boolean;
}

export function teamFields({ teamId, isPublished }: TeamFacts) {
  return { team_id: teamId === null ? null : `t${teamId}`, published: isPublished };
}
