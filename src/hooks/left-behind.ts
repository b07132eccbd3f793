import { runsLeft } from "../bulk/run-process.ts";
import { countActivity } from "../writes/activity.ts";
import { writesIfAny } from "./journal.ts";
import type { Session } from "./open-session.ts";

/** What earlier processes have left for somebody to look at. */
export interface LeftBehind {
  /** How many writes have an unknown outcome. */
  readonly unknown: number;
  /** The bulk runs that were left in the middle, newest first. */
  readonly runs: readonly string[];
}

/**
 * What was left behind of a session's profile; nothing where there is no journal, or when the signal
 * was aborted meanwhile. Rejects with JournalError.
 */
export async function leftBehind(session: Session, signal: AbortSignal): Promise<LeftBehind> {
  const writes = await writesIfAny(session, signal);
  if (writes === null || signal.aborted) return { unknown: 0, runs: [] };
  const { context } = writes;
  const unknown = countActivity(context.journal, {
    outcomes: ["unknown"],
    profile: session.profile.name,
  });
  return { unknown, runs: runsLeft(context) };
}
