/** Runs a watch until accounts or supply points reach a status, and determines its exit code. */

import { Option } from "commander";
import { isServiceError, ServiceError, type ServiceErrorKind } from "../../api/errors.ts";
import type { ErrorContext } from "../../errors/app-error.ts";
import { defaultPreferences } from "../../settings/schemas.ts";
import { formatDuration } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { nearest } from "../../text/suggest.ts";
import { notFound } from "../../watch/timeline.ts";
import { failedCall } from "../command-error.ts";
import { exitCode, mostSevere } from "../exit-codes.ts";
import { type Failure, failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { durationOption } from "../option-values.ts";
import type { Target } from "../target.ts";
import type { Change } from "./change-lines.ts";

export interface WatchOptions {
  readonly until: string;
  /** Time between two checks in milliseconds. */
  readonly interval: number;
  /** True to also wait for a subject that the service does not have yet. */
  readonly wait?: boolean;
  /** True to end as soon as one subject has the requested status. */
  readonly any?: boolean;
  /** True to end as soon as one subject ends with another status. */
  readonly failFast?: boolean;
}

export function intervalOption(description: string): Option {
  return new Option("--interval <duration>", description)
    .argParser(durationOption)
    .default(defaultPreferences.pollIntervalMs, "5s");
}

export interface WatchPlan<T> extends WatchOptions {
  readonly kind: "account" | "supply-point";
  readonly supplier: string;
  readonly statuses: readonly string[];
  changed(change: Change<T>): Promise<void>;
}

interface ReadState<T> extends Change<T> {
  readonly isChange: boolean;
  readonly isFinal: boolean;
}

type Outcome = { readonly id: string } & (
  | { readonly kind: "reached" | "missing" }
  | { readonly kind: "other-final-state"; readonly state: string }
  /** The watch ended before the subject did. */
  | { readonly kind: "stopped"; readonly state: string | null }
);

/** A subject without a final state. `state` is null if no state is known. */
interface Open {
  readonly number: string;
  readonly state: string | null;
}

export interface Watch<T> {
  /** Aborted if the program ends, if `--timeout` has passed, or if the watch ends. */
  readonly signal: AbortSignal;
  /**
   * Prints a state that must be printed. Returns the kind of the subject's end, or null if the
   * subject is still open.
   */
  report(read: ReadState<T>): Promise<Outcome["kind"] | null>;
  /**
   * Reports a failure once until the service responds again. `id` is null for the list of the
   * supplier. Throws if `canPass` is false, because the failure stays until the user fixes it.
   */
  failed(id: string | null, error: unknown, canPass?: boolean): void;
  recovered(id: string | null): void;
}

/** The failures that can disappear before the next check. Other failures end the watch. */
const transientKinds: ReadonlySet<ServiceErrorKind> = new Set([
  "unavailable",
  "unreachable",
  "timeout",
  "rate-limited",
  "unreadable",
]);

const maxTimedOut = 20;

/**
 * Runs `follow` until each subject has ended or `--timeout` has passed. `follow` returns the
 * subjects that are still open. Reports each subject that did not reach the requested status.
 * Returns the most severe exit code.
 */
export async function watchUntil<T>(
  invocation: Invocation,
  target: Target,
  plan: WatchPlan<T>,
  follow: (watch: Watch<T>) => Promise<Iterable<Open>>,
): Promise<number> {
  const { io, globals } = invocation;
  const { supplier, until, any = false, failFast = false } = plan;
  hintAtStatus(invocation, plan);
  const watchEnd = new AbortController();
  const signal = AbortSignal.any([io.signal, watchEnd.signal]);
  if (globals.timeoutMs !== undefined)
    io.clock.sleep(globals.timeoutMs, signal).then(
      () => watchEnd.abort(),
      () => {},
    );
  const contextOf = (id: string | null) =>
    id === null
      ? target.context(`listing the accounts of ${supplier}`, { kind: "supplier", supplier })
      : target.context(`checking ${id}`, { kind: plan.kind, supplier, id });
  const outcomes: Outcome[] = [];
  /** The last failure of each subject, until the service responds again. */
  const troubles = new Map<string | null, string>();
  let isEnough = false;
  const end = (outcome: Outcome) => {
    outcomes.push(outcome);
    isEnough ||= outcome.kind === "reached" ? any : failFast;
    if (isEnough) watchEnd.abort();
    return outcome.kind;
  };

  const watch: Watch<T> = {
    signal,
    async report(read) {
      const { id, state, previous } = read;
      if (isEnough) return "stopped";
      if (state === notFound && previous === null && plan.wait !== true)
        return end({ kind: "missing", id });
      if (read.isChange) await plan.changed(read);
      if (state === notFound) return null;
      if (state.toUpperCase() === until.toUpperCase()) return end({ kind: "reached", id });
      return read.isFinal ? end({ kind: "other-final-state", id, state }) : null;
    },
    failed(id, error, canPass = isServiceError(error) && transientKinds.has(error.kind)) {
      if (!canPass) throw failedCall(error, contextOf(id));
      const failure = failureOf(error, contextOf(id));
      const trouble = `${failure.kind} ${failure.httpStatus ?? ""}`;
      if (troubles.get(id) !== trouble) invocation.report(failure);
      troubles.set(id, trouble);
    },
    recovered(id) {
      if (troubles.delete(id)) invocation.notice(`${id ?? supplier}: the service responds again.`);
    },
  };
  try {
    for (const { number: id, state } of await follow(watch))
      outcomes.push({ kind: "stopped", id, state });
  } finally {
    watchEnd.abort();
  }
  io.signal.throwIfAborted();
  // If one subject was enough to end the watch, the subjects that it stopped do not count.
  const reached = any && outcomes.some(({ kind }) => kind === "reached");
  const counted = outcomes.filter(({ kind }) => !(isEnough && kind === "stopped"));
  const failures = (reached ? [] : counted).flatMap(
    (outcome) => failureFor(outcome, until, globals.timeoutMs ?? 0, contextOf) ?? [],
  );
  let timedOut = 0;
  for (const failure of failures)
    if (failure.kind !== "watch-timed-out" || ++timedOut <= maxTimedOut) invocation.report(failure);
  if (timedOut > maxTimedOut)
    invocation.problem(
      `${count(timedOut - maxTimedOut)} more accounts were not ${until} in that time.`,
    );
  return mostSevere(failures.map((failure) => failure.exitCode));
}

function failureFor(
  outcome: Outcome,
  until: string,
  timeoutMs: number,
  contextOf: (id: string) => ErrorContext,
): Failure | null {
  const { id } = outcome;
  switch (outcome.kind) {
    case "reached":
      return null;
    case "missing":
      return failureOf(
        new ServiceError("not-found", "Not found (404).", { httpStatus: 404 }),
        contextOf(id),
      );
    case "other-final-state":
      return {
        exitCode: exitCode.otherFinalState,
        kind: "other-final-state",
        message: `${id} ended as ${outcome.state}, not as ${until}.`,
      };
    case "stopped":
      return {
        exitCode: exitCode.watchTimedOut,
        kind: "watch-timed-out",
        message: `${id} was not ${until} within ${formatDuration(timeoutMs)}; ${lastStateWords(outcome.state)}.`,
      };
  }
}

function lastStateWords(state: string | null): string {
  if (state === null) return "the service sent no usable response in that time";
  return state === notFound ? "the service does not know it" : `its last status was ${state}`;
}

/**
 * Prints a notice if the requested status is not documented. The watch waits for it, because a
 * service can add statuses.
 */
function hintAtStatus(
  invocation: Invocation,
  { until, statuses }: { readonly until: string; readonly statuses: readonly string[] },
): void {
  if (statuses.includes(until.toUpperCase())) return;
  const suggestion = nearest(until, statuses);
  const hint = suggestion === null ? "" : ` Did you mean ${suggestion}?`;
  invocation.notice(
    `${until} is not a documented status (${statuses.join(", ")}); waiting for it, because a service can add statuses.${hint}`,
  );
}
