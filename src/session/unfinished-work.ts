import { access } from "node:fs/promises";
import { join } from "node:path";
import { runsLeft } from "../bulk/run-process.ts";
import { countActivity } from "../writes/activity.ts";
import { journalFile } from "../writes/journal/files.ts";
import type { Writes } from "../writes/open-writes.ts";
import type { Session } from "./open-session.ts";

/** What waits in the journal of the session's profile until someone deals with it. */
export interface Attention {
  /** Entries with an unknown outcome. */
  readonly unknown: number;
  /** Bulk runs that have stopped with rows left. */
  readonly runs: number;
}

/**
 * What needs someone in the journal of a session's profile; nothing where there is no journal, or
 * when the signal was aborted meanwhile. Rejects with JournalError.
 */
export async function leftBehind(session: Session, signal: AbortSignal): Promise<Attention> {
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
 * The write path of a session when there is a journal to look at; null when none has been made yet,
 * since looking alone makes none. Rejects with JournalError.
 */
export async function writesIfAny(session: Session, signal: AbortSignal): Promise<Writes | null> {
  if (session.journalFolder === null) return session.openedWrites();
  try {
    await access(join(session.journalFolder, journalFile));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  }
  // A session that was left meanwhile must not open its journal any more.
  return signal.aborted ? null : session.writes();
}
