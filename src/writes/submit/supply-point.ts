/** Supply points (INTERFACE 4.6): looked up before, so that what is there afterwards means something. */
import { situationOf } from "../classify.ts";
import { setLookedUp } from "../journal/changes.ts";
import type { WriteResult } from "./events.ts";
import { finishConfirmed, lookOrNull } from "./look-after.ts";
import { confirms, lookedUpOf } from "./look-up.ts";
import { tell } from "./options.ts";
import { sendUntilOver } from "./resending.ts";
import { finish, type Run } from "./run.ts";

export async function sendSupplyPoint(run: Run): Promise<WriteResult> {
  const { context, options } = run;
  const look = await lookOrNull(run, run.doubt === "none" ? "before" : "after");
  if (look === null) return finish(run);
  if (look.kind === "found") {
    run.process = look.process;
    if (run.doubt !== "none" && confirms(run.entry, look.process)) return finishConfirmed(run);
    tell(options, { kind: "found-before", journalId: run.entry.id, process: look.process });
  }
  if (look.kind === "failed") {
    const { error } = look;
    const refused = ["credentials", "unauthorized"].includes(error.kind);
    if (refused || situationOf(error) === "never-sent") {
      run.error = error;
      run.reason = refused ? "credentials" : "never-sent";
      return finish(run);
    }
  }
  // What was seen before the first sending stays the mark once there is doubt.
  if (run.doubt === "none") {
    const lookedUp = lookedUpOf(look);
    await context.journal.commit((rows) => setLookedUp(rows, run.entry.id, lookedUp));
    run.entry = { ...run.entry, lookedUp };
  }
  await options.atPoint?.("looked-up");
  return sendUntilOver(run);
}
