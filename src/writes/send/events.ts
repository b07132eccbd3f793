/**
 * Defines the options, progress events and results of sending a write, for the console and the
 * commands.
 */
import type { Clock } from "../../api/clock.ts";
import type { ServiceError } from "../../api/errors.ts";
import type { Service, SupplyPointProcess } from "../../api/service.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Ended, Wait } from "../decide.ts";
import type { Bar } from "../guard.ts";
import type { Attempt, Reason, StopReason } from "../journal/entry.ts";
import type { Journal } from "../journal/open-journal.ts";
import type { Override } from "../journal/override.ts";
import type { Item, Operation } from "../kinds/kind.ts";
import type { ProcessLife } from "../owner.ts";
import { refuseTeam } from "../refuse-team.ts";
import type { LedgerRefusal, Team, TeamEntry, TeamFinding } from "../team/ledger.ts";

export interface WriteContext {
  readonly journal: Journal;
  readonly service: WriteService;
  readonly process: ProcessLife;
  readonly clock: Clock;
  readonly profile: string;
  /** The ledger of the profile's team, or null without a team. */
  readonly team: Team | null;
  /** The reason for which the service's team allows no write of this context, or null. */
  readonly teamRefusal: AppError<"team"> | null;
  /** Returns a random number from 0 to 1, which spreads the waits. */
  readonly random: () => number;
}

export interface SendOptions {
  /** Ends the write. Its reason can be an {@link Ending} or a `StopReason`. */
  readonly signal: AbortSignal;
  /** Time limit of one request in milliseconds. Default: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds before a resend, because an abandoned request might still run. Default: 10 s. */
  readonly settleMs?: number | undefined;
  /** Time limit of all attempts together in milliseconds. Default: 90 s. */
  readonly totalMs?: number | undefined;
  /** Milliseconds to wait for another entry of the same account. Default: 3 min. */
  readonly queueMs?: number | undefined;
  /**
   * Returns the reason why nothing can be sent any more, or null. It is called before each write of
   * an action, because a profile or a lock can change between two of them. Default: no reason.
   */
  readonly refusal?: (() => string | null) | undefined;
  readonly onEvent?: ((event: SubmitEvent) => void) | undefined;
  /** Called and awaited at each commit point. A test can stop the process there. */
  readonly atPoint?: ((point: CommitPoint) => void | Promise<void>) | undefined;
}

export interface ResendOptions extends SendOptions {
  /** The operator's override of the duplicate guard. It is stored with the entry. */
  readonly override?: Override | undefined;
}

export interface SubmitOptions extends ResendOptions {
  /** The ID of the write's bulk run. `line` is the line number in its input. */
  readonly run?: string | undefined;
  readonly line?: number | undefined;
}

export function limitsOf(options: SendOptions) {
  const { timeoutMs = 30_000, settleMs = 10_000, totalMs = 90_000, queueMs = 180_000 } = options;
  return { timeoutMs, settleMs, totalMs, queueMs } as const;
}

export type Limits = ReturnType<typeof limitsOf>;

/** Milliseconds that a request in flight may wait for its response when the program must end. */
export const shutdownGraceMs = 800;

/**
 * The abort reason if the program ends. Nothing new begins. A request whose headers were sent waits
 * up to `settleMs` for its response. Any other abort reason ends the request immediately.
 */
export class Ending extends Error {
  readonly settleMs: number;

  constructor(message: string, settleMs: number) {
    super(message);
    this.name = "Ending";
    this.settleMs = settleMs;
  }
}

/**
 * Throws a write error `not-possible` if nothing can be sent any more, or a team error if the team
 * allows no write.
 */
export function throwIfRefused(
  context: Pick<WriteContext, "teamRefusal">,
  { refusal }: Pick<SendOptions, "refusal">,
): void {
  refuseTeam(context);
  const why = refusal?.() ?? null;
  if (why !== null) throw new AppError("write", "not-possible", why);
}

/** Returns the milliseconds that a request in flight may continue after its signal was aborted. */
export function settleAfter({ reason }: AbortSignal): number {
  return reason instanceof Ending ? reason.settleMs : 0;
}

export function stopReasonOf({ aborted, reason }: AbortSignal): StopReason | null {
  if (!aborted) return null;
  return reason === "run-paused" || reason === "run-stopped" ? reason : "cancelled";
}

/** Reports an event to a screen or a command. The listener's errors change nothing. */
export function report(options: SendOptions, event: SubmitEvent): void {
  try {
    options.onEvent?.(event);
  } catch {
    // The listener only shows the write. The journal records it.
  }
}

export function isSkippable(event: SubmitEvent | null | undefined): boolean {
  return event?.kind === "waiting" && event.skip !== null;
}

export interface WriteResult {
  readonly journalId: number;
  readonly operation: Operation;
  readonly outcome: Ended | "closed";
  readonly reason: Reason;
  /** True if the write might have taken effect although it is not confirmed. */
  readonly mayHaveTakenEffect: boolean;
  readonly items: readonly Item[];
  /** Number of attempts of this entry, including attempts of earlier processes. */
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly code: string | null;
  /** The body of the last response (untrusted), or null if there is none. */
  readonly response: string | null;
  readonly error: ServiceError | null;
  /** The import process of a supply point (INTERFACE 4.7), or null if not looked up or found. */
  readonly process: SupplyPointProcess | null;
  /** The finding of the duplicate guard that barred the entry, or null if nothing barred it. */
  readonly bar: Bar | null;
  readonly refusal: LedgerRefusal | null;
  /** The error if a known outcome could not be recorded, and is unknown to the journal, or null. */
  readonly journalError: AppError<"journal"> | null;
}

export type AttemptFacts = Pick<
  Attempt,
  "outcome" | "httpStatus" | "code" | "detail" | "startedAt" | "endedAt"
>;

/** The progress of a write for a screen. Each event is reported after its commit. */
export type SubmitEvent =
  | { readonly kind: "queued"; readonly journalId: number }
  /** Another entry for the same account, `behind`, is sent first by the process `pid`. */
  | {
      readonly kind: "waiting-for-account";
      readonly journalId: number;
      readonly behind: number;
      readonly pid: number;
    }
  | {
      readonly kind: "waiting-for-colleague";
      readonly journalId: number;
      readonly entry: TeamEntry;
    }
  /** A colleague's entry has an item that the service recognizes, so this entry is sent, too. */
  | {
      readonly kind: "sent-by-colleague";
      readonly journalId: number;
      readonly write: { readonly operation: Operation; readonly items: number };
      readonly finding: TeamFinding;
    }
  | {
      readonly kind: "looking-up";
      readonly journalId: number;
      readonly purpose: "before" | "after";
    }
  /** The supply point's import process existed before anything was sent. */
  | {
      readonly kind: "found-before";
      readonly journalId: number;
      readonly process: SupplyPointProcess;
    }
  | {
      readonly kind: "sending";
      readonly journalId: number;
      readonly n: number;
      readonly at: number;
      /** The time at which the request times out, in epoch milliseconds. */
      readonly until: number;
    }
  | { readonly kind: "headers-sent"; readonly journalId: number; readonly n: number }
  /** An attempt has ended. `error` is null if the service confirmed the write. */
  | {
      readonly kind: "attempt-ended";
      readonly journalId: number;
      readonly n: number;
      readonly end: AttemptFacts;
      readonly error: ServiceError | null;
    }
  /** A countdown. `skip` ends it immediately. `skip` is null if the service requires the wait. */
  | {
      readonly kind: "waiting";
      readonly journalId: number;
      readonly why: Wait["kind"];
      readonly before: "send" | "resend" | "look-up";
      readonly until: number;
      readonly skip: (() => void) | null;
    }
  | { readonly kind: "outcome"; readonly result: WriteResult };

/** The points at which a test can stop the process during a write. See `SendOptions.atPoint`. */
export const commitPoints = [
  "before-intent",
  "intent-committed",
  "queued-reported",
  "looked-up",
  "claiming",
  "claimed",
  "attempt-committed",
  "headers-sent",
  "answered",
  "attempt-recorded",
  "waiting",
  "outcome-committed",
  "outcome-reported",
] as const;

export type CommitPoint = (typeof commitPoints)[number];

export interface WriteService
  extends Pick<
    Service,
    | "baseUrl"
    | "post"
    | "supplyPoints"
    | "rateLimit"
    | "renewConnections"
    | "trustedNow"
    | "clockAheadMs"
  > {
  readonly accounts: Pick<Service["accounts"], "status">;
}
