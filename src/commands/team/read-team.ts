import { serviceKey } from "../../api/url.ts";
import { AppError, isAppError } from "../../errors/app-error.ts";
import type { Profile } from "../../settings/schemas.ts";
import { type TeamAccess, teamAccess, teamNames } from "../../settings/team-access.ts";
import { capital } from "../../text/connection-words.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import { ledgerName } from "../../writes/refuse-team.ts";
import { folderId } from "../../writes/team/claims.ts";
import { adoptClosings } from "../../writes/team/closings.ts";
import { type Ledger, noFolder } from "../../writes/team/ledger.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";

export function hasTeam(invocation: Invocation): boolean {
  return findTarget(invocation)?.profile.team !== undefined;
}

/** The result of reading a ledger. `missing` is a sentence about the reason why nothing was read. */
export type TeamRead<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "missing"; readonly words: string };

/**
 * Reads from the ledger. It is a contact of this machine: entries that colleagues closed are closed in
 * the journal first. `journal` is null if there is none. Rejects with a settings error.
 */
export async function readTeam<T>(
  invocation: Invocation,
  journal: Journal | null,
  read: (ledger: Ledger, access: TeamAccess) => Promise<T>,
): Promise<TeamRead<T>> {
  try {
    const value = await withLedger(invocation, journal, read);
    return { kind: "read", value };
  } catch (error) {
    if (!isAppError(error, "team")) throw error;
    const words = `The team's entries are missing. ${capital(error.message)}.`;
    return { kind: "missing", words };
  }
}

/**
 * Reads from the ledger beside the journal, if there is one. Returns null without a team. A journal that
 * cannot be read counts as missing entries, because those of this machine would count as a colleague's.
 */
export async function readWithTeam<T>(
  invocation: Invocation,
  read: (ledger: Ledger, folder: string) => Promise<T>,
): Promise<TeamRead<T> | null> {
  if (!hasTeam(invocation)) return null;
  const { hasJournal } = await import("../../writes/journal/journal-file.ts");
  const readBeside = (journal: Journal | null) =>
    readTeam(invocation, journal, (ledger) => read(ledger, journal?.read(folderId) ?? noFolder));
  if (!hasJournal(invocation.folders.stateDir)) return readBeside(null);
  const { withJournalToCount } = await import("../with-journal.ts");
  try {
    return await withJournalToCount(invocation, readBeside);
  } catch (error) {
    if (!isAppError(error, "journal")) throw error;
    return {
      kind: "missing",
      words: "The team's entries are missing. The journal is not readable.",
    };
  }
}

/**
 * Runs work with the ledger of a profile. Default: the selected profile. Rejects with a team error,
 * `team-not-set-up` without a team.
 */
export async function withLedger<T>(
  invocation: Invocation,
  journal: Journal | null,
  work: (ledger: Ledger, access: TeamAccess) => Promise<T>,
  profile: Profile | undefined = findTarget(invocation)?.profile,
): Promise<T> {
  const { io } = invocation;
  const access = profile === undefined ? null : teamAccess(profile, io);
  if (profile?.baseUrl == null || access === null)
    throw new AppError("team", "team-not-set-up", "the profile has no team");
  const position = { seq: 0, state: null, isComplete: false };
  const folder = journal?.read(folderId) ?? noFolder;
  const user = { journal: folder, ...teamNames(io.env), position: () => position, seen: () => {} };
  const openLedger = await io.loadLedger();
  const { clock } = io;
  const service = serviceKey(profile.baseUrl);
  const ledger = openLedger(access, { service, user, clock, random: Math.random });
  try {
    if (journal !== null) {
      const place = { service, address: ledgerName(access.address) };
      await adoptClosings({ journal, ledger, place, at: clock.now() }).catch((error: unknown) => {
        // A journal that can only be read shows its entries as they are.
        if (!isAppError(error, "journal")) throw error;
      });
    }
    return await work(ledger, access);
  } finally {
    await ledger.close();
  }
}
