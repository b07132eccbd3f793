import type { ErrorContext } from "../../errors/app-error.ts";
import { formatDuration } from "../../text/durations.ts";
import { nearest } from "../../text/suggest.ts";
import { notFound } from "../../watch/transitions.ts";
import { exitCode } from "../exit-codes.ts";
import { type Failure, failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import type { Outcome } from "./follow.ts";

/** The conditions that end a watch of several subjects before each of them has ended. */
export interface StopCondition {
  /** End if one subject has reached the status. */
  readonly any?: boolean | undefined;
  /** End if one subject has ended with another status. */
  readonly failFast?: boolean | undefined;
}

export function endsAll(
  { kind }: Outcome,
  { any = false, failFast = false }: StopCondition,
): boolean {
  if (kind === "reached") return any;
  return kind !== "stopped" && failFast;
}

/** The outcomes that count: where one was enough, those that were stopped by it do not. */
function counting(outcomes: readonly Outcome[], early: StopCondition): readonly Outcome[] {
  const enough = outcomes.find((outcome) => endsAll(outcome, early));
  if (enough === undefined) return outcomes;
  return enough.kind === "reached" ? [] : outcomes.filter(({ kind }) => kind !== "stopped");
}

interface Wanted {
  readonly until: string;
  readonly timeoutMs: number;
  contextOf(id: string): ErrorContext;
}

/** Returns the signal of a watch, which ends with the program, after `--timeout`, or by `end`. */
export function watchSpan({ io, globals }: Invocation) {
  const over = new AbortController();
  const signal = AbortSignal.any([io.signal, over.signal]);
  const end = () => over.abort();
  if (globals.timeoutMs !== undefined)
    io.clock.sleep(globals.timeoutMs, signal).then(end, () => {});
  return { signal, end };
}

/**
 * Returns the failures to report of a watch: the subjects that did not reach the requested status.
 */
export function failuresOf(
  { globals }: Invocation,
  outcomes: readonly Outcome[],
  plan: StopCondition & Pick<Wanted, "until">,
  contextOf: Wanted["contextOf"],
): readonly Failure[] {
  const wanted = { until: plan.until, timeoutMs: globals.timeoutMs ?? 0, contextOf };
  return counting(outcomes, plan).flatMap((outcome) => failureFor(outcome, wanted) ?? []);
}

/** Returns the failure of a subject that did not reach the requested status, or null if it did. */
function failureFor(outcome: Outcome, wanted: Wanted): Failure | null {
  const { id } = outcome;
  const { until, timeoutMs } = wanted;
  switch (outcome.kind) {
    case "reached":
      return null;
    case "missing":
      return failureOf(outcome.error, wanted.contextOf(id));
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
        message: `${id} was not ${until} within ${formatDuration(timeoutMs)}; ${lastSeen(outcome.state)}.`,
      };
  }
}

function lastSeen(state: string | null): string {
  if (state === null) return "the service gave no usable answer in that time";
  return state === notFound ? "the service does not know it" : `it was last seen as ${state}`;
}

/** Statuses are an open enumeration: an unknown one is waited for, but it is likely a slip. */
export function hintAtStatus(
  invocation: Invocation,
  { until, statuses }: { readonly until: string; readonly statuses: readonly string[] },
): void {
  if (statuses.includes(until.toUpperCase())) return;
  const meant = nearest(until, statuses);
  const hint = meant === null ? "" : ` Did you mean ${meant}?`;
  invocation.notice(
    `${until} is not a documented status (${statuses.join(", ")}); waiting for it, because a service can add statuses.${hint}`,
  );
}
