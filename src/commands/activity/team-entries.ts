/** Reads the entries of colleagues for `activity`, from the ledger of the profile's team. */
import { serviceKey } from "../../api/url.ts";
import { AppError, isAppError } from "../../errors/app-error.ts";
import { teamAccess, teamNames } from "../../settings/team-access.ts";
import { capital } from "../../text/connection-words.ts";
import { listActivity } from "../../writes/activity.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import { folderId, readTeamFacts } from "../../writes/team/claims.ts";
import {
  type ColleagueFilter,
  findTeamEntry,
  listColleagues,
  type TeamActivityRow,
} from "../../writes/team/colleagues.ts";
import type { Ledger, ListedEntry } from "../../writes/team/ledger.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { withJournalToRead } from "../with-journal.ts";

/** Returns true if the selected profile has a team. */
export function hasTeam(invocation: Invocation): boolean {
  return findTarget(invocation)?.profile.team !== undefined;
}

/**
 * Runs work with the ledger of the selected profile, only for reading. Throws `team-not-set-up` without a
 * team.
 */
async function withLedgerToRead<T>(
  { io, ...invocation }: Invocation,
  folder: string,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const profile = findTarget({ io, ...invocation })?.profile;
  const access = profile === undefined ? null : teamAccess(profile, io);
  if (profile?.baseUrl == null || access === null)
    throw new AppError("team", "team-not-set-up", "the profile has no team");
  const position = { seq: 0, state: null, isComplete: false };
  const user = { journal: folder, ...teamNames(io.env), position: () => position, seen: () => {} };
  const openLedger = await io.loadLedger();
  const { clock } = io;
  const service = serviceKey(profile.baseUrl);
  const ledger = openLedger(access, { service, user, clock, random: Math.random });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** The options of a list that only a team has. */
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
  const { own, folder } = await withJournalToRead(invocation, async (journal) => ({
    own: listActivity(journal, filter).map((row): TeamActivityRow => {
      const teamId = journal.read((rows) => readTeamFacts(rows, row.journal_id))?.teamId ?? null;
      const id = teamId === null ? null : `t${teamId}`;
      return { ...row, team_id: id, by: names.person, machine: names.machine };
    }),
    folder: idOf(journal),
  }));
  const isWanted = (wanted: string | undefined, name: string) =>
    wanted === undefined || wanted === name;
  const shown = own.filter(
    (row) => isWanted(byPerson, row.by ?? "") && isWanted(machine, row.machine ?? ""),
  );
  if (mine) return shown;
  const theirs = await withLedgerToRead(invocation, folder, (ledger) =>
    listColleagues(ledger, folder, { ...filter, person: byPerson, machine }),
  ).catch((error: unknown) => {
    if (!isAppError(error, "team")) throw error;
    invocation.warn(`The team's entries are missing. ${capital(error.message)}.`, "lasting");
    return [];
  });
  return [...shown, ...theirs]
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
    .slice(0, limit);
}

function idOf(journal: Journal): string {
  return journal.read(folderId);
}

/** Returns an entry of the ledger. Throws a write error `not-found`, or a team error. */
export async function readTeamEntry(invocation: Invocation, id: number): Promise<ListedEntry> {
  const folder = await withJournalToRead(invocation, async (journal) => idOf(journal));
  const entry = await withLedgerToRead(invocation, folder, (ledger) => findTeamEntry(ledger, id));
  if (entry !== null) return entry;
  throw new AppError(
    "write",
    "not-found",
    `The team's ledger has no entry t${id} of this service.`,
  );
}
