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

/** The outcome that a tab is about; null for one that is about all of them. */
export function outcomeOf(tab: Tab): ActivityOutcome | null {
  return tab === "all" || tab === "own" || tab === "causes" ? null : tab;
}

/** The tab of a run with the rows that this tab is about; none for one with all rows. */
export function runTab(tab: Tab): { readonly tab?: RunTab } {
  if (tab === "unknown" || tab === "rejected") return { tab };
  return tab === "retryable" ? { tab: "attention" } : {};
}

export const journalIsHere = "The journal is on this machine; no request is behind this list.";

/** The command that lists the same entries; null where a name cannot be an argument. */
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

/** The words in place of rows where a tab has none. */
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
