/** Opens the ledger of a profile's team with the journal, for commands that publish. */
import { AppError } from "../../errors/app-error.ts";
import type { WriteContext } from "../../writes/send/events.ts";
import type { Team } from "../../writes/team/ledger.ts";
import type { Invocation } from "../invocation.ts";
import { withTarget } from "../target.ts";
import { withWrites } from "../writes/with-writes.ts";
import { needTeam } from "./with-team.ts";

type TeamContext = WriteContext & { readonly team: Team };

/** Runs work with the team of the profile. Throws `team-not-set-up` if it has none. */
export async function withOpenTeam<T>(
  invocation: Invocation,
  work: (context: TeamContext) => Promise<T>,
): Promise<T> {
  return withTarget(invocation, async (target) => {
    needTeam(invocation, target.profile);
    return withWrites(invocation, target, async ({ context }) => {
      const { team, teamRefusal } = context;
      if (team !== null) return work({ ...context, team });
      throw teamRefusal ?? new Error("The ledger of the profile's team is not open.");
    });
  });
}

export function throwIfUnpublished(team: Team, left: number): void {
  if (left === 0) return;
  throw (
    team.trouble()?.error ??
    new AppError("team", "team-unavailable", "the team's database does not answer")
  );
}
