/** The keys of a colleague's entry: close it, or verify a supply point. */
import type { Actions } from "../keys/scopes.ts";
import { closeTeamEntry, verifyTeamEntry } from "../session/team-entry-actions.ts";
import type { ActivityOutcome } from "../writes/activity.ts";
import type { TeamActivityRow } from "../writes/team/colleagues.ts";
import { useHere } from "./app.tsx";

/** Returns the keys of a colleague's entry. A key that cannot be used has the reason. */
export function useTeamEntryKeys(row: TeamActivityRow | null): Actions {
  const here = useHere();
  if (row?.team_id == null) return {};
  const { outcome, external_identifier: identifier, machine } = row;
  const id = Number(row.team_id.slice(1));
  const unless = (allowed: readonly ActivityOutcome[], reason: string) =>
    allowed.includes(outcome) ? null : reason;
  const elsewhere = `The exact bytes are on ${machine}; create it again with a reason as a new entry.`;
  return {
    verify: {
      run: () => verifyTeamEntry(here, id),
      disabled:
        unless(["unknown"], "Its outcome is known: there is nothing to verify.") ??
        (identifier === undefined ? elsewhere : null),
    },
    resend: { run: () => {}, disabled: elsewhere },
    "close-write": {
      run: () => closeTeamEntry(here, id),
      disabled: unless(
        ["unknown", "retryable"],
        "Only an unknown or retryable entry of a colleague can be closed.",
      ),
    },
  };
}
