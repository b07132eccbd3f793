/**
 * Leaves a team: the journal stores it, and reports it to the ledger at once or at the next contact. Entries
 * that are sent meanwhile are not in the ledger, so the state folder has to join again.
 */
import { AppError } from "../../errors/app-error.ts";
import { type Rows, whole } from "../../sqlite/rows.ts";
import { plural } from "../../text/numbers.ts";
import type { Journal } from "../journal/open-journal.ts";
import { countBeingSent } from "./claims.ts";
import { teamError } from "./failures.ts";
import type { Ledger, Team, TeamPlace } from "./ledger.ts";

type LeaveJournal = Pick<Journal, "read" | "commit">;

const isOfPlace = "service = ? AND address = ?";

/**
 * The state folder has to join again, because entries can be sent that the ledger does not have. It has left
 * the team of the service at every address under which it joined.
 */
function unjoin(rows: Rows, { service }: Pick<TeamPlace, "service">): void {
  rows.run("DELETE FROM team_joined WHERE service = ?", service);
}

/** Stores that a person took the team from a profile at a time in epoch milliseconds. */
export function storeLeft(rows: Rows, place: TeamPlace, at: number): void {
  const { service, address } = place;
  unjoin(rows, place);
  rows.replace("team_left", { service, address, at });
}

/**
 * Leaves a team whose ledger has every outcome of the state folder, and which sees the leaving. Rejects with
 * a team error `team-unavailable` if it does not, and changes nothing then: after the change to another
 * team, this machine would not be in contact with this one again, and its colleagues would see entries as
 * being sent for ever.
 */
export async function leaveWhole(
  journal: LeaveJournal,
  team: Pick<Team, "ledger" | "place" | "publish" | "trouble">,
  at: number,
): Promise<void> {
  const { ledger, place } = team;
  const left = await team.publish();
  const sending = journal.read((rows) => countBeingSent(rows, place));
  if (left > 0 || sending > 0)
    throw unchanged(team.trouble()?.error.kind ?? "team-unavailable", notWholeWords(left, sending));
  await ledger.leave(at).catch((error: unknown) => {
    const { kind, message } = teamError(error, place.address);
    throw unchanged(kind, message);
  });
  await journal.commit((rows) => unjoin(rows, place));
}

function unchanged(kind: AppError<"team">["kind"], words: string): AppError<"team"> {
  const remedy = "Nothing was changed. Try again later, or leave it first with `--team ''`.";
  return new AppError("team", kind, words, { remedy });
}

function notWholeWords(left: number, sending: number): string {
  if (left === 0) return `${plural(sending, "entry is", "entries are")} being sent`;
  return `the ledger of the team does not have ${plural(left, "outcome")} of this machine yet`;
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
