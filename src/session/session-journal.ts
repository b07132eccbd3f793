/** Opens the journal of a session: for sending, and for reading if it exists. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../api/clock.ts";
import { hasJournal, journalFile } from "../writes/journal/journal-file.ts";
import type { Writes } from "../writes/open-writes.ts";
import { refuseUnopened } from "../writes/refuse-team.ts";
import type { WriteService } from "../writes/send/events.ts";
import type { TeamDriver } from "../writes/team/ledger.ts";
import type { TeamProfile } from "../writes/team/profile-team.ts";

interface SessionJournalOptions {
  /** The state folder, or null for a journal in memory. */
  readonly folder: string | null;
  /** The config folder, in which the position of the journal is remembered. */
  readonly memoryIn: string;
  readonly service: WriteService;
  readonly profile: TeamProfile;
  readonly teamDriver: TeamDriver;
  readonly pid: number;
  readonly clock: Clock;
}

const settleEveryMs = 5_000;

/** Returns the journal of a session. Each function rejects with a journal error. */
export function sessionJournal(options: SessionJournalOptions) {
  const { folder, clock } = options;
  let opened: Promise<Writes> | null = null;
  let settledAt = Number.NEGATIVE_INFINITY;
  let readOnly: ReadOnlyWrites | null = null;
  /** Opens the write path at the first call. After a failure, the next call tries again. */
  const open = () => {
    opened ??= import("../writes/open-writes.ts").then(({ openWrites }) => openWrites(options));
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
  const settle = async ({ context: { journal, process } }: Writes) => {
    const at = clock.now();
    if (Math.abs(at - settledAt) < settleEveryMs) return;
    const { recover } = await import("../writes/recover.ts");
    await recover(journal, process, at);
    settledAt = at;
  };
  const closeReadOnly = async () => {
    const before = readOnly;
    readOnly = null;
    await before?.close();
  };
  return {
    open,
    /**
     * Returns the write path for reading, or null if there is no journal yet or the signal is
     * aborted. Entries of ended processes are settled, in a copy if the journal cannot be written. In
     * a journal that cannot be written, every commit is rejected.
     */
    async read(signal: AbortSignal): Promise<Writes | null> {
      if (folder === null) return opened;
      // A session that was closed meanwhile must not open its journal again.
      if (!hasJournal(folder) || signal.aborted) return null;
      try {
        const writes = await open();
        await settle(writes);
        await closeReadOnly();
        return writes;
      } catch (error) {
        const { isAboutWriting } = await import("../writes/journal/open-journal.ts");
        if (!isAboutWriting(error) || signal.aborted) throw error;
        const version = filesVersion(folder);
        if (readOnly?.version !== version) {
          await closeReadOnly();
          readOnly = { version, ...(await openReadOnly(folder, options)) };
        }
        return readOnly;
      }
    },
    async close() {
      await closeReadOnly();
      await opened?.then((writes) => writes.close()).catch(() => {});
    },
  };
}

/** The write path of a journal that can only be read. `version` changes with its files. */
interface ReadOnlyWrites extends Writes {
  readonly version: string;
}

/** Opens a journal that cannot be written. Rejects if its entries could not be settled. */
async function openReadOnly(
  folder: string,
  { service, profile, pid, clock }: SessionJournalOptions,
): Promise<Writes> {
  const [{ openSettledJournal, unsettledError }, { processLife }] = await Promise.all([
    import("../writes/recover.ts"),
    import("../writes/owner.ts"),
  ]);
  const process = processLife(pid);
  const { journal, isUnsettled } = await openSettledJournal({ folder }, process, clock.now);
  if (isUnsettled) {
    await journal.close();
    throw unsettledError(journal.path);
  }
  return {
    context: {
      journal,
      service,
      process,
      clock,
      profile: profile.name,
      team: null,
      teamRefusal: profile.team === undefined ? null : refuseUnopened(),
      random: Math.random,
    },
    recovered: { unknown: [], unsent: [] },
    close: () => journal.close(),
  };
}

function filesVersion(folder: string): string {
  return ["", "-wal"]
    .map((end) => statSync(join(folder, journalFile + end), { throwIfNoEntry: false }))
    .map((stats) => `${stats?.ino} ${stats?.size} ${stats?.mtimeMs}`)
    .join(" ");
}
