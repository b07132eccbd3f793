/** The team that shares the lists of a session's service. */
import type { Profile } from "../settings/schemas.ts";
import type { HistoryTeam } from "../triage/observations/team-history.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Returns the team of a profile, or null without one. A database that does not answer is reported by the
 * header (team-state.ts).
 */
export function sessionTeam(
  profile: Profile,
  baseUrl: string,
  { env, home, loadMemory: load }: Pick<Surroundings, "env" | "home" | "loadMemory">,
  hears: Pick<HistoryTeam, "onChanged" | "onDropped">,
): HistoryTeam | null {
  if (profile.team === undefined) return null;
  return {
    ...hears,
    isFollowing: true,
    load: async () => {
      // Imported on first use, so that no frame waits for the import.
      const { profileMemory } = await import("../writes/team/profile-memory.ts");
      return profileMemory(profile, baseUrl, { env, home, load });
    },
  };
}
