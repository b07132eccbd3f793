import { runsLeft } from "../bulk/runs.ts";
import { countActivity } from "../writes/activity.ts";
import type { Session } from "./open-session.ts";

/** What waits in the journal of a profile until you deal with it. */
export interface UnfinishedWork {
  /** Entries with an unknown outcome. */
  readonly unknown: number;
  /** Bulk runs that have stopped with rows left. */
  readonly runs: number;
}

/**
 * Counts the unfinished work of a session's profile; zeros where there is no journal, or when the
 * signal is aborted meanwhile. Rejects with JournalError.
 */
export async function countUnfinishedWork(
  session: Session,
  signal: AbortSignal,
): Promise<UnfinishedWork> {
  const writes = await session.existingWrites(signal);
  if (writes === null || signal.aborted) return { unknown: 0, runs: 0 };
  const { context } = writes;
  const unknown = countActivity(context.journal, {
    outcomes: ["unknown"],
    profile: session.profile.name,
  });
  return { unknown, runs: runsLeft(context).length };
}
