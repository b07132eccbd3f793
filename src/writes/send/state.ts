import type { AppError } from "../../errors/app-error.ts";
import type { Ended, Verdict, Wait } from "../decide.ts";
import type { Bar } from "../guard.ts";
import type { AttemptRecord } from "../journal/changes.ts";
import type { EffectDoubt, Entry, LookupResult, StopReason } from "../journal/entry.ts";
import type { PreparedWrite } from "../prepare.ts";
import { maxResends } from "../retry-table.ts";
import type { LedgerRefusal, Permit } from "../team/ledger.ts";
import type { CommitPoint, Limits, SubmitEvent, WriteResult } from "./events.ts";
import type { LookUp } from "./look-up.ts";
import type { Sent } from "./request.ts";

/**
 * The facts about a write while it is sent. Every step creates a new object. Its times are by the
 * running time, because the clock can be set back during a write.
 */
export interface SendFacts
  extends Omit<
    WriteResult,
    "journalId" | "operation" | "outcome" | "mayHaveTakenEffect" | "attempts" | "journalError"
  > {
  readonly entry: Entry;
  readonly write: PreparedWrite;
  readonly limits: Limits;
  /** Time by which all attempts must end. A wait for the rate limit extends it. */
  readonly deadline: number;
  /**
   * The same time by the clock, in epoch milliseconds. After a day of sleep, a machine begins no
   * other attempt, although hardly any running time has passed.
   */
  readonly latestStartAt: number;
  readonly rateLimitedMs: number;
  /** Number of the entry's last attempt, including attempts of earlier processes. */
  readonly n: number;
  /** Number of attempts since this process claimed the entry. */
  readonly made: number;
  readonly resendsLeft: number;
  readonly doubt: EffectDoubt;
  readonly vendorFailures: number;
  readonly state: Ended;
  /** True if a team's ledger decides if an attempt may begin. */
  readonly isShared: boolean;
  /** The permission of the ledger for the next attempt, or null if it was not asked yet. */
  readonly permit: Permit | null;
  /** Time at which the last attempt or look-up ended, or long ago if there is none. */
  readonly lastEndedAt: number;
}

/** The state of a write. Every state except `over` has one running task. */
export type SendState =
  /** The look-up before a supply point is sent (INTERFACE 4.7). */
  | { readonly kind: "looking-up"; readonly known: SendFacts }
  | { readonly kind: "saving-look-up"; readonly known: SendFacts }
  | { readonly kind: "waiting"; readonly known: SendFacts; readonly next: NextStep }
  /** The wait for the service's rate limit. */
  | { readonly kind: "queued"; readonly known: SendFacts }
  /** The question to the team's ledger before an attempt. */
  | { readonly kind: "claiming"; readonly known: SendFacts }
  /** The commit that records an attempt as being sent. */
  | { readonly kind: "beginning"; readonly known: SendFacts }
  | { readonly kind: "sending"; readonly known: SendFacts; readonly startedAt: number }
  /** The commit of an attempt's end. More attempts follow. */
  | {
      readonly kind: "recording";
      readonly known: SendFacts;
      readonly attempt: AttemptRecord;
      readonly verdict: Verdict;
    }
  /** The look-up `n` of a supply point that might have been created. */
  | { readonly kind: "polling"; readonly known: SendFacts; readonly n: number }
  /** The commit of the outcome. `attempt` is the attempt that has just ended, or null. */
  | {
      readonly kind: "finishing";
      readonly known: SendFacts;
      readonly attempt: AttemptRecord | null;
    }
  | { readonly kind: "over"; readonly known: SendFacts; readonly result: WriteResult };

/** The step after a wait. `n` is the number of the look-up. */
export type NextStep =
  | { readonly kind: "resend" }
  | { readonly kind: "look-up"; readonly n: number };

export type SendEvent =
  | { readonly kind: "looked-up"; readonly lookUp: LookUp }
  | { readonly kind: "look-up-saved" }
  | { readonly kind: "waited" }
  /** The rate limit allows the next attempt. `waitedMs` is null if too long. */
  | { readonly kind: "granted"; readonly waitedMs: number | null }
  /** The ledger allows the next attempt, `waitedMs` after colleagues' entries of the account. */
  | { readonly kind: "claimed"; readonly permit: Permit; readonly waitedMs: number }
  /** The ledger allows no attempt. Nothing was sent since the question. */
  | { readonly kind: "not-claimed"; readonly refusal: LedgerRefusal; readonly waitedMs: number }
  /** The permission of the ledger is too old for the commit of the attempt. */
  | { readonly kind: "too-late" }
  | { readonly kind: "begun"; readonly n: number; readonly startedAt: number }
  | { readonly kind: "barred"; readonly bar: Bar }
  /** Another process owns the entry now. `by` is the entry as that process stored it. */
  | { readonly kind: "taken-over"; readonly by: Entry | null }
  | { readonly kind: "answered"; readonly sent: Sent }
  | {
      readonly kind: "recorded";
      readonly failure: AppError<"journal"> | null;
      readonly takenOver: Entry | null;
    };

/** An action of the driver, in order. A step's last one is a task, unless the write is over. */
export type SendTask =
  | { readonly kind: "report"; readonly event: SubmitEvent }
  | { readonly kind: "point"; readonly point: CommitPoint }
  /** Replaces the connections, because one might be out of step. */
  | { readonly kind: "renew-connections" }
  | Task;

export type Task =
  | { readonly kind: "look-up"; readonly purpose: "before" | "after" }
  | { readonly kind: "save-look-up"; readonly lookedUp: LookupResult | null }
  | {
      readonly kind: "wait";
      readonly why: Wait["kind"];
      readonly before: NextStep["kind"];
      /** The end of the wait by the running time. */
      readonly until: number;
    }
  | { readonly kind: "turn"; readonly maxMs: number }
  | { readonly kind: "claim" }
  | { readonly kind: "begin" }
  | { readonly kind: "send"; readonly n: number; readonly timeoutMs: number }
  | {
      readonly kind: "record";
      readonly attempt: AttemptRecord | null;
      /** True if the write ends with this record. */
      readonly over: boolean;
      readonly block: boolean;
    };

export interface Step {
  readonly state: SendState;
  readonly effects: readonly SendTask[];
}

export interface Moment {
  /** The time in epoch milliseconds, for the journal. */
  readonly now: number;
  /** The running time, for waits and limits. */
  readonly elapsed: number;
  /** A random number from 0 to 1, which spreads the waits. */
  readonly random: number;
  /** The running time until which the service makes every call wait, or null. */
  readonly limitedUntil: number | null;
  /** The reason why nothing more may be sent, or null if sending can continue. */
  readonly stopped: StopReason | null;
}

/**
 * Returns the initial facts about an entry that was just claimed. `last` is its last attempt, whose
 * end is in epoch milliseconds.
 */
export function sendFactsOf(
  entry: Entry,
  write: PreparedWrite,
  limits: Limits,
  last: { readonly n: number; readonly endedAt: number },
  isShared: boolean,
  { now, elapsed }: Pick<Moment, "now" | "elapsed">,
): SendFacts {
  const { state, doubt, reason, httpStatus, code } = entry;
  const wasTried = state === "unknown" || state === "retryable" || state === "rejected";
  return {
    entry,
    write,
    limits,
    deadline: elapsed + limits.totalMs,
    latestStartAt: now + limits.totalMs,
    rateLimitedMs: 0,
    n: last.n,
    made: 0,
    resendsLeft: maxResends,
    doubt,
    vendorFailures: 0,
    state: wasTried ? state : "unsent",
    reason: reason ?? "never-sent",
    items: [],
    httpStatus,
    code,
    response: null,
    error: null,
    process: null,
    bar: null,
    isShared,
    permit: null,
    refusal: null,
    // If the clock was set back, the last attempt has a time in the future, which would lengthen
    // the wait.
    lastEndedAt: elapsed - Math.max(0, now - last.endedAt),
  };
}

/** Returns a write's result. One that cannot be recorded is unknown, unless nothing was sent. */
export function resultOf(known: SendFacts, journalError: AppError<"journal"> | null): WriteResult {
  const { entry, state, reason, doubt, n, items, httpStatus, code, response, error } = known;
  const isUnrecorded = journalError !== null && state !== "unsent";
  return {
    journalId: entry.id,
    operation: entry.operation,
    outcome: isUnrecorded ? "unknown" : state,
    reason: isUnrecorded ? "not-recorded" : reason,
    mayHaveTakenEffect: isUnrecorded || (state !== "confirmed" && doubt !== "none"),
    items,
    attempts: n,
    httpStatus,
    code,
    response,
    error,
    process: known.process,
    bar: known.bar,
    refusal: known.refusal,
    journalError,
  };
}

export function finish(known: SendFacts): Step {
  return {
    state: { kind: "finishing", known, attempt: null },
    effects: [{ kind: "record", attempt: null, over: true, block: false }],
  };
}

export function end(
  known: SendFacts,
  failure: AppError<"journal"> | null,
  attempt: AttemptRecord | null,
): Step {
  const result = resultOf(known, failure);
  const last = attempt !== null && failure === null ? [ended(known, attempt)] : [];
  return {
    state: { kind: "over", known, result },
    effects: [
      { kind: "point", point: "outcome-committed" },
      ...last,
      reportOf({ kind: "outcome", result }),
      { kind: "point", point: "outcome-reported" },
    ],
  };
}

/** Ends without a report, because another process owns the entry or nothing can be recorded. */
export function leave(known: SendFacts, failure: AppError<"journal"> | null): Step {
  return { state: { kind: "over", known, result: resultOf(known, failure) }, effects: [] };
}

export function ended({ entry, error }: SendFacts, attempt: AttemptRecord): SendTask {
  const { n, outcome, httpStatus, code, detail, startedAt, endedAt } = attempt;
  const end = { outcome, httpStatus, code, detail, startedAt, endedAt };
  return reportOf({ kind: "attempt-ended", journalId: entry.id, n, end, error });
}

export function reportOf(event: SubmitEvent): SendTask {
  return { kind: "report", event };
}
