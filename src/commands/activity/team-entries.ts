/** Reads the entries of colleagues for `activity`, from the ledger of the profile's team. */
import { AppError } from "../../errors/app-error.ts";
import { teamNames } from "../../settings/team-access.ts";
import { safe } from "../../text/sanitize.ts";
import { listActivity } from "../../writes/activity.ts";
import { folderId } from "../../writes/team/claims.ts";
import {
  type ColleagueFilter,
  findTeamEntry,
  listColleagues,
  ownColumns,
  type TeamActivityRow,
} from "../../writes/team/colleagues.ts";
import type { Ledger, ListedEntry } from "../../writes/team/ledger.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { readTeam, withLedger } from "../team/read-team.ts";
import { withJournalToRead } from "../with-journal.ts";

export interface TeamListOptions {
  readonly mine?: boolean;
  readonly byPerson?: string;
  readonly machine?: string;
}

/**
 * Returns the matching entries of this machine and of colleagues, newest first. If the ledger does not
 * answer, the entries of colleagues are missing, and a warning says so.
 */
export async function listTeam(
  invocation: Invocation,
  filter: ColleagueFilter,
  { mine = false, byPerson, machine }: TeamListOptions,
): Promise<readonly TeamActivityRow[]> {
  const { limit } = filter;
  const names = teamNames(invocation.io.env);
  return withJournalToRead(invocation, async (journal) => {
    const folder = journal.read(folderId);
    const isWanted = (wanted: string | undefined, ...own: readonly string[]) =>
      wanted === undefined || own.includes(wanted);
    const asked = mine
      ? null
      : await readTeam(invocation, journal, async (ledger, access) => ({
          theirs: await listColleagues(ledger, folder, { ...filter, person: byPerson, machine }),
          login: byPerson === undefined ? null : (await access.login(invocation.io.signal)).user,
        }));
    if (asked?.kind === "missing") invocation.warn(asked.words, "lasting");
    const { theirs, login } = asked?.kind === "read" ? asked.value : { theirs: [], login: null };
    const isOwn =
      isWanted(byPerson, names.person, ...(login === null ? [] : [login])) &&
      isWanted(machine, names.machine);
    const rows = isOwn ? listActivity(journal, filter) : [];
    const ids = rows.map(({ journal_id: id }) => id);
    const columns = ownColumns(journal, ids, names);
    const own = rows.map((row): TeamActivityRow => {
      const { team_id = null, by = null, machine = null } = columns.get(row.journal_id) ?? {};
      return { ...row, team_id, by, machine };
    });
    return [...own, ...theirs]
      .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
      .slice(0, limit);
  });
}

/** Runs work with an entry of the ledger. Throws a write error `not-found`, or a team error. */
export async function withTeamEntry<T>(
  invocation: Invocation,
  id: number,
  work: (entry: ListedEntry, ledger: Ledger, isOwn: boolean) => Promise<T>,
): Promise<T> {
  return withJournalToRead(invocation, async (journal) =>
    withLedger(invocation, journal, async (ledger) => {
      const entry = await findTeamEntry(ledger, id);
      if (entry !== null) return work(entry, ledger, entry.journal === journal.read(folderId));
      throw new AppError(
        "write",
        "not-found",
        `The team's ledger has no entry t${id} of this service.`,
      );
    }),
  );
}

/** Throws `usage` for an entry of a colleague, whose exact bytes are on another machine. */
export async function refuseTeamEntry(invocation: Invocation, id: number): Promise<never> {
  return withTeamEntry(invocation, id, async (entry, _, isOwn) => {
    throw isOwn ? ownNumberError(entry, "use") : bytesError(entry);
  });
}

/** Returns the error for an entry whose exact bytes are on the machine that sent it. */
export function bytesError({ id, machine, operation }: ListedEntry): AppError<"command"> {
  return usageError(
    `the exact bytes of t${id} are on ${safe(machine)}`,
    `Nothing was sent. \`supplyline ${safe(operation)} … --again --reason TEXT\` sends it as a new entry.`,
  );
}

export function ownNumberError({ id, localId }: ListedEntry, verb: string): AppError<"write"> {
  const words = `Entry t${id} is entry ${localId} of this machine; ${verb} it by that number.`;
  return new AppError("write", "not-possible", words);
}
