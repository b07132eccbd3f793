/** Opens the ledger of a profile's team beside the journal. Only a profile with a team loads it. */
import { serviceKey } from "../../api/url.ts";
import type { Profile } from "../../settings/schemas.ts";
import { teamAccess, teamNames } from "../../settings/team-access.ts";
import { ledgerName, refuseUnjoined } from "../refuse-team.ts";
import type { WriteContext } from "../send/events.ts";
import { joinIfEmpty } from "./claims.ts";
import type { Team, TeamDriver } from "./ledger.ts";
import { openTeam } from "./team.ts";

export type TeamProfile = Pick<Profile, "name" | "team" | "teamCredentialHelper" | "teamCaFile">;

interface Parts extends Pick<WriteContext, "journal" | "clock" | "random"> {
  readonly service: { readonly baseUrl: string };
}

type Opened = Pick<WriteContext, "team" | "teamRefusal">;

/**
 * Opens the team of a profile. Nothing is connected before there is something to ask or publish.
 * Rejects with a settings error if the address, a certificate or a name is not usable.
 */
export async function openProfileTeam(
  { journal, service, clock, random }: Parts,
  profile: TeamProfile,
  driver: TeamDriver,
): Promise<Opened> {
  const access = teamAccess(profile, driver);
  if (access === null) return { team: null, teamRefusal: null };
  const names = teamNames(driver.env);
  const openLedger = await driver.load();
  const key = serviceKey(service.baseUrl);
  const place = { service: key, address: ledgerName(access.address) };
  const open: Parameters<typeof openTeam>[0]["open"] = (user) =>
    openLedger(access, { service: key, user, clock, random });
  const entries = await journal.commit((rows) => joinIfEmpty(rows, place, clock.now()));
  const team: Team = openTeam({ journal, place, names, clock, open });
  return { team, teamRefusal: entries === 0 ? null : refuseUnjoined(profile.name, entries) };
}
