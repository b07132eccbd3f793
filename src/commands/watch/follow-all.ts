import type { ErrorContext } from "../../text/describe-error.ts";
import { createBudget } from "../../watch/budget.ts";
import { FailedCall } from "../command-error.ts";
import { mostSevere } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import type { Target } from "../target.ts";
import { type FollowPlan, follow, type Outcome } from "./follow.ts";
import { type LiveForm, liveTable, wantsLiveTable } from "./live-table.ts";
import { counting, type EarlyEnd, endsAll, failureFor, hintAtStatus } from "./watch-end.ts";

/** What a noun says about its watch; the rest is the same for all. */
interface WatchPlan<T>
  extends Omit<FollowPlan<T>, "troubled" | "recovered" | "intervalMs">,
    EarlyEnd {
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
          if (endsAll(outcome, plan)) over.abort();
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
  const wanted = { until: plan.until, timeoutMs: globals.timeoutMs ?? 0, contextOf };
  const failures = counting(outcomes, plan).flatMap((outcome) => failureFor(outcome, wanted) ?? []);
  for (const failure of failures) invocation.report(failure);
  return mostSevere(failures.map((failure) => failure.exitCode));
}
