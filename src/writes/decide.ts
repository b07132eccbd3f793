/**
 * Decides the next step of a write from the end of an attempt, by the retry table. All functions
 * are pure.
 */

import { isProxyLoginRejected } from "../api/connection-error.ts";
import { conflictStatuses, type ServiceError, unprovenStatuses } from "../api/errors.ts";
import type { EffectDoubt, State } from "./journal/entry.ts";
import type { Item, Operation } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import { type AttemptFailure, maxVendorFailures, type Rule } from "./retry-table.ts";

export type AttemptEnd =
  | { readonly kind: "confirmed"; readonly items: readonly Item[] }
  | {
      readonly kind: "failed";
      readonly situation: AttemptFailure;
      /** False if an immediate retry would fail again, for example without credentials. */
      readonly isRetryable: boolean;
      /** The wait in milliseconds that the service requests, or null if it requests none. */
      readonly retryAfterMs: number | null;
      /** True if some items might have taken effect although the response is a 400. */
      readonly partly: boolean;
      /** True if a 400 reports that the item exists. After a doubt, this needs a look-up. */
      readonly alreadyExists: boolean;
    };

interface WriteProgress {
  readonly operation: Operation;
  readonly deduplicated: boolean;
  readonly doubt: EffectDoubt;
  /** Number of consecutive 500s (INTERFACE 4.4). */
  readonly vendorFailures: number;
  readonly resendsLeft: number;
}

export interface Wait {
  /**
   * `back-off`: a short wait, longer with each resend. `settle`: a wait for an abandoned request
   * that might still run. `rate-limit`: the wait of Retry-After, which does not count as a resend.
   */
  readonly kind: "back-off" | "settle" | "rate-limit";
  /** Minimum wait in milliseconds, as the service requests. Default: 0. */
  readonly ms: number;
}

export type Ended = Extract<State, "unsent" | "confirmed" | "rejected" | "retryable" | "unknown">;

/** The decision after an attempt: the next step, and the new state of the write. */
export interface Verdict {
  readonly next: "resend" | "look-up" | "end";
  readonly wait: Wait;
  /** The state of the write if there is no further attempt. */
  readonly state: Ended;
  readonly doubt: EffectDoubt;
  readonly vendorFailures: number;
  /** True if supplyline refuses the same form from now on. */
  readonly block: boolean;
}

const refusals: readonly AttemptFailure[] = ["400", "401", "403", "404", "409", "4xx"];

/** The failures after which a request might still be running at the service. */
const unsettled: readonly AttemptFailure[] = ["no-answer", "500", "5xx"];

/** The failures after which the write might have taken effect. */
const doubtful: readonly AttemptFailure[] = [...unsettled, "3xx", "409"];

export function decide(progress: WriteProgress, end: AttemptEnd): Verdict {
  if (end.kind === "confirmed") {
    const { doubt, vendorFailures } = progress;
    const wait: Wait = { kind: "back-off", ms: 0 };
    return { next: "end", wait, state: "confirmed", doubt, vendorFailures, block: false };
  }
  const { situation } = end;
  const rule = kindOf(progress.operation).retries[situation];
  const doubt = doubtAfter(progress, situation, rule, end.partly);
  const vendorFailures = situation === "500" ? progress.vendorFailures + 1 : 0;
  const state = stateOf(situation, progress.doubt, doubt);
  const wait = waitOf(situation, rule, end.retryAfterMs);
  const verdict = { wait, state, doubt, vendorFailures, block: rule === "stop-and-block" };
  if (rule === "look-up" || (end.alreadyExists && doubt !== "none")) {
    return { ...verdict, next: "look-up", block: false };
  }
  const again =
    isResent(rule, progress) &&
    end.isRetryable &&
    (wait.kind === "rate-limit" || progress.resendsLeft > 0) &&
    (doubt !== "vendor" || vendorFailures < maxVendorFailures);
  return { ...verdict, next: again ? "resend" : "end" };
}

function isResent(rule: Rule, progress: WriteProgress): boolean {
  switch (rule) {
    case "resend":
    case "wait-and-resend":
      return true;
    case "resend-if-deduplicated":
      return progress.deduplicated;
    case "unknown":
    case "look-up":
    case "stop":
    case "stop-and-block":
    case "answer":
      return false;
  }
}

/** Returns the doubt after an attempt. A later failure never reduces it. */
function doubtAfter(
  progress: WriteProgress,
  situation: AttemptFailure,
  rule: Rule,
  partly: boolean,
): EffectDoubt {
  if (progress.doubt === "unknown" || partly) return "unknown";
  if (!doubtful.includes(situation)) return progress.doubt;
  return rule === "resend" ? "vendor" : "unknown";
}

function stateOf(situation: AttemptFailure, before: EffectDoubt, doubt: EffectDoubt): Ended {
  if (situation === "409" && before === "none") return "rejected";
  if (doubt === "unknown") return "unknown";
  const refused = refusals.includes(situation);
  if (doubt === "vendor") return refused ? "unknown" : "retryable";
  if (situation === "never-sent") return "unsent";
  return refused ? "rejected" : "retryable";
}

function waitOf(situation: AttemptFailure, rule: Rule, retryAfterMs: number | null): Wait {
  // The service can require a wait of the token call, too.
  if (situation === "429") return { kind: "rate-limit", ms: retryAfterMs ?? 0 };
  if (situation === "never-sent" && retryAfterMs !== null)
    return { kind: "rate-limit", ms: retryAfterMs };
  // After a 500 of INTERFACE 4.4 the request is no longer running.
  const answered = situation === "500" && rule === "resend";
  const settles = unsettled.includes(situation) && !answered;
  return {
    kind: settles ? "settle" : "back-off",
    ms: situation === "5xx" ? (retryAfterMs ?? 0) : 0,
  };
}

/** The longest back-off before the first resend, in milliseconds. */
const firstBackOffMs = 500;
/** The longest back-off before any resend, in milliseconds. */
const maxBackOffMs = 8000;

/**
 * Returns the wait before resend `n` (from 1) in milliseconds. The wait doubles with each resend.
 * `random` (0 to 1) spreads it from half to all of its length.
 */
export function backOffMs(n: number, random: number): number {
  const maxMs = Math.min(maxBackOffMs, firstBackOffMs * 2 ** (n - 1));
  return Math.round(maxMs * (0.5 + random / 2));
}

/** Returns the time at which a write continues before resend `n`, by the clock of `endedAt`. */
export function resumeAt(
  wait: Wait,
  endedAt: number,
  n: number,
  settleMs: number,
  random: number,
): number {
  const minMs = wait.kind === "settle" ? settleMs : 0;
  return endedAt + Math.max(wait.ms, minMs, wait.kind === "rate-limit" ? 0 : backOffMs(n, random));
}

/** The kinds of errors that would occur again in an immediate retry. */
const lastingErrors: readonly string[] = ["credentials", "tls", "invalid-request", "cancelled"];

const namedStatuses = ["400", "401", "403", "404", "429", "500"] as const;

/** Returns the failure for a status other than 2xx. Null for 2xx, because the body decides. */
export function situationOfStatus(httpStatus: number): AttemptFailure | null {
  const named = namedStatuses.find((status) => status === String(httpStatus));
  if (named !== undefined) return named;
  if (unprovenStatuses.includes(httpStatus)) return "no-answer";
  if (conflictStatuses.includes(httpStatus)) return "409";
  if (httpStatus >= 200 && httpStatus < 300) return null;
  if (httpStatus >= 300 && httpStatus < 400) return "3xx";
  if (httpStatus >= 400 && httpStatus < 500) return "4xx";
  return httpStatus >= 500 ? "5xx" : "no-answer";
}

/**
 * Returns the failure of a call. The status decides if there is one. Without a status, only a
 * request that certainly did not reach the service counts as never sent.
 */
export function situationOf({ kind, facts }: ServiceError): AttemptFailure {
  if (facts.sent === false) return "never-sent";
  // A response for another item, a contradictory response and an incomplete response prove nothing.
  if (kind === "other-item" || kind === "unreadable") return "no-answer";
  if (facts.httpStatus === undefined) return "no-answer";
  return situationOfStatus(facts.httpStatus) ?? "no-answer";
}

export function isRetryableError(error: ServiceError): boolean {
  return !lastingErrors.includes(error.kind) && !isProxyLoginRejected(error);
}
