/** The tabs of the activity screen, the equivalent command and the text of an empty list. */
import type { ActivityList } from "../../hooks/journal.ts";
import type { RunTab } from "../../session/places.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import type { Profile } from "../../settings/schemas.ts";
import { asCommand } from "../../text/as-command.ts";
import type { ActivityOutcome, ActivityRow } from "../../writes/activity.ts";

export const tabs = [
  { id: "all", label: "All" },
  { id: "unknown", label: "Unknown" },
  { id: "rejected", label: "Rejected" },
  { id: "retryable", label: "Retryable" },
  { id: "causes", label: "Causes" },
  { id: "own", label: "This profile" },
] as const;

export type Tab = (typeof tabs)[number]["id"];

/** Returns the outcome of a tab's entries, or null if the tab lists all outcomes. */
export function outcomeOf(tab: Tab): ActivityOutcome | null {
  return tab === "all" || tab === "own" || tab === "causes" ? null : tab;
}

/** Returns the tab of the run screen with the same rows, or nothing if this tab has all rows. */
export function runTab(tab: Tab): { readonly tab?: RunTab } {
  if (tab === "unknown" || tab === "rejected") return { tab };
  return tab === "retryable" ? { tab: "attention" } : {};
}

export const journalIsHere = "The journal is on this machine; no request is behind this list.";

/** Returns the command that lists the same entries, or null if a name cannot be an argument. */
export function activityCommand(shown: {
  readonly supplier: string | null;
  readonly account: string | null;
  readonly tab: Tab;
  readonly profile: Profile;
  readonly rows: readonly ActivityRow[];
}): string | null {
  const { supplier, account, tab } = shown;
  const isSupplyPoint = shown.rows.some((row) => Boolean(row.external_identifier));
  return asCommand(
    {
      kind: "activity-list",
      supplier: supplier ?? undefined,
      account: account === null || isSupplyPoint ? undefined : account,
      supplyPoint: account !== null && isSupplyPoint ? account : undefined,
      outcome: outcomeOf(tab) ?? undefined,
      by: tab === "causes" ? "cause" : undefined,
      ofProfile: tab === "own" ? shown.profile.name : undefined,
    },
    profileFlag(shown.profile),
  );
}

/** Returns the text for a tab without rows. */
export function emptyWords(
  list: ActivityList | null,
  tab: Tab,
  supplier: string | null,
  account: string | null,
): string {
  if (list !== null && list.rows.length > 0) {
    if (tab === "unknown") return "No unknown entries.";
    if (tab === "rejected") return "No rejected entries.";
    if (tab === "retryable") return "No retryable entries.";
  }
  const where =
    account !== null
      ? ` to ${supplier}/${account} at this service`
      : supplier !== null
        ? ` to ${supplier}`
        : " to this service";
  const how = tab === "own" ? " with this profile" : "";
  return `Nothing has been sent${where} from this machine${how} yet.`;
}
