/** Opens the stored cohorts, and defines their rows and columns for the `cohorts` commands. */

import type { Profile } from "../../settings/schemas.ts";
import { cohortFields, teamCohortFields } from "../../triage/cohorts/cohort-fields.ts";
import { type Cohorts, type CohortTeam, openCohorts } from "../../triage/cohorts/cohorts.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";

export const cohortColumns = Object.values(cohortFields);

export const teamCohortColumns = [...cohortColumns, ...Object.values(teamCohortFields)];

export function cohortsOf(invocation: Invocation): Cohorts {
  return openCohorts(invocation.folders.stateDir, teamOf(invocation));
}

/** Returns the profile of the command if it has a team and a service, or null. */
export function teamedProfile(invocation: Invocation): Profile | null {
  const profile = findTarget(invocation)?.profile;
  return profile?.team === undefined || profile.baseUrl === null ? null : profile;
}

/** Returns the way to the cohorts of the profile's team, which is opened for each use. */
function teamOf(invocation: Invocation): CohortTeam {
  return {
    async use(work) {
      const profile = teamedProfile(invocation);
      if (profile === null) return null;
      const { profileMemory, withSharedCohorts } = await import(
        "../../writes/team/profile-memory.ts"
      );
      const { env, home, loadMemory: load } = invocation.io;
      const driver = profileMemory(profile, profile.baseUrl ?? "", { env, home, load });
      return driver === null ? null : withSharedCohorts(driver, work);
    },
  };
}
