/** Attempts of one write until it is over: what the retry table says, within limits. */
import type { Wait } from "../decide.ts";
import { mostResends } from "../retry-table.ts";
import { makeAttempt } from "./attempt.ts";
import type { WriteResult } from "./events.ts";
import { lookAfter } from "./look-after.ts";
import { finish, type Run, record, resultOf, tellAttemptEnded, tellBarred } from "./run.ts";
import { waited } from "./waited.ts";

export async function sendUntilOver(run: Run): Promise<WriteResult> {
  if (run.bar !== null) return tellBarred(run);
  // An operator's resend waits as well for what may still be running.
  const settling: Wait = { kind: "settle", ms: 0 };
  if (run.doubt === "unknown" && !(await waited(run, settling, "resend", 1))) return finish(run);
  for (;;) {
    // A clock that was set on, or a machine that slept: what is sent now would be given up on at once.
    if (run.begun === null && run.context.clock.now() >= run.deadline) {
      run.reason = "deadline";
      return finish(run);
    }
    const made = await makeAttempt(run);
    if (made === null) return run.bar === null ? resultOf(run, null) : tellBarred(run);
    const { verdict, attempt } = made;
    if (verdict.next === "end") return finish(run, { attempt, block: verdict.block });
    const failure = await record(run, { attempt, over: false });
    if (failure !== null || run.lost) return resultOf(run, failure);
    await run.options.atPoint?.("attempt-recorded");
    tellAttemptEnded(run, attempt);
    if (verdict.next === "look-up") return lookAfter(run, verdict.wait);
    if (verdict.wait.kind !== "as-asked") run.resendsLeft -= 1;
    if (!(await waited(run, verdict.wait, "resend", mostResends - run.resendsLeft))) {
      return finish(run);
    }
  }
}
