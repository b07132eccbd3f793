/**
 * Opens the journal for writes, settles interrupted entries, and removes old entries every hour.
 */
import type { Clock } from "../api/clock.ts";
import { serviceKey } from "../api/url.ts";
import { hourMs } from "../text/durations.ts";
import { type Journal, type OpenJournalOptions, openJournal } from "./journal/open-journal.ts";
import { processLife } from "./owner.ts";
import { type Recovered, recover } from "./recover.ts";
import { refusalOfOther, refuseUnopened, refuseWithoutLedger } from "./refuse-team.ts";
import { retain } from "./retention.ts";
import type { WriteContext, WriteService } from "./send/events.ts";
import { joinedLedger } from "./team/claims.ts";
import type { TeamDriver } from "./team/ledger.ts";
import type { TeamProfile } from "./team/profile-team.ts";

interface OpenWritesOptions extends OpenJournalOptions {
  readonly service: WriteService;
  readonly profile: TeamProfile;
  /** The driver of a team's ledger. Without it, a profile with a team sends nothing. */
  readonly teamDriver?: TeamDriver | undefined;
  readonly pid: number;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly everyHour?: EveryHour;
}

export interface Writes {
  readonly context: WriteContext;
  /** The entries that earlier processes left open. Callers show the unknown entries first. */
  readonly recovered: Recovered;
  /** Publishes to the team for a few seconds, and closes the journal. */
  close(): Promise<void>;
}

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
    const parts = { journal, service, process, clock, profile: profile.name, random };
    const { team, teamRefusal } = await openTeamOf(parts, profile, options.teamDriver);
    const context: WriteContext = { ...parts, team, teamRefusal };
    return {
      context,
      recovered,
      close: async () => {
        await team?.close();
        await stopRetention();
        await journal.close();
      },
    };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

async function openTeamOf(
  parts: Omit<WriteContext, "team" | "teamRefusal">,
  profile: TeamProfile,
  driver: TeamDriver | undefined,
): Promise<Pick<WriteContext, "team" | "teamRefusal">> {
  const { baseUrl } = parts.service;
  const other = refusalOfOther({ ...profile, baseUrl }, driver?.profiles() ?? []);
  if (other !== null) return { team: null, teamRefusal: other };
  if (profile.team === undefined) {
    // Another profile named the team, which has this address no more or was removed.
    const ledger = parts.journal.read((rows) => joinedLedger(rows, serviceKey(baseUrl)));
    const teamRefusal = ledger === null ? null : refuseWithoutLedger(profile.name, ledger);
    return { team: null, teamRefusal };
  }
  if (driver === undefined) return { team: null, teamRefusal: refuseUnopened() };
  const { openProfileTeam } = await import("./team/profile-team.ts");
  return openProfileTeam(parts, profile, driver);
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
