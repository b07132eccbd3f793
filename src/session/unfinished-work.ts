import { access } from "node:fs/promises";
import { join } from "node:path";
import { runsLeft } from "../bulk/run-process.ts";
import { countActivity } from "../writes/activity.ts";
import { journalFile } from "../writes/journal/files.ts";
import type { Writes } from "../writes/open-writes.ts";
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
  const writes = await writesIfAny(session, signal);
  if (writes === null || signal.aborted) return { unknown: 0, runs: 0 };
  const { context } = writes;
  const unknown = countActivity(context.journal, {
    outcomes: ["unknown"],
    profile: session.profile.name,
  });
  return { unknown, runs: runsLeft(context).length };
}

/**
 * The write path of a session that has a journal; null when no journal exists yet, because reading
 * creates none. Rejects with JournalError.
 */
export async function writesIfAny(session: Session, signal: AbortSignal): Promise<Writes | null> {
  if (session.journalFolder === null) return session.openedWrites();
  try {
    await access(join(session.journalFolder, journalFile));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  }
  // A session that was closed meanwhile must not open its journal again.
  return signal.aborted ? null : session.writes();
}
