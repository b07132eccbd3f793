/** Finds the team of a command's profile, and connects to its database for the command. */
import { serviceKey } from "../../api/url.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Profile } from "../../settings/schemas.ts";
import { type TeamAccess, teamAccess } from "../../settings/team-access.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import type { Connect } from "../../writes/team/connection.ts";
import type { LedgerStatus } from "../../writes/team/ledger-status.ts";
import { needTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";

/** Returns the access to the team of a profile. Throws `team-not-set-up` if it has none. */
export function needTeam(
  { io }: Invocation,
  profile: Pick<Profile, "name" | "team" | "teamCredentialHelper" | "teamCaFile">,
): TeamAccess {
  const access = teamAccess(profile, io);
  if (access !== null) return access;
  throw new AppError("team", "team-not-set-up", `profile ${profile.name} has no team`, {
    remedy: `\`supplyline profiles edit ${shellQuote(profile.name)} --team URL\` names its database.`,
  });
}

/**
 * Calls `work` with the function that connects. Rejects with the reason to end the program if that
 * interrupts the work.
 */
export async function withConnect<T>(
  { io, globals }: Invocation,
  access: TeamAccess,
  work: (connect: Connect) => Promise<T>,
): Promise<T> {
  const { connectTo } = await import("../../writes/team/postgres.ts");
  const connect = connectTo(access, globals.timeoutMs);
  try {
    return await work(() => connect(io.signal));
  } catch (error) {
    io.signal.throwIfAborted();
    throw error;
  }
}

/** Reads the state of the ledger for the service of a profile. Rejects with a team error. */
export async function readTeamStatus(
  invocation: Invocation,
  { profile, access }: { readonly profile: Profile; readonly access: TeamAccess },
): Promise<LedgerStatus> {
  const service = profile.baseUrl === null ? "" : serviceKey(profile.baseUrl);
  const { readLedgerStatus } = await import("../../writes/team/ledger-status.ts");
  return withConnect(invocation, access, (connect) =>
    readLedgerStatus(connect, access.address, service, invocation.io.clock),
  );
}

/** Returns the profile of a command and the access to its team. Throws `team-not-set-up`. */
export function teamTarget(invocation: Invocation) {
  const { profile } = needTarget(invocation);
  return { profile, access: needTeam(invocation, profile) };
}
