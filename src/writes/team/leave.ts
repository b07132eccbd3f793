/**
 * Leaves a team: the journal stores it, and reports it to the ledger at once or at the next contact. Entries
 * that are sent meanwhile are not in the ledger, so the state folder has to join again.
 */
import { type Rows, whole } from "../../sqlite/rows.ts";
import type { Ledger, TeamPlace } from "./ledger.ts";

/** The part of the journal that is needed. */
interface LeaveJournal {
  read<T>(work: (rows: Rows) => T): T;
  commit<T>(work: (rows: Rows) => T): Promise<T>;
}

const isOfPlace = "service = ? AND address = ?";

/** Stores that a person took the team from a profile at a time in epoch milliseconds. */
export function storeLeft(rows: Rows, { service, address }: TeamPlace, at: number): void {
  rows.run(`DELETE FROM team_joined WHERE ${isOfPlace}`, service, address);
  rows.replace("team_left", { service, address, at });
}

/** Reports a stored leaving to the ledger, if there is one. Rejects with a team or a journal error. */
export async function reportLeft(
  journal: LeaveJournal,
  ledger: Pick<Ledger, "leave">,
  { service, address }: TeamPlace,
): Promise<void> {
  const sql = `SELECT at FROM team_left WHERE ${isOfPlace}`;
  const row = journal.read((rows) => rows.get(sql, service, address));
  if (row === undefined) return;
  const at = whole(row, "at");
  await ledger.leave(at);
  await journal.commit((rows) =>
    rows.run(`DELETE FROM team_left WHERE ${isOfPlace} AND at = ?`, service, address, at),
  );
}
