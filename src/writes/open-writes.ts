/**
 * Opens the journal for writes, settles interrupted entries, and removes old entries every hour.
 */
import type { Clock } from "../api/clock.ts";
import { maybeWhole, text, whole } from "../sqlite/rows.ts";
import { hourMs } from "../text/durations.ts";
import { recoverEntry } from "./journal/changes.ts";
import { type Journal, type OpenJournalOptions, openJournal } from "./journal/open-journal.ts";
import { ownerFrom, type ProcessLife, processLife } from "./owner.ts";
import { retain } from "./retention.ts";
import { isGone } from "./send/account-lock.ts";
import type { WriteContext, WriteService } from "./send/events.ts";

/** The options of opening the journal for writes. */
interface OpenWritesOptions extends OpenJournalOptions {
  readonly service: WriteService;
  /** The name of the profile, for the journal. */
  readonly profile: string;
  /** The ID of this process. */
  readonly pid: number;
  readonly clock: Clock;
  readonly random?: () => number;
  /** The hourly timer. Default: a timer of this process. */
  readonly everyHour?: EveryHour;
}

/** The open journal with the context for writes. */
export interface Writes {
  readonly context: WriteContext;
  /** The entries that earlier processes left open. Callers show the unknown entries first. */
  readonly recovered: Recovered;
  close(): Promise<void>;
}

/** Calls `work` every hour until the returned function is called. */
type EveryHour = (work: () => void) => () => void;

/** The default timer. The process can end while it runs. */
const everyHour: EveryHour = (work) => {
  const timer = setInterval(work, hourMs).unref();
  return () => clearInterval(timer);
};

/**
 * Opens the journal, settles the entries of processes that have ended, and starts the removal of
 * old entries. Sends nothing. Rejects with a journal error, after which nothing can be sent to the
 * service.
 */
export async function openWrites(options: OpenWritesOptions): Promise<Writes> {
  const { service, profile, pid, clock, random = Math.random } = options;
  const journal = await openJournal(options);
  try {
    const process = processLife(pid);
    const recovered = await recover(journal, process, clock.now());
    const stopRetention = retainEvery(options.everyHour ?? everyHour, journal, service);
    const context: WriteContext = { journal, service, process, clock, profile, random };
    return {
      context,
      recovered,
      close: async () => {
        await stopRetention();
        await journal.close();
      },
    };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/**
 * Removes old entries every hour, because a console can be open for weeks. The returned function
 * stops the timer and removes old entries a last time.
 */
function retainEvery(every: EveryHour, journal: Journal, { trustedNow }: WriteService) {
  // Writes do not depend on retention. If it fails, the next call removes more.
  const retainNow = () => retain(journal, trustedNow()).catch(() => {});
  const stopTimer = every(() => void retainNow());
  return async () => {
    stopTimer();
    await retainNow();
  };
}

/** Journal IDs of the settled entries, by their new state. */
interface Recovered {
  /** Entries that were being sent. Their outcome is unknown. */
  readonly unknown: readonly number[];
  /** Entries that were recorded and never sent. */
  readonly unsent: readonly number[];
}

/**
 * Settles the entries of processes that have ended. An entry that was being sent becomes unknown,
 * an entry that was only recorded becomes unsent. Entries of running processes do not change. Sends
 * nothing. Rejects with a journal error.
 */
export async function recover(
  journal: Journal,
  process: ProcessLife,
  at: number,
): Promise<Recovered> {
  const owned = journal.read((rows) =>
    rows.get("SELECT 1 FROM intent WHERE owner IS NOT NULL LIMIT 1"),
  );
  if (owned === undefined) return { unknown: [], unsent: [] };
  return journal.commit((rows) => {
    const unknown: number[] = [];
    const unsent: number[] = [];
    const owners = rows.all(
      `SELECT owner, max(coalesce(
         (SELECT renewed_at FROM claim WHERE claim.intent = intent.id), created_at)) AS renewed_at
       FROM intent WHERE owner IS NOT NULL GROUP BY owner`,
    );
    for (const row of owners) {
      const stored = text(row, "owner");
      const owner = ownerFrom(stored);
      if (owner !== null && !isGone(process, owner, whole(row, "renewed_at"), at)) continue;
      for (const entry of rows.all("SELECT id FROM intent WHERE owner = ? ORDER BY id", stored)) {
        const id = maybeWhole(entry, "id") ?? 0;
        const state = recoverEntry(rows, id, at);
        if (state === "unknown") unknown.push(id);
        if (state === "unsent") unsent.push(id);
      }
      rows.run("DELETE FROM claim WHERE owner = ?", stored);
    }
    return { unknown, unsent };
  });
}
