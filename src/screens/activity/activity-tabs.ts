/** The tabs of Activity, and the command and texts of each. */
import type { ActivityList } from "../../hooks/journal.ts";
import type { ActivityTab, RunTab } from "../../session/places.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import type { Profile } from "../../settings/schemas.ts";
import { asCommand } from "../../text/as-command.ts";
import type { ActivityOutcome, ActivityRow } from "../../writes/activity.ts";

const tabs = [
  { id: "all", label: "All" },
  { id: "unknown", label: "Unknown" },
  { id: "rejected", label: "Rejected" },
  { id: "retryable", label: "Retryable" },
  { id: "causes", label: "Causes" },
  { id: "own", label: "This profile" },
] as const satisfies readonly { readonly id: ActivityTab; readonly label: string }[];

/** The tabs with a team, whose tab Mine has the entries of this machine. */
const teamTabs = tabs.flatMap(
  (tab): readonly { readonly id: ActivityTab; readonly label: string }[] =>
    tab.id === "own" ? [{ id: "mine", label: "Mine" }, tab] : [tab],
);

export function activityTabs(hasTeam: boolean) {
  return hasTeam ? teamTabs : tabs;
}

export function outcomeOf(tab: ActivityTab): ActivityOutcome | null {
  return tab === "all" || tab === "mine" || tab === "own" || tab === "causes" ? null : tab;
}

export function runTab(tab: ActivityTab): { readonly tab?: RunTab } {
  if (tab === "unknown" || tab === "rejected") return { tab };
  return tab === "retryable" ? { tab: "attention" } : {};
}

export const journalIsHere = "The journal is on this machine; no request is behind this list.";

export function activityCommand(shown: {
  readonly supplier: string | null;
  readonly account: string | null;
  readonly tab: ActivityTab;
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
      mine: tab === "mine",
      ofProfile: tab === "own" ? shown.profile.name : undefined,
    },
    profileFlag(shown.profile),
  );
}

export function emptyWords(
  list: ActivityList | null,
  tab: ActivityTab,
  supplier: string | null,
  account: string | null,
): string {
  if (list !== null && list.rows.length > 0) {
    if (tab === "unknown") return "No unknown entries.";
    if (tab === "rejected") return "No rejected entries.";
    if (tab === "retryable") return "No retryable entries.";
  }
  const target =
    account !== null
      ? ` to ${supplier}/${account} at this service`
      : supplier !== null
        ? ` to ${supplier}`
        : " to this service";
  const withProfile = tab === "own" ? " with this profile" : "";
  return `Nothing has been sent${target} from this machine${withProfile} yet.`;
}
