/** The states of a write while it is sent (the states of `step`), its events and its effects. */
import type { ServiceError } from "../../api/errors.ts";
import type { SupplyPointProcess } from "../../api/service.ts";
import type { AppError } from "../../errors/app-error.ts";
import type { Ended, Verdict } from "../decide.ts";
import type { Bar } from "../guard.ts";
import type { AttemptRecord } from "../journal/changes.ts";
import type { EffectDoubt, Entry, LookupResult, Reason, StopReason } from "../journal/entry.ts";
import type { Item } from "../kinds/kind.ts";
import type { PreparedWrite } from "../prepare.ts";
import { mostResends } from "../retry-table.ts";
import type { CommitPoint, Limits, SubmitEvent, WriteResult } from "./events.ts";
import type { Probe } from "./probe.ts";
import type { Sent } from "./request.ts";

/** The facts about a write while it is sent. Every step creates new ones. Instants are epoch ms. */
export interface SendFacts {
  readonly entry: Entry;
  readonly write: PreparedWrite;
  readonly limits: Limits;
  /** Time by which all attempts must have ended. Waits that the service requests extend it. */
  readonly deadline: number;
  /** Total wait that the service requested. */
  readonly askedMs: number;
  /** Number of the entry's last attempt, this process's or an earlier one's. */
  readonly n: number;
  /** Attempts since the entry was claimed. */
  readonly made: number;
  readonly resendsLeft: number;
  readonly doubt: EffectDoubt;
  readonly vendorFailures: number;
  readonly state: Ended;
  readonly reason: Reason;
  readonly items: readonly Item[];
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly response: string | null;
  readonly error: ServiceError | null;
  readonly process: SupplyPointProcess | null;
  /** The finding of the duplicate guard in the commit that was to begin the first attempt. */
  readonly bar: Bar | null;
  readonly lastEndedAt: number;
}

/** The state of a write. Every state but `over` has one task in progress. */
export type SendState =
  /** The look-up before a supply point is sent (INTERFACE 4.7). */
  | { readonly kind: "probing"; readonly known: SendFacts }
  | { readonly kind: "saving-probe"; readonly known: SendFacts }
  | { readonly kind: "waiting"; readonly known: SendFacts; readonly next: NextStep }
  /** The wait for a turn under the service's rate limit. */
  | { readonly kind: "queued"; readonly known: SendFacts }
  /** The commit that records an attempt as being sent. */
  | { readonly kind: "beginning"; readonly known: SendFacts }
  | { readonly kind: "sending"; readonly known: SendFacts; readonly startedAt: number }
  /** The commit of an attempt's end, if more attempts follow. */
  | {
      readonly kind: "recording";
      readonly known: SendFacts;
      readonly attempt: AttemptRecord;
      readonly verdict: Verdict;
    }
  /** Look-up `n` of a supply point that might have been created. */
  | { readonly kind: "polling"; readonly known: SendFacts; readonly n: number }
  /** The commit of the outcome, with the last attempt if that has just ended. */
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

/** The result of a task. */
export type SendEvent =
  | { readonly kind: "probed"; readonly probe: Probe }
  | { readonly kind: "probe-saved" }
  | { readonly kind: "waited" }
  /** `waitedMs` is null if the turn would take longer than allowed. */
  | { readonly kind: "granted"; readonly waitedMs: number | null }
  | { readonly kind: "begun"; readonly n: number; readonly startedAt: number }
  /** The duplicate guard kept it back, which is recorded. */
  | { readonly kind: "barred"; readonly bar: Bar }
  /** Another process has taken the entry over, and settled it as `by`. */
  | { readonly kind: "taken-over"; readonly by: Entry | null }
  | { readonly kind: "answered"; readonly sent: Sent }
  | {
      readonly kind: "recorded";
      /** The reason why it could not be recorded, or null. */
      readonly failure: AppError<"journal"> | null;
      readonly takenOver: Entry | null;
    };

/**
 * An action of the driver; actions run in order. The last effect of a step is a task, unless the
 * write is over.
 */
export type SendTask =
  | { readonly kind: "report"; readonly event: SubmitEvent }
  | { readonly kind: "point"; readonly point: CommitPoint }
  /** Avoids further use of a connection that might be out of step. */
  | { readonly kind: "renew-connections" }
  | Task;

/** An effect that ends with an event. */
export type Task =
  | { readonly kind: "probe"; readonly purpose: "before" | "after" }
  | { readonly kind: "save-probe"; readonly lookedUp: LookupResult | null }
  | {
      readonly kind: "wait";
      readonly why: "back-off" | "settle" | "as-asked";
      readonly before: NextStep["kind"];
      readonly until: number;
    }
  | { readonly kind: "turn"; readonly mostMs: number }
  | { readonly kind: "begin" }
  | { readonly kind: "send"; readonly n: number; readonly timeoutMs: number }
  | {
      readonly kind: "record";
      readonly attempt: AttemptRecord | null;
      readonly over: boolean;
      /** True to refuse the same form from now on. */
      readonly block: boolean;
    };

export interface Step {
  readonly state: SendState;
  readonly effects: readonly SendTask[];
}

/** The facts about the moment of a step, besides its event. */
export interface Moment {
  readonly now: number;
  /** From 0 to 1, for the spread of waits. */
  readonly random: number;
  /** The end of the wait that the service requires of every call, or null without one. */
  readonly limitedUntil: number | null;
  /** The reason why nothing more may be sent, or null. */
  readonly stopped: StopReason | null;
}

/** Returns the facts about an entry that was just claimed. */
export function sendFactsOf(
  entry: Entry,
  write: PreparedWrite,
  limits: Limits,
  last: { readonly n: number; readonly endedAt: number },
  now: number,
): SendFacts {
  const { state, doubt, reason, httpStatus, code } = entry;
  const tried = state === "unknown" || state === "retryable" || state === "rejected";
  return {
    entry,
    write,
    limits,
    deadline: now + limits.totalMs,
    askedMs: 0,
    n: last.n,
    made: 0,
    resendsLeft: mostResends,
    doubt,
    vendorFailures: 0,
    state: tried ? state : "unsent",
    reason: reason ?? "never-sent",
    items: [],
    httpStatus,
    code,
    response: null,
    error: null,
    process: null,
    bar: null,
    // A clock that was set back since must not cause a wait for a time that is long past.
    lastEndedAt: Math.min(last.endedAt, now),
  };
}

/**
 * Returns the result of a write. An outcome that cannot be recorded is reported as unknown, unless
 * nothing was sent.
 */
export function resultOf(known: SendFacts, journalError: AppError<"journal"> | null): WriteResult {
  const { entry, state, reason, doubt, n, items, httpStatus, code, response, error } = known;
  const lost = journalError !== null && state !== "unsent";
  return {
    journalId: entry.id,
    operation: entry.operation,
    outcome: lost ? "unknown" : state,
    reason: lost ? "not-recorded" : reason,
    mayHaveTakenEffect: lost || (state !== "confirmed" && doubt !== "none"),
    items,
    attempts: n,
    httpStatus,
    code,
    response,
    error,
    process: known.process,
    bar: known.bar,
    journalError,
  };
}
