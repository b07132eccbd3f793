import { mostRateLimitWaitMs } from "../../api/rate-limit.ts";
import type { Wait } from "../decide.ts";
import { tell } from "./options.ts";
import type { Run } from "./run.ts";
import { countdown, resumeAt } from "./waiting.ts";

/**
 * Waits before resend or look `n`, as a countdown that can be cut short. False, with the reason in
 * the run, when there is no time left or the user has cancelled.
 */
export async function waited(
  run: Run,
  wait: Wait,
  before: "resend" | "look-up",
  n: number,
): Promise<boolean> {
  const { context, options, limits } = run;
  const { clock, random } = context;
  const own = resumeAt(wait, run.lastEndedAt, n, limits.settleMs, random);
  // What the service asks of another call holds for this one as well.
  const limited = context.service.rateLimit.until() ?? 0;
  const until = Math.max(own, limited);
  const now = clock.now();
  if (until <= now) return !cancelled(run);
  const isAsked = wait.kind === "as-asked" || limited > own;
  const asked = isAsked ? until - now : 0;
  if (isAsked ? run.askedMs + asked > mostRateLimitWaitMs : until >= run.deadline) {
    run.reason = isAsked ? "rate-limited" : "deadline";
    return false;
  }
  // It is not the write that takes this time.
  run.askedMs += asked;
  run.deadline += asked;
  const { over, skip } = countdown(clock, until, options.signal);
  const ended = over.then(
    () => true,
    (reason: unknown) => {
      if (!options.signal.aborted) throw reason;
      return false;
    },
  );
  const { id: journalId } = run.entry;
  tell(options, {
    kind: "waiting",
    journalId,
    why: isAsked ? "as-asked" : wait.kind,
    before,
    until,
    skip,
  });
  await options.atPoint?.("waiting");
  await ended;
  return !cancelled(run);
}

function cancelled(run: Run): boolean {
  if (!run.options.signal.aborted) return false;
  run.reason = "cancelled";
  return true;
}
