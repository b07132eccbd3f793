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
  const until = resumeAt(wait, run.lastEndedAt, n, limits.settleMs, random);
  if (until <= clock.now()) return !cancelled(run);
  if (until >= run.deadline) {
    run.reason = "deadline";
    return false;
  }
  const { over, skip } = countdown(clock, until, options.signal);
  const ended = over.then(
    () => true,
    (reason: unknown) => {
      if (!options.signal.aborted) throw reason;
      return false;
    },
  );
  const { id: journalId } = run.entry;
  tell(options, { kind: "waiting", journalId, why: wait.kind, before, until, skip });
  await options.atPoint?.("waiting");
  await ended;
  return !cancelled(run);
}

function cancelled(run: Run): boolean {
  if (!run.options.signal.aborted) return false;
  run.reason = "cancelled";
  return true;
}
