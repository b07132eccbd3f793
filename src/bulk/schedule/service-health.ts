/**
 * Derives the health of the service from its responses: a circuit breaker, and a limit on requests
 * in flight that is halved while the service is overloaded.
 */
import { type Clock, epochOf } from "../../api/clock.ts";
import type { ServiceError } from "../../api/errors.ts";
import { retryAfterOf } from "../../api/retry.ts";
import { problemWords } from "../../errors/error-words.ts";
import { situationOf } from "../../writes/decide.ts";
import type { RunProgress } from "../progress.ts";

/** The state of the circuit breaker. Times are by the running time of the clock. */
type ServiceHealth =
  | { readonly kind: "closed" }
  /** The service requires a pause (429). Nothing is sent until `until`. */
  | {
      readonly kind: "throttled";
      readonly since: number;
      readonly until: number;
      readonly why: string;
    }
  /** Nothing is sent. A probe is due at `until`. */
  | { readonly kind: "open"; readonly since: number; readonly until: number; readonly why: string }
  /** Rows are sent one at a time until one succeeds: at the start and after a successful probe. */
  | { readonly kind: "half-open"; readonly since: number; readonly why: string };

type Verdict =
  /** The service processed the request or refused it. */
  | "healthy"
  /** The service refuses the token for this row. */
  | "forbidden"
  /** The service refuses the token for every row. */
  | "credentials"
  | "rate-limited"
  | "failing"
  /** supplyline canceled the request. */
  | "none";

interface HealthOptions {
  readonly concurrency: number;
  /** True if a 500 is a failure of the service, and not of a payment vendor. */
  readonly failsWith500: boolean;
}

/** Number of consecutive failures, in at least two rows, that open the breaker. */
const maxFailures = 4;

/** Number of failed requests that could not be sent at all, which also opens the breaker. */
const maxUnsent = 2;

/** Time before the first probe, in milliseconds. It doubles with each probe that fails. */
const firstProbeMs = 1_000;
const maxProbeMs = 30_000;

/** The pause after a 429 without Retry-After, in milliseconds. */
const defaultPauseMs = 1_000;

/** Milliseconds after the last 429 or failure in which the limit is half of `concurrency`. */
const halvedForMs = 30_000;

/** A shared object, so that a success in this state is not a change. */
const closed: ServiceHealth = { kind: "closed" };

/**
 * Monitors the health of the service by the ends of attempts and probes: a circuit breaker, and a
 * limit of the requests in flight.
 */
export function monitorHealth(clock: Clock, options: HealthOptions) {
  const { concurrency, failsWith500 } = options;
  const initialWhy = "no response from the service yet";
  let state: ServiceHealth = { kind: "half-open", since: clock.elapsed(), why: initialWhy };
  let failures: { readonly line: number; readonly isUnsent: boolean }[] = [];
  /** Number of times that the breaker has opened since the last success. */
  let probes = 0;
  /** Time of the first failure since the last success, or null if there is none. */
  let since: number | null = null;
  /** Number of rows that failed in the half-open state since the last success. */
  let trials = 0;
  let halved: { readonly since: number; readonly until: number; readonly why: string } | null =
    null;

  const isDown = () => {
    if (failures.filter(({ isUnsent }) => isUnsent).length >= maxUnsent) return true;
    return failures.length >= maxFailures && new Set(failures.map(({ line }) => line)).size > 1;
  };
  const open = (why: string) => {
    const wait = Math.min(maxProbeMs, firstProbeMs * 2 ** probes);
    probes += 1;
    since ??= clock.elapsed();
    state = { kind: "open", since, until: clock.elapsed() + wait, why };
  };
  const succeed = () => {
    failures = [];
    probes = 0;
    since = null;
    trials = 0;
    if (state.kind !== "throttled") state = closed;
  };
  const fail = (line: number, error: ServiceError) => {
    const isUnsent = situationOf(error) === "never-sent";
    failures = [...failures.slice(1 - 2 * maxFailures), { line, isUnsent }];
    since ??= clock.elapsed();
    if (state.kind === "half-open") {
      trials += 1;
      open(problemWords(error));
    } else if (state.kind !== "open" && isDown()) open(problemWords(error));
  };
  const throttle = (error: ServiceError) => {
    const now = clock.elapsed();
    const until = now + (retryAfterOf(error) ?? defaultPauseMs);
    since ??= now;
    failures = [];
    if (state.kind === "throttled" && state.until >= until) return;
    state = { kind: "throttled", since: now, until, why: problemWords(error) };
  };
  /** Returns the reason and start of the time with half the limit, or null without one. */
  const overload = () => (halved !== null && clock.elapsed() < halved.until ? halved : null);
  const halve = (error: ServiceError) => {
    const now = clock.elapsed();
    const until = (state.kind === "throttled" ? state.until : now) + halvedForMs;
    halved = { since: overload()?.since ?? now, until, why: problemWords(error) };
  };

  return {
    state: () => state,
    limit: () => Math.ceil(concurrency / (overload() === null ? 1 : 2)),
    /** Returns the running time of the first failure since the last success, or null. */
    failingSince: () => since,
    failedTrials: () => trials,
    /** Returns the reason in words if the service has been down for too long, or null. */
    tooLong: (patienceMs: number, maxTrials: number): string | null => {
      if (state.kind === "closed" || since === null) return null;
      if (trials >= maxTrials) return `${state.why}, although it responds to status requests`;
      const isPauseTooLong = state.kind === "throttled" && state.until - since > patienceMs;
      return isPauseTooLong || clock.elapsed() - since >= patienceMs ? state.why : null;
    },
    attemptEnded: (line: number, error: ServiceError | null) => {
      const verdict = verdictOn(error, failsWith500);
      if (verdict === "healthy" || verdict === "forbidden") succeed();
      if (error === null) return verdict;
      if (verdict === "rate-limited") throttle(error);
      if (verdict === "failing") fail(line, error);
      if (verdict === "rate-limited" || verdict === "failing") halve(error);
      return verdict;
    },
    probeEnded: (error: ServiceError | null) => {
      const verdict = verdictOn(error, true);
      if (verdict === "rate-limited" && error !== null) throttle(error);
      if (state.kind !== "open") return verdict;
      if (verdict === "healthy" || verdict === "forbidden") {
        state = { kind: "half-open", since: state.since, why: state.why };
      } else if (verdict === "failing" && error !== null) open(problemWords(error));
      return verdict;
    },
    pauseEnded: () => {
      if (state.kind === "throttled") state = closed;
    },
    /** Makes the next probe due immediately. A pause that the service requested stays. */
    tryNow: () => {
      if (state.kind === "open") state = { ...state, until: clock.elapsed() };
    },
    /** Returns the current pause with its times in epoch milliseconds, or null if there is none. */
    pause: (): Omit<NonNullable<RunProgress["pause"]>, "tryNow"> | null => {
      if (state.kind === "closed") return null;
      // At the start there is no failure yet, so nothing is paused.
      if (state.kind === "half-open" && since === null) return null;
      const nextTryAt = state.kind === "half-open" ? clock.elapsed() : state.until;
      return {
        of: "service",
        since: epochOf(clock, state.since),
        why: state.why,
        nextTryAt: epochOf(clock, nextTryAt),
      };
    },
    slowed: (): RunProgress["slowed"] => {
      const halving = concurrency > 1 ? overload() : null;
      return halving && { since: epochOf(clock, halving.since), why: halving.why };
    },
  };
}

function verdictOn(error: ServiceError | null, failsWith500: boolean): Verdict {
  if (error === null) return "healthy";
  if (error.kind === "cancelled") return "none";
  const situation = situationOf(error);
  if (error.kind === "credentials" || situation === "401") return "credentials";
  switch (situation) {
    case "never-sent":
      // The service refused the token call, or the request itself is invalid.
      if (error.kind === "unauthorized" || error.kind === "forbidden") return "credentials";
      return error.kind === "invalid-request" ? "none" : "failing";
    case "403":
      return "forbidden";
    case "400":
    case "404":
    case "409":
    case "4xx":
      return "healthy";
    case "500":
      return failsWith500 ? "failing" : "healthy";
    case "429":
      return "rate-limited";
    case "no-answer":
    case "3xx":
    case "5xx":
      return "failing";
  }
}
