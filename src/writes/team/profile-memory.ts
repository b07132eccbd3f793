/** Finds the memory of a profile's team. Nothing is connected before the first question. */
import { serviceKey } from "../../api/url.ts";
import type { Profile } from "../../settings/schemas.ts";
import { teamAccess, teamNames } from "../../settings/team-access.ts";
import { teamAddress } from "../../settings/team-address.ts";
import { ledgerName } from "../refuse-team.ts";
import type { TeamDriver } from "./ledger.ts";
import type { MemoryDriver, OpenMemory, SharedCohorts } from "./memory.ts";

/** The sources of the logins and names, and the driver of the database. */
export interface MemorySources extends Pick<TeamDriver, "env" | "home"> {
  load(): Promise<OpenMemory>;
}

/** Returns a profile's team memory, or null. Throws `invalid` for an unusable address or name. */
export function profileMemory(
  profile: Pick<Profile, "team" | "teamCredentialHelper" | "teamCaFile">,
  baseUrl: string,
  sources: MemorySources,
): MemoryDriver | null {
  if (profile.team === undefined) return null;
  const service = serviceKey(baseUrl);
  const names = teamNames(sources.env);
  return {
    address: `${ledgerName(teamAddress(profile.team))} ${service}`,
    names,
    open: async () => {
      const access = teamAccess(profile, sources);
      const openMemory = await sources.load();
      if (access === null) throw new Error("The profile has no team.");
      return openMemory(access, { service, names });
    },
  };
}

/** Opens the memory for one use of its cohorts. */
export async function withSharedCohorts<T>(
  driver: MemoryDriver,
  work: (cohorts: SharedCohorts) => Promise<T>,
): Promise<T> {
  const memory = await driver.open();
  try {
    return await work(memory.cohorts);
  } finally {
    await memory.close();
  }
}
