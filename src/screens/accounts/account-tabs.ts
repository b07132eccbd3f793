import type { AccountListSnapshot } from "../../accounts/account-list-snapshot.ts";
import type { Session } from "../../session/open-session.ts";
import type { AccountTab } from "../../session/places.ts";
import { count } from "../../text/numbers.ts";

interface CountedTab {
  readonly id: AccountTab;
  readonly label: string;
  readonly count: number | null;
  /** Another number about its rows, in words. */
  readonly note?: string;
}

/**
 * The tabs of a supplier's accounts, with the numbers of the complete lists that are in memory. The
 * gone accounts have a tab when there are some.
 */
export function accountTabs(
  session: Pick<Session, "knownList" | "histories">,
  supplier: string,
  current: AccountTab,
): readonly CountedTab[] {
  const complete = (tab: AccountTab): AccountListSnapshot | null => {
    const snapshot = session.knownList(supplier, tab)?.getSnapshot() ?? null;
    return snapshot === null || snapshot.loadedAt === null ? null : snapshot;
  };
  const all = complete("all");
  const counted = (tab: "pending" | "imported", among: number | null): number | null => {
    const own = complete(tab);
    const isNewer = own !== null && (own.loadedAt ?? 0) > (all?.loadedAt ?? 0);
    return isNewer ? own.came : among;
  };
  const gone = complete("gone")?.total ?? 0;
  const tabs: readonly CountedTab[] = [
    { id: "all", label: "All", count: all?.came ?? null },
    { id: "pending", label: "Pending", count: counted("pending", all?.pending ?? null) },
    {
      id: "imported",
      label: "Imported",
      count: counted("imported", all && all.came - all.pending),
    },
  ];
  if (gone === 0 && current !== "gone") return tabs;
  const verified = session.histories.verified(supplier);
  // Elsewhere only verified ones are counted: those in progress or imported are left out.
  const note =
    verified === null || (verified.count === gone && !verified.atLeast)
      ? {}
      : { note: `${verified.atLeast ? "at least " : ""}${count(verified.count)} verified` };
  return [...tabs, { id: "gone", label: "Gone", count: gone, ...note }];
}
