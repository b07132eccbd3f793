/** The team of a session's service: the history of its lists, and its cohorts. */
import type { Profile } from "../settings/schemas.ts";
import type { CohortTeam } from "../triage/cohorts/cohorts.ts";
import type { HistoryTeam } from "../triage/observations/team-history.ts";
import type { MemoryDriver } from "../writes/team/memory.ts";
import type { Surroundings } from "./surroundings.ts";

type Sources = Pick<Surroundings, "env" | "home" | "loadMemory">;

async function driverOf(
  profile: Profile,
  baseUrl: string,
  { env, home, loadMemory: load }: Sources,
): Promise<MemoryDriver | null> {
  // Imported on first use, so that no frame waits for the import.
  const { profileMemory } = await import("../writes/team/profile-memory.ts");
  return profileMemory(profile, baseUrl, { env, home, load });
}

/**
 * Returns the team of a profile, or null without one. A database that does not answer is reported by the
 * header (team-state.ts).
 */
export function sessionTeam(
  profile: Profile,
  baseUrl: string,
  sources: Sources,
  hears: Pick<HistoryTeam, "onChanged" | "onDropped">,
): HistoryTeam | null {
  if (profile.team === undefined) return null;
  return { ...hears, isFollowing: true, load: () => driverOf(profile, baseUrl, sources) };
}

/** Returns the way to the cohorts of the profile's team, which is opened for each use. */
export function sessionCohorts(profile: Profile, baseUrl: string, sources: Sources): CohortTeam {
  return {
    async use(work) {
      const driver = await driverOf(profile, baseUrl, sources);
      if (driver === null) return null;
      const { withSharedCohorts } = await import("../writes/team/profile-memory.ts");
      return withSharedCohorts(driver, work);
    },
  };
}
