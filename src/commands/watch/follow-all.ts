import type { ErrorContext } from "../../text/describe-error.ts";
import { formatDuration } from "../../text/durations.ts";
import { nearest } from "../../text/suggest.ts";
import { createBudget } from "../../watch/budget.ts";
import { notFound } from "../../watch/transitions.ts";
import { FailedCall } from "../command-error.ts";
import { exitCode, mostSevere } from "../exit-codes.ts";
import { type Failure, failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import type { Target } from "../target.ts";
import { type FollowPlan, follow, type Outcome } from "./follow.ts";
import { type LiveForm, liveTable, wantsLiveTable } from "./live-table.ts";

/** What a noun says about its watch; the rest is the same for all. */
interface WatchPlan<T> extends Omit<FollowPlan<T>, "troubled" | "recovered" | "intervalMs"> {
  /** Longer where there are too many to be looked at so often. */
  readonly intervalMs: number;
  /** How they are shown in a table on a terminal; a line for each change without it. */
  readonly live?: Pick<LiveForm<T>, "words" | "note">;
  readonly ids: readonly string[];
  /** Statuses of the interface, for a hint when the one asked for is none of them. */
  readonly statuses: readonly string[];
  subject(id: string): NonNullable<ErrorContext["subject"]>;
}

/**
 * Follows several things side by side, within one budget of requests, until each has ended, or `--timeout` has passed. Reports how
 * each ended where that is not as asked, and gives the most severe exit code.
 */
export async function followAll<T>(
  invocation: Invocation,
  target: Target,
  plan: WatchPlan<T>,
): Promise<number> {
  const { io, globals } = invocation;
  hintAtStatus(invocation, plan);
  const contextOf = (id: string) => target.context(`looking at ${id}`, plan.subject(id));
  const budget = createBudget(io.clock);
  let open = plan.ids.length;
  const everyMs = () => budget.intervalFor(open, plan.intervalMs);
  const table =
    plan.live && wantsLiveTable(invocation, open)
      ? liveTable<T>(invocation, { ...plan, ...plan.live, everyMs, context: contextOf })
      : null;
  const told: FollowPlan<T> = {
    ...plan,
    intervalMs: everyMs,
    check: (id, ending) => budget.spend((room) => plan.check(id, room), ending),
    troubled: (id, error) => invocation.report(failureOf(new FailedCall(error, contextOf(id)))),
    recovered: (id) => invocation.notice(`${id}: the service answers again.`),
    ...table,
  };
  const over = new AbortController();
  const signal = AbortSignal.any([io.signal, over.signal]);
  if (globals.timeoutMs !== undefined)
    io.clock.sleep(globals.timeoutMs, signal).then(
      () => over.abort(),
      () => {},
    );
  let outcomes: Outcome[];
  try {
    outcomes = await Promise.all(
      plan.ids.map(async (id) => {
        try {
          const outcome = await follow(id, told, io, signal);
          open--;
          table?.ended(outcome);
          return outcome;
        } catch (error) {
          throw new FailedCall(error, contextOf(id));
        }
      }),
    );
  } finally {
    over.abort();
    await table?.close();
  }
  io.signal.throwIfAborted();
  const failures = outcomes.flatMap((outcome) => failureFor(outcome, plan, globals, contextOf));
  for (const failure of failures) invocation.report(failure);
  return mostSevere(failures.map((failure) => failure.exitCode));
}

function failureFor<T>(
  outcome: Outcome,
  { until }: WatchPlan<T>,
  { timeoutMs = 0 }: Invocation["globals"],
  contextOf: (id: string) => ErrorContext,
): Failure[] {
  const { id } = outcome;
  switch (outcome.kind) {
    case "reached":
      return [];
    case "missing":
      return [failureOf(new FailedCall(outcome.error, contextOf(id)))];
    case "other-final-state":
      return [
        {
          exitCode: exitCode.otherFinalState,
          kind: "other-final-state",
          message: `${id} ended as ${outcome.state}, not as ${until}.`,
        },
      ];
    case "stopped":
      return [
        {
          exitCode: exitCode.watchTimedOut,
          kind: "watch-timed-out",
          message: `${id} was not ${until} within ${formatDuration(timeoutMs)}; ${lastSeen(outcome.state)}.`,
        },
      ];
  }
}

function lastSeen(state: string | null): string {
  if (state === null) return "the service gave no usable answer in that time";
  return state === notFound ? "the service does not know it" : `it was last seen as ${state}`;
}

/** Statuses are an open enumeration: an unknown one is waited for, but it is likely a slip. */
function hintAtStatus<T>(invocation: Invocation, { until, statuses }: WatchPlan<T>): void {
  if (statuses.includes(until.toUpperCase())) return;
  const meant = nearest(until, statuses);
  const hint = meant === null ? "" : ` Did you mean ${meant}?`;
  invocation.notice(
    `${until} is not a documented status (${statuses.join(", ")}); waiting for it, because a service can add statuses.${hint}`,
  );
}
