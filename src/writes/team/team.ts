/**
 * Opens the ledger of a team for a state folder, and publishes the outcomes that the journal has and
 * the ledger does not: at once, again every few seconds while the database is away, and at the end.
 */
import type { Clock } from "../../api/clock.ts";
import { isAppError } from "../../errors/app-error.ts";
import type { TeamNames } from "../../settings/team-access.ts";
import type { Journal } from "../journal/open-journal.ts";
import {
  countUnpublished,
  folderId,
  markPublished,
  readPosition,
  storeLedgerState,
  type Unpublished,
  unpublished,
} from "./claims.ts";
import { adoptClosings } from "./closings.ts";
import { teamError } from "./failures.ts";
import { reportLeft } from "./leave.ts";
import type { Ledger, LedgerState, LedgerUser, Team, TeamPlace, Trouble } from "./ledger.ts";

interface OpenTeamOptions {
  readonly journal: Journal;
  readonly place: TeamPlace;
  readonly names: TeamNames;
  readonly clock: Clock;
  readonly open: (user: LedgerUser) => Ledger;
  /** Returns milliseconds of a clock that is never set. Default: that of the process. */
  readonly steady?: () => number;
  /** Calls `work` regularly until the returned function is called. Default: every five seconds. */
  readonly every?: (work: () => void) => () => void;
}

/** Maximum number of outcomes of one call. */
const batch = 256;

/** The default timer. The process can end while it runs. */
const everyFiveSeconds: NonNullable<OpenTeamOptions["every"]> = (work) => {
  const timer = setInterval(work, 5_000).unref();
  return () => clearInterval(timer);
};

const farewellMs = 3_000;

/** Opens the ledger of a team. Nothing is connected before there is something to ask or publish. */
export function openTeam(options: OpenTeamOptions): Team {
  const { journal, place, names, clock, steady = () => performance.now() } = options;
  const { every = everyFiveSeconds } = options;
  let publishing = 0;
  let latest: LedgerState | null = null;
  let trouble: Trouble | null = null;
  const user: LedgerUser = {
    journal: journal.read(folderId),
    ...names,
    position: () =>
      journal.read((rows) => {
        const stored = readPosition(rows, place);
        const isComplete = countUnpublished(rows, place) <= publishing;
        return { ...stored, state: latest ?? stored.state, isComplete };
      }),
    seen: (state) => {
      const before = latest ?? journal.read((rows) => readPosition(rows, place).state);
      latest = state;
      // The highest ID is stored with the next published outcomes. Another ledger or a restored one
      // is stored at once, because everything is published to it again.
      if (before?.epoch === state.epoch) return;
      journal.commit((rows) => storeLedgerState(rows, place, state)).catch(() => {});
    },
  };
  const ledger = options.open(user);

  const reportTrouble = (error: unknown) => {
    const since = trouble?.since ?? clock.elapsed();
    trouble = { error: teamError(error, place.address), since };
  };
  const publishAll = async (): Promise<number> => {
    for (;;) {
      const due = journal.read((rows) => unpublished(rows, place, batch));
      if (due.length === 0) return journal.read((rows) => countUnpublished(rows, place));
      publishing = due.length;
      const { seq } = user.position();
      let refused: readonly number[] = [];
      try {
        refused = await ledger.publish(due.map(({ outcome }) => outcome));
        trouble = null;
      } catch (error) {
        reportTrouble(error);
        // The outcomes wait in the journal. Until they are published, the ledger bars their items.
        return journal.read((rows) => countUnpublished(rows, place));
      } finally {
        publishing = 0;
      }
      await journal.commit((rows) => {
        if (latest !== null) storeLedgerState(rows, place, latest);
        // The ledger refuses outcomes from a folder with an older number of claims. If another process of
        // this folder has claimed meanwhile, the number was old, and the folder was not restored.
        const isStale = readPosition(rows, place).seq > seq;
        const isRetried = ({ outcome: { localId } }: Unpublished) =>
          isStale && refused.includes(localId);
        markPublished(
          rows,
          due.filter((one) => !isRetried(one)),
        );
      });
    }
  };
  let running: Promise<number> | null = null;
  /** Publishes after a running call, because that might have read the journal before a change. */
  let next: Promise<number> | null = null;
  /** Publishes, reports an earlier leaving, and then closes the entries that colleagues have closed, which is published, too. */
  const publishAndAdopt = async (): Promise<number> => {
    const left = await publishAll();
    if (left > 0) return left;
    try {
      await reportLeft(journal, ledger, place);
      const adopted = await adoptClosings({ journal, ledger, place, at: clock.now() });
      return adopted === 0 ? left : await publishAll();
    } catch (error) {
      if (isAppError(error, "journal")) throw error;
      reportTrouble(error);
      return left;
    }
  };
  const start = () => {
    const work = publishAndAdopt().finally(() => {
      running = null;
    });
    running = work;
    return work;
  };
  const publish = (): Promise<number> => {
    if (running === null) return start();
    next ??= running.then(
      () => {
        next = null;
        return start();
      },
      () => {
        next = null;
        return start();
      },
    );
    return next;
  };
  const ready = publish().then(
    () => {},
    () => {},
  );
  const stopTimer = every(() => void publish().catch(() => {}));
  const left = () => journal.read((rows) => countUnpublished(rows, place));
  const drain = async () => {
    if (left() === 0) return 0;
    const late = new AbortController();
    await Promise.race([
      publish().catch(() => {}),
      clock.limit(farewellMs, late.signal).catch(() => {}),
    ]);
    late.abort();
    return left();
  };
  return {
    place,
    folder: user.journal,
    names,
    ledger,
    now: () => ({ wall: clock.now(), steady: steady() }),
    ready,
    trouble: () => trouble,
    publish,
    contact: async () => {
      await ledger.publish([]);
      await journal.commit((rows) => {
        if (latest !== null) storeLedgerState(rows, place, latest);
      });
    },
    unpublished: left,
    drain,
    close: async () => {
      stopTimer();
      await drain();
      await ledger.close();
      return left();
    },
  };
}
