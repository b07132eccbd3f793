/** Leaves the team of a profile, for `profiles edit NAME --team ''`. */
import { serviceKey } from "../../api/url.ts";
import { errorLine } from "../../errors/error-words.ts";
import type { Profile } from "../../settings/schemas.ts";
import { teamAddress } from "../../settings/team-address.ts";
import { ledgerName } from "../../writes/refuse-team.ts";
import { leaveWhole, reportLeft, storeLeft } from "../../writes/team/leave.ts";
import type { Ledger } from "../../writes/team/ledger.ts";
import { openProfileTeam } from "../../writes/team/profile-team.ts";
import type { Invocation } from "../invocation.ts";
import { withLedger } from "../team/read-team.ts";
import { withJournal } from "../with-journal.ts";
import { confirmTyped } from "../writes/ask.ts";
import { driverOf } from "../writes/with-writes.ts";

/** Confirms that a production profile leaves its team. Throws `usage` without an answer. */
export async function confirmLeaving(
  invocation: Invocation,
  { name, team, environment }: Profile,
): Promise<void> {
  if (team === undefined || environment !== "production") return;
  await confirmTyped(invocation, {
    errorMessage: `leaving the team of ${name} needs to be confirmed`,
    warning: `Without this team, ${name} can send what a colleague of it has sent, and the journal of this machine does not know it.`,
    wanted: name,
    untouched: "Nothing was changed.",
  });
}

/**
 * Leaves the team of a profile that is about to get another one. Rejects with a team error if the team does
 * not have everything of this machine, and then the profile has to stay as it is.
 */
export async function leaveForOther(invocation: Invocation, before: Profile): Promise<void> {
  const { baseUrl, name } = before;
  if (baseUrl === null) return;
  const { io } = invocation;
  await withJournal(invocation, async (journal) => {
    const parts = { journal, service: { baseUrl }, clock: io.clock, random: Math.random };
    const { team } = await openProfileTeam(parts, before, driverOf(invocation));
    if (team === null) return;
    try {
      await leaveWhole(journal, team, io.clock.now());
    } finally {
      await team.close();
    }
  });
  invocation.notice(`The team sees that ${name} has left it.`);
}

/**
 * Stores that a profile has left its team, and reports it to the ledger, or leaves that to the next contact.
 * Reports a failure as a warning, because the profile has left in any case.
 */
export async function recordLeaving(invocation: Invocation, before: Profile): Promise<void> {
  const { team, baseUrl, name } = before;
  if (team === undefined || baseUrl === null) return;
  const place = { service: serviceKey(baseUrl), address: ledgerName(teamAddress(team)) };
  const { clock } = invocation.io;
  try {
    await withJournal(invocation, async (journal) => {
      await journal.commit((rows) => storeLeft(rows, place, clock.now()));
      const work = (ledger: Pick<Ledger, "leave">) => reportLeft(journal, ledger, place);
      const report = withLedger(invocation, journal, work, before);
      await report.then(
        () => invocation.notice(`The team sees that ${name} has left it.`),
        () =>
          invocation.warn(
            `The ledger does not have it yet that ${name} has left the team: the next contact of this machine reports it.`,
          ),
      );
    });
  } catch (error) {
    invocation.warn(
      `${name} has left its team, which does not see it. ${errorLine(error, { doing: "storing it" })}`,
    );
  }
}
