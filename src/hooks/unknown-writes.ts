import { countActivity } from "../writes/activity.ts";
import { writesIfAny } from "./journal.ts";
import type { Session } from "./open-session.ts";

/**
 * How many writes of a session's profile have an unknown outcome; none where there is no journal, or
 * when the signal was aborted meanwhile. Rejects with JournalError.
 */
export async function unknownWrites(
  session: Session,
  stateDir: string,
  signal: AbortSignal,
): Promise<number> {
  const writes = await writesIfAny(session, stateDir, signal);
  if (writes === null || signal.aborted) return 0;
  return countActivity(writes.context.journal, {
    outcomes: ["unknown"],
    profile: session.profile.name,
  });
}
