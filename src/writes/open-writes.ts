/**
 * Opens the journal for writes, settles interrupted entries, and removes old entries every hour.
 */
import type { Clock } from "../api/clock.ts";
import type { Profile } from "../settings/schemas.ts";
import { hourMs } from "../text/durations.ts";
import { type Journal, type OpenJournalOptions, openJournal } from "./journal/open-journal.ts";
import { processLife } from "./owner.ts";
import { type Recovered, recover } from "./recover.ts";
import { retain } from "./retention.ts";
import type { WriteContext, WriteService } from "./send/events.ts";

interface OpenWritesOptions extends OpenJournalOptions {
  readonly service: WriteService;
  readonly profile: Pick<Profile, "name" | "team">;
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
    const { name, team } = profile;
    const hasTeam = team !== undefined;
    const context: WriteContext = {
      journal,
      service,
      process,
      clock,
      profile: name,
      hasTeam,
      team: null,
      random,
    };
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
