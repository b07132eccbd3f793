/** The tabs of the account lists: all, pending, imported and gone, with their numbers of rows. */
import type { CohortCounts } from "../../hooks/cohort.ts";
import type { Session } from "../../session/open-session.ts";
import type { AccountTab } from "../../session/places.ts";
import { count } from "../../text/numbers.ts";

interface CountedTab {
  readonly id: AccountTab;
  readonly label: string;
  readonly count: number | null;
  /** A second number about the rows of the tab, in words. */
  readonly note?: string;
}

/**
 * Returns the tabs of a supplier's accounts. The numbers come from the complete lists in memory, or
 * count the accounts of a cohort on them. The tab of gone accounts exists if there are some or if
 * it is open.
 */
export function countedTabs(
  session: Pick<Session, "knownList" | "histories">,
  supplier: string,
  current: AccountTab,
  cohort: CohortCounts | null,
): readonly CountedTab[] {
  const complete = (tab: AccountTab) => {
    const snapshot = session.knownList(supplier, tab)?.getSnapshot() ?? null;
    if (snapshot === null || snapshot.loadedAt === null) return null;
    const { loadedAt, came, pending } = snapshot;
    const counts = cohort === null ? { listed: came, pending } : cohort.lists.get(tab);
    return counts === undefined ? null : { loadedAt, ...counts };
  };
  const all = complete("all");
  const counted = (tab: "pending" | "imported", among: number | null): number | null => {
    const own = complete(tab);
    const isNewer = own !== null && own.loadedAt > (all?.loadedAt ?? 0);
    return isNewer ? own.listed : among;
  };
  const gone = complete("gone")?.listed ?? 0;
  const tabs: readonly CountedTab[] = [
    { id: "all", label: "All", count: all?.listed ?? null },
    {
      id: "pending",
      label: "Pending",
      count: counted("pending", all?.pending ?? null),
      ...(cohort?.checked === undefined ? {} : { note: cohort.checked }),
    },
    {
      id: "imported",
      label: "Imported",
      count: counted("imported", all && all.listed - all.pending),
    },
  ];
  if (gone === 0 && current !== "gone") return tabs;
  const verified = cohort === null ? session.histories.verified(supplier) : null;
  // Other screens count only verified accounts, which excludes those in progress or imported.
  const note =
    verified === null || (verified.count === gone && !verified.atLeast)
      ? {}
      : { note: `${verified.atLeast ? "at least " : ""}${count(verified.count)} verified` };
  return [...tabs, { id: "gone", label: "Gone", count: gone, ...note }];
}
