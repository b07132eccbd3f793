/**
 * Refuses to send while the ledger of the service's team cannot be asked, so that no write leaves
 * without a claim.
 */
import { serviceKey } from "../api/url.ts";
import { AppError } from "../errors/app-error.ts";
import type { Profile } from "../settings/schemas.ts";
import { type TeamAddress, teamAddress } from "../settings/team-address.ts";
import { plural } from "../text/numbers.ts";
import { shellQuote } from "../text/shell-quote.ts";

interface Teamed {
  /** The reason for which nothing may be sent, or null. */
  readonly teamRefusal: AppError<"team"> | null;
}

const nothingSent = "Nothing was sent.";

/** Throws the team error for which nothing may be sent. It is called before anything is recorded. */
export function refuseTeam({ teamRefusal }: Teamed): void {
  if (teamRefusal !== null) throw teamRefusal;
}

export function refuseUnopened(): AppError<"team"> {
  return refusal("the ledger of the team is not open", nothingSent);
}

/**
 * Returns the refusal of a profile without the team that another profile of the same service has, or
 * null. A team belongs to the service, so a write without its ledger could repeat a colleague's.
 */
export function refusalOfOther(
  { name, baseUrl, team }: Pick<Profile, "name" | "team"> & { readonly baseUrl: string },
  profiles: readonly Profile[],
): AppError<"team"> | null {
  const other = profiles.find(
    (one) =>
      one.team !== undefined &&
      one.baseUrl !== null &&
      serviceKey(one.baseUrl) === serviceKey(baseUrl) &&
      (team === undefined || !isSameLedger(one.team, team)),
  );
  return other === undefined ? null : refuseOther(name, other.name);
}

/** Returns true if two addresses name one ledger, whatever their logins. */
export function isSameLedger(one: string, other: string): boolean {
  const [a, b] = [teamAddress(one), teamAddress(other)];
  return ledgerName(a) === ledgerName(b);
}

export function ledgerName({ host, port, database, schema }: TeamAddress): string {
  return `${host}:${port}/${database}/${schema}`;
}

function refuseOther(name: string, other: string): AppError<"team"> {
  const [own, theirs] = [shellQuote(name), shellQuote(other)];
  return refusal(
    `the profile ${other} of the same service has a team that ${name} does not have`,
    `${nothingSent} Use --profile ${theirs}, give the team to the other with \`supplyline profiles edit ${own} --team URL\`, or leave it with \`supplyline profiles edit ${theirs} --team ''\`.`,
  );
}

/** Returns the refusal of a profile without a team, of a state folder that belongs to a ledger. */
export function refuseWithoutLedger(name: string, ledger: string): AppError<"team"> {
  const own = shellQuote(name);
  return refusal(
    `this machine belongs to the team at ${ledger}, which ${name} does not have`,
    `${nothingSent} Give it to the profile with \`supplyline profiles edit ${own} --team URL\`. After that, \`--team ''\` leaves it.`,
  );
}

export function refuseUnjoined(name: string, entries: number): AppError<"team"> {
  return refusal(
    `the team does not know ${plural(entries, "earlier entry", "earlier entries")} of this state folder`,
    `${nothingSent} \`supplyline team join --profile ${shellQuote(name)}\` publishes them once.`,
  );
}

function refusal(words: string, remedy: string): AppError<"team"> {
  return new AppError("team", "team-not-set-up", words, { remedy });
}
