/** Reads the entries of colleagues from a team's ledger, in the shape of the journal's entries. */

import type { TeamNames } from "../../settings/team-access.ts";
import type { ActivityOutcome, ActivityRow } from "../activity.ts";
import { iso } from "../activity.ts";
import type { Journal } from "../journal/open-journal.ts";
import { teamIds } from "./claims.ts";
import type { Ledger, ListedEntry, TeamFilter } from "./ledger.ts";

/** The facts of an entry that only a team has. */
export interface TeamColumns {
  /** The ID in the ledger, such as `t1042`, or null for an entry that was never claimed. */
  readonly team_id: string | null;
  /** The name of the person, or null for an entry that was never claimed. It is not trusted. */
  readonly by: string | null;
  readonly machine: string | null;
}

/** An entry of the team. Only entries of this machine have a number in the journal. */
export interface TeamActivityRow extends Omit<ActivityRow, "journal_id">, TeamColumns {
  readonly journal_id: number | null;
}

export interface ColleagueFilter
  extends Omit<TeamFilter, "id" | "below" | "exceptFolder" | "limit"> {
  /** Default: no limit. */
  readonly limit?: number | undefined;
}

const pageSize = 500;

/** Returns the matching entries of other state folders, newest first. Rejects with a team error. */
export async function listColleagues(
  ledger: Pick<Ledger, "list">,
  exceptFolder: string,
  { limit = Number.POSITIVE_INFINITY, ...filter }: ColleagueFilter,
): Promise<readonly TeamActivityRow[]> {
  const rows: TeamActivityRow[] = [];
  for (let below: number | undefined; rows.length < limit; ) {
    const size = Math.min(pageSize, limit - rows.length);
    const page: readonly ListedEntry[] = await ledger.list({
      ...filter,
      ...{ below, exceptFolder, limit: size },
    });
    rows.push(...page.map(teamRow));
    below = page.at(-1)?.id;
    if (page.length < size || below === undefined) break;
  }
  return rows;
}

/** Returns the entry with an ID in the ledger, or null if there is none. Rejects with a team error. */
export async function findTeamEntry(
  ledger: Pick<Ledger, "list">,
  id: number,
): Promise<ListedEntry | null> {
  const [entry = null] = await ledger.list({ id, limit: 1 });
  return entry;
}

/** Returns the outcome of an entry as colleagues see it: after its lease, nothing is known. */
export function outcomeOfTeam({
  state,
  isLeaseOver,
}: Pick<ListedEntry, "state" | "isLeaseOver">): ActivityOutcome {
  return state === "sending" && isLeaseOver ? "unknown" : state;
}

export function teamRow(entry: ListedEntry): TeamActivityRow {
  const { externalAccountNumber: account, externalIdentifier: identifier, tookEffect } = entry;
  return {
    journal_id: null,
    team_id: `t${entry.id}`,
    by: entry.person,
    machine: entry.machine,
    created_at: iso(entry.at),
    profile: entry.profile,
    operation: entry.operation,
    import_supplier: entry.importSupplier ?? "",
    ...(account === null ? {} : { external_account_number: account }),
    ...(identifier === null ? {} : { external_identifier: identifier }),
    outcome: outcomeOfTeam(entry),
    http_status: entry.httpStatus,
    code: entry.code,
    attempts: entry.attempts,
    run: entry.run,
    ...(tookEffect === null ? {} : { took_effect: tookEffect }),
  };
}

/** Returns the facts of entries of this machine that only a team has, by their number in the journal. */
export function ownColumns(
  journal: Pick<Journal, "read">,
  ids: readonly number[],
  { person, machine }: TeamNames,
): ReadonlyMap<number, TeamColumns> {
  const claimed = journal.read((rows) => teamIds(rows, ids));
  return new Map(
    ids.map((id) => {
      const teamId = claimed.get(id) ?? null;
      return [id, { team_id: teamId === null ? null : `t${teamId}`, by: person, machine }];
    }),
  );
}
