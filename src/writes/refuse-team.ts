/**
 * Refuses to send with a team: no write asks its ledger yet, so a colleague could send the same, and
 * the setting would suggest a protection that is not there.
 */
import { AppError } from "../errors/app-error.ts";

interface Teamed {
  readonly hasTeam: boolean;
  /** The open ledger, or null. */
  readonly team: object | null;
}

/** The reason for which nothing is sent with a team. */
export const teamRefusalWords = "This version of supplyline does not send with a team yet.";

/**
 * Throws a team error if the profile has a team whose ledger is not open. It is called before anything
 * is recorded.
 */
export function refuseTeam({ hasTeam, team }: Teamed): void {
  if (!hasTeam || team !== null) return;
  const remedy =
    "Nothing was sent. Without the team: `supplyline profiles edit NAME --team ''`, or remove SUPPLYLINE_TEAM.";
  throw new AppError("team", "team-version", teamRefusalWords, { remedy });
}
