import type { ErrorContext } from "../../errors/app-error.ts";
import { createBudget } from "../../watch/budget.ts";
import { statusIntervalMs } from "../../watch/pace.ts";
import { failedCall } from "../command-error.ts";
import { mostSevere } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import type { Target } from "../target.ts";
import { type FollowPlan, follow, type Outcome } from "./follow.ts";
import { endsAll, failuresOf, hintAtStatus, type StopCondition, watchSpan } from "./watch-end.ts";

/** The watch of a noun. The other properties are the same for all. */
interface WatchPlan<T>
  extends Omit<FollowPlan<T>, "troubled" | "recovered" | "intervalMs">,
    StopCondition {
  /** Milliseconds between two checks. It is longer if there are many subjects. */
  readonly intervalMs: number;
  readonly ids: readonly string[];
  /** The statuses of the interface, for a hint if the requested status is not among them. */
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
  const { io } = invocation;
  hintAtStatus(invocation, plan);
  const contextOf = (id: string) => target.context(`looking at ${id}`, plan.subject(id));
  const budget = createBudget(io.clock);
  let open = plan.ids.length;
  const everyMs = () => statusIntervalMs(open, plan.intervalMs);
  const told: FollowPlan<T> = {
    ...plan,
    intervalMs: everyMs,
    check: (id, ending) => budget.spend((room) => plan.check(id, room), ending),
    troubled: (id, error) => invocation.report(failureOf(error, contextOf(id))),
    recovered: (id) => invocation.notice(`${id}: the service responds again.`),
  };
  const { signal, end } = watchSpan(invocation);
  let outcomes: Outcome[];
  try {
    outcomes = await Promise.all(
      plan.ids.map(async (id) => {
        try {
          const outcome = await follow(id, told, io, signal);
          open--;
          if (endsAll(outcome, plan)) end();
          return outcome;
        } catch (error) {
          throw failedCall(error, contextOf(id));
        }
      }),
    );
  } finally {
    end();
  }
  io.signal.throwIfAborted();
  const failures = failuresOf(invocation, outcomes, plan, contextOf);
  for (const failure of failures) invocation.report(failure);
  return mostSevere(failures.map((failure) => failure.exitCode));
}
