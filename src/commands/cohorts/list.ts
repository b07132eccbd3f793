import { isAppError } from "../../errors/app-error.ts";
import { capital } from "../../text/connection-words.ts";
import { type Cohorts, type ListedCohort, notShared } from "../../triage/cohorts/cohorts.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { printRows } from "../rows/print.ts";
import { exits, type Verb } from "../verb.ts";
import { cohortColumns, cohortsOf, teamCohortColumns, teamedProfile } from "./cohort-entry.ts";

export const verb: Verb = {
  description: "the stored cohorts",
  columns: cohortColumns,
  columnsWith: () => teamCohortColumns,
  async run(invocation) {
    const stored = cohortsOf(invocation);
    if (teamedProfile(invocation) !== null) {
      await listOfTeam(invocation, stored);
      return exitCode.done;
    }
    const cohorts = await stored.list();
    await printRows(invocation, cohortColumns, cohorts, { brief });
    if (cohorts.length === 0)
      invocation.notice(
        "No cohort yet. Add one with: supplyline cohorts add NAME SUPPLIER --source FILE",
      );
    return exitCode.done;
  },
  exits: exits.local,
  examples: ["supplyline cohorts list", "supplyline cohorts list --json"],
};

/** Prints the cohorts of this machine and of the team, or those of this machine if it does not answer. */
async function listOfTeam(invocation: Invocation, stored: Cohorts): Promise<void> {
  const cohorts = await stored.listAll().catch(async (error: unknown) => {
    if (!isAppError(error, "team", "team-unavailable")) throw error;
    invocation.warn(`The team's cohorts are missing. ${capital(error.message)}.`);
    return (await stored.list()).map((cohort): ListedCohort => ({ ...cohort, ...notShared }));
  });
  await printRows(invocation, teamCohortColumns, cohorts, {
    brief: teamCohortColumns.filter(({ name }) => name !== "sha256"),
  });
}

const brief = cohortColumns.filter(({ name }) => name !== "sha256");
