/** Closes and verifies entries of colleagues in the ledger of the team. */
import { capital } from "../text/connection-words.ts";
import type { Team } from "../writes/team/ledger.ts";
import type { Here } from "./app.ts";
import { askClosing, loggedClosing, withJournal } from "./entry-actions.ts";

/** An entry of a colleague, by its number in the ledger. */
type TeamId = number;

/** Asks if a colleague's entry took effect and for a reason, and closes it in the ledger. */
export function closeTeamEntry(here: Here, id: TeamId): void {
  const hint = "How you know. The team's ledger stores it with your name; nothing is sent.";
  askClosing(here, { entry: `t${id}`, hint }, (closing) =>
    withTeam(here, `closing entry t${id}`, async ({ ledger }) => {
      const work = ledger.closeEntry(id, closing, "closed");
      const answer = await loggedClosing(here, `t${id}`, closing, work);
      const isClosed = answer.kind === "closed";
      const words = isClosed ? "closed" : "its outcome is known meanwhile";
      here.app.notices.announce(`Entry t${id}: ${words}`, isClosed ? "ok" : "waiting");
    }),
  );
}

/** Looks up the supply point of a colleague's entry, and closes the entry if it took effect. */
export function verifyTeamEntry(here: Here, id: TeamId): void {
  const { notices } = here.app;
  withTeam(here, `verifying entry t${id}`, async ({ ledger }, signal) => {
    const [{ findTeamEntry }, { verifiablePoint, verifyTeamEntry: verify }] = await Promise.all([
      import("../writes/team/colleagues.ts"),
      import("../writes/team/verify-entry.ts"),
    ]);
    const entry = await findTeamEntry(ledger, id);
    const point = entry === null ? null : verifiablePoint(entry);
    if (entry === null || point === null) {
      notices.explain(`Entry t${id} is not unknown any more.`);
      return;
    }
    const result = await verify(here.session.service, ledger, entry, point, { signal });
    switch (result.kind) {
      case "verified":
        return notices.announce(`Entry t${id} took effect: ${result.reason}`, "ok");
      case "settled":
        return notices.announce(`Entry t${id}: its outcome is known meanwhile`, "waiting");
      case "unknown":
        return notices.announce(`Entry t${id} is still unknown. ${capital(result.why)}`, "unknown");
    }
  });
}

/** Runs work with the ledger. A notice reports a failure of `doing`. */
function withTeam(
  here: Here,
  doing: string,
  work: (team: Team, signal: AbortSignal) => Promise<unknown>,
): void {
  const cancel = new AbortController();
  const remove = here.app.inFlight.add(() => cancel.abort());
  withJournal(here, doing, async ({ team, teamRefusal }) => {
    try {
      if (team === null) throw teamRefusal ?? new Error("The profile has no team.");
      await work(team, cancel.signal);
    } finally {
      remove();
    }
  });
}
