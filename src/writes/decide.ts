/**
 * Classifies an answer and decides the next step. The functions are pure: they depend on the retry
 * table and on the doubt so far.
 */

import { isProxyLoginRefused } from "../api/connection-error.ts";
import { conflictStatuses, gaveUpStatuses, type ServiceError } from "../api/errors.ts";
import type { EffectDoubt, State } from "./journal/entry.ts";
import type { Item, Operation } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import { type AttemptFailure, mostVendorFailures, type Rule } from "./retry-table.ts";

/** The end of one attempt. */
export type AttemptEnd =
  | { readonly kind: "confirmed"; readonly items: readonly Item[] }
  | {
      readonly kind: "failed";
      readonly situation: AttemptFailure;
      /** False if the same attempt would fail again at once (no credentials, a bad certificate). */
      readonly isRetryable: boolean;
      /** The wait that the service requests in milliseconds, or null if it requests none. */
      readonly askedMs: number | null;
      /** True for a 400 after which some items might have taken effect. */
      readonly partly: boolean;
      /** True for a 400 that reports "already exists", which after a doubt needs a check. */
      readonly alreadyThere: boolean;
    };

/** The state of a write between attempts. */
interface WriteProgress {
  readonly operation: Operation;
  readonly deduplicated: boolean;
  readonly doubt: EffectDoubt;
  /** 500s in a row (4.4). */
  readonly vendorFailures: number;
  readonly resendsLeft: number;
}

export interface Wait {
  /**
   * `back-off`: a short time, longer with each resend. `settle`: the time for which a request that
   * was given up might still run. `as-asked`: the time of Retry-After, which uses no resend.
   */
  readonly kind: "back-off" | "settle" | "as-asked";
  /** Minimum milliseconds, as the service requests. */
  readonly ms: number;
}

export type Ended = Extract<State, "unsent" | "confirmed" | "rejected" | "retryable" | "unknown">;

export interface Verdict {
  readonly next: "resend" | "look-up" | "end";
  /** The wait before a resend or a look-up. */
  readonly wait: Wait;
  /** The state of the write if nothing more happens. */
  readonly state: Ended;
  readonly doubt: EffectDoubt;
  readonly vendorFailures: number;
  /** True if the same form is refused from now on. */
  readonly block: boolean;
}

const refusals: readonly AttemptFailure[] = ["400", "401", "403", "404", "409", "4xx"];

/** Situations after which a request might still be running at the service. */
const unsettled: readonly AttemptFailure[] = ["no-answer", "500", "5xx"];

/** Situations after which it might have taken effect. */
const doubtful: readonly AttemptFailure[] = [...unsettled, "3xx", "409"];

export function decide(standing: WriteProgress, end: AttemptEnd): Verdict {
  if (end.kind === "confirmed") {
    const { doubt, vendorFailures } = standing;
    const wait: Wait = { kind: "back-off", ms: 0 };
    return { next: "end", wait, state: "confirmed", doubt, vendorFailures, block: false };
  }
  const { situation } = end;
  const rule = kindOf(standing.operation).retries[situation];
  const doubt = doubtAfter(standing, situation, rule, end.partly);
  const vendorFailures = situation === "500" ? standing.vendorFailures + 1 : 0;
  const state = stateOf(situation, standing.doubt, doubt);
  const wait = waitOf(situation, rule, end.askedMs);
  const verdict = { wait, state, doubt, vendorFailures, block: rule === "stop-and-block" };
  if (rule === "look-up" || (end.alreadyThere && doubt !== "none")) {
    return { ...verdict, next: "look-up", block: false };
  }
  const again =
    isResent(rule, standing) &&
    end.isRetryable &&
    (wait.kind === "as-asked" || standing.resendsLeft > 0) &&
    (doubt !== "vendor" || vendorFailures < mostVendorFailures);
  return { ...verdict, next: again ? "resend" : "end" };
}

function isResent(rule: Rule, standing: WriteProgress): boolean {
  switch (rule) {
    case "resend":
    case "wait-and-resend":
      return true;
    case "resend-if-deduplicated":
      return standing.deduplicated;
    case "unknown":
    case "look-up":
    case "stop":
    case "stop-and-block":
    case "answer":
      return false;
  }
}

/** Returns the doubt after an attempt. No later failure makes it smaller. */
function doubtAfter(
  standing: WriteProgress,
  situation: AttemptFailure,
  rule: Rule,
  partly: boolean,
): EffectDoubt {
  if (standing.doubt === "unknown" || partly) return "unknown";
  if (!doubtful.includes(situation)) return standing.doubt;
  return rule === "resend" ? "vendor" : "unknown";
}

/** Returns the state of a write after its last attempt. */
function stateOf(situation: AttemptFailure, before: EffectDoubt, doubt: EffectDoubt): Ended {
  if (situation === "409" && before === "none") return "rejected";
  if (doubt === "unknown") return "unknown";
  const refused = refusals.includes(situation);
  if (doubt === "vendor") return refused ? "unknown" : "retryable";
  if (situation === "never-sent") return "unsent";
  return refused ? "rejected" : "retryable";
}

function waitOf(situation: AttemptFailure, rule: Rule, askedMs: number | null): Wait {
  // The token call can be asked to wait, too.
  if (situation === "429") return { kind: "as-asked", ms: askedMs ?? 0 };
  if (situation === "never-sent" && askedMs !== null) return { kind: "as-asked", ms: askedMs };
  // A 500 of 4.4 is an answer that the request has ended with.
  const answered = situation === "500" && rule === "resend";
  const settles = unsettled.includes(situation) && !answered;
  return {
    kind: settles ? "settle" : "back-off",
    ms: situation === "5xx" ? (askedMs ?? 0) : 0,
  };
}

/** Faults of this side that another try a moment later would only meet again. */
const lasting: readonly string[] = ["credentials", "tls", "invalid-request", "cancelled"];

/** Returns the situation of a status other than 2xx, or null for 2xx, where the body decides. */
export function situationOfStatus(httpStatus: number): AttemptFailure | null {
  switch (httpStatus) {
    case 400:
      return "400";
    case 401:
      return "401";
    case 403:
      return "403";
    case 404:
      return "404";
    case 429:
      return "429";
    case 500:
      return "500";
    default:
  }
  if (gaveUpStatuses.includes(httpStatus)) return "no-answer";
  if (conflictStatuses.includes(httpStatus)) return "409";
  if (httpStatus >= 200 && httpStatus < 300) return null;
  if (httpStatus >= 300 && httpStatus < 400) return "3xx";
  if (httpStatus >= 400 && httpStatus < 500) return "4xx";
  return httpStatus >= 500 ? "5xx" : "no-answer";
}

/**
 * Returns the situation of a failed call. The status decides if there is one. Without a status,
 * only a request that certainly did not reach the service counts as never sent.
 */
export function situationOf({ kind, facts }: ServiceError): AttemptFailure {
  if (facts.sent === false) return "never-sent";
  // An answer for another item proves nothing, nor does one that contradicts itself or broke off.
  if (kind === "other-item" || kind === "unreadable") return "no-answer";
  if (facts.httpStatus === undefined) return "no-answer";
  return situationOfStatus(facts.httpStatus) ?? "no-answer";
}

/** Returns true if a retry in a moment might succeed. The request was never sent. */
export function isRetryableError(error: ServiceError): boolean {
  return !lasting.includes(error.kind) && !isProxyLoginRefused(error);
}
