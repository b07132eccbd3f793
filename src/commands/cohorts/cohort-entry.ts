/** Opens the stored cohorts, and defines their rows and columns for the `cohorts` commands. */

import { cohortFields } from "../../triage/cohorts/cohort-fields.ts";
import { type Cohorts, openCohorts } from "../../triage/cohorts/cohorts.ts";
import type { Invocation } from "../invocation.ts";

export const cohortColumns = Object.values(cohortFields);

export function cohortsOf({ folders }: Invocation): Cohorts {
  return openCohorts(folders.stateDir);
}
