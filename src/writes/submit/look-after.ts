/** Finding out by reading what became of a supply point that may have been created. */
import type { Wait } from "../decide.ts";
import type { WriteResult } from "./events.ts";
import { confirms, type Look, lookUp } from "./look-up.ts";
import { finish, type Run } from "./run.ts";
import { waited } from "./waited.ts";

/** Absence proves nothing, so it is looked for a few times before it is left unknown. */
const mostLooks = 3;

/** Looks until it is there or there were looks enough; only presence resolves. */
export async function lookAfter(run: Run, wait: Wait): Promise<WriteResult> {
  for (let n = 1; n <= mostLooks; n++) {
    if (!(await waited(run, n === 1 ? wait : { kind: "back-off", ms: 0 }, "look-up", n))) break;
    const look = await lookOrNull(run, "after");
    if (look === null) break;
    if (look.kind === "found") {
      run.process = look.process;
      if (confirms(run.entry, look.process)) return finishConfirmed(run);
    }
    run.lastEndedAt = run.context.clock.now();
  }
  return finish(run);
}

/** Presence confirms, whatever failed before. */
export function finishConfirmed(run: Run): Promise<WriteResult> {
  run.state = "confirmed";
  run.reason = "looked-up";
  run.error = null;
  run.items = run.write.facts.labels.map((label, position) => ({
    position,
    label,
    outcome: "created",
    status: run.process?.status ?? null,
  }));
  return finish(run);
}

/** One look; null, with the reason in the run, when the user has cancelled. */
export async function lookOrNull(run: Run, purpose: "before" | "after"): Promise<Look | null> {
  const { context, options, limits, deadline } = run;
  try {
    return await lookUp(context, run.entry, { ...options, limits, deadline }, purpose);
  } catch (error) {
    if (!options.signal.aborted) throw error;
    run.reason = "cancelled";
    return null;
  }
}
