/** Opens the parts of the write path when the program first needs them. */
import type { Clock } from "../api/clock.ts";
import { maybeWhole, text, whole } from "../sqlite/rows.ts";
import { hourMs } from "../text/durations.ts";
import { recoverEntry } from "./journal/changes.ts";
import { type Journal, type OpenJournalOptions, openJournal } from "./journal/open-journal.ts";
import { ownerFrom, type ProcessLife, processLife } from "./owner.ts";
import { retain } from "./retention.ts";
import { isGone } from "./send/account-lock.ts";
import type { WriteContext, WriteService } from "./send/events.ts";

interface OpenWritesOptions extends OpenJournalOptions {
  readonly service: WriteService;
  /** The profile's name, for the journal. */
  readonly profile: string;
  /** The number of this process. */
  readonly pid: number;
  readonly clock: Clock;
  readonly random?: () => number;
  /** Default: by the machine's timer. */
  readonly everyHour?: EveryHour;
}

export interface Writes {
  readonly context: WriteContext;
  /** The entries that earlier processes left open. Show the unknown ones first. */
  readonly recovered: Recovered;
  close(): Promise<void>;
}

/** Does something every hour, until the function that it returns is called. */
type EveryHour = (work: () => void) => () => void;

/** No program waits for it to end. */
const everyHour: EveryHour = (work) => {
  const timer = setInterval(work, hourMs).unref();
  return () => clearInterval(timer);
};

/**
 * Opens the journal, and settles the entries that ended processes left. Sends nothing. Rejects with
 * a journal error, after which nothing can be sent to the service.
 */
export async function openWrites(options: OpenWritesOptions): Promise<Writes> {
  const { service, profile, pid, clock, random = Math.random } = options;
  const journal = await openJournal(options);
  try {
    const process = processLife(pid);
    const recovered = await recover(journal, process, clock.now());
    const endRetaining = retainEvery(options.everyHour ?? everyHour, journal, service);
    const context: WriteContext = { journal, service, process, clock, profile, random };
    return {
      context,
      recovered,
      close: async () => {
        await endRetaining();
        await journal.close();
      },
    };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/**
 * Removes old entries repeatedly, because a console can be open for weeks, and again when the
 * result is called.
 */
function retainEvery(every: EveryHour, journal: Journal, { trustedNow }: WriteService) {
  // No write needs it: if it fails, the next one takes out more.
  const retainNow = () => retain(journal, trustedNow()).catch(() => {});
  const end = every(() => void retainNow());
  return async () => {
    end();
    await retainNow();
  };
}

/** Journal IDs by the state that was found. */
interface Recovered {
  /** Were being sent: the outcome is not known. */
  readonly unknown: readonly number[];
  /** Were recorded and never sent. */
  readonly unsent: readonly number[];
}

/**
 * Settles the entries of processes that have ended: sending becomes unknown, intent becomes unsent.
 * Sends nothing. Entries of processes that still run are not changed. Rejects with a journal error.
 */
export async function recover(
  journal: Journal,
  process: ProcessLife,
  at: number,
): Promise<Recovered> {
  const mayBeLeft = journal.read((rows) =>
    rows.get("SELECT 1 FROM intent WHERE owner IS NOT NULL LIMIT 1"),
  );
  if (mayBeLeft === undefined) return { unknown: [], unsent: [] };
  return journal.commit((rows) => {
    const unknown: number[] = [];
    const unsent: number[] = [];
    const signs = rows.all(
      `SELECT owner, max(coalesce(
         (SELECT renewed_at FROM claim WHERE claim.intent = intent.id), created_at)) AS sign
       FROM intent WHERE owner IS NOT NULL GROUP BY owner`,
    );
    for (const row of signs) {
      const kept = text(row, "owner");
      const owner = ownerFrom(kept);
      if (owner !== null && !isGone(process, owner, whole(row, "sign"), at)) continue;
      for (const left of rows.all("SELECT id FROM intent WHERE owner = ? ORDER BY id", kept)) {
        const id = maybeWhole(left, "id") ?? 0;
        const became = recoverEntry(rows, id, at);
        if (became === "unknown") unknown.push(id);
        if (became === "unsent") unsent.push(id);
      }
      rows.run("DELETE FROM claim WHERE owner = ?", kept);
    }
    return { unknown, unsent };
  });
}
