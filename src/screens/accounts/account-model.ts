/** Adapts a store of accounts to the list screen: rows, filter, orders, marks and tabs. */
import type { AccountListStore } from "../../accounts/account-list.ts";
import type { AccountListSnapshot, AccountRowView } from "../../accounts/account-list-snapshot.ts";
import { accountColumnNames } from "../../accounts/filter-query.ts";
import { offeredWords } from "../../accounts/filter-words.ts";
import { type SortColumn, sortColumns } from "../../accounts/sort.ts";
import type { ListModel, OrderChoice } from "../../components/list-screen/list-model.ts";
import type { CohortCounts } from "../../hooks/cohort.ts";
import type { Session } from "../../session/open-session.ts";
import type { AccountTab } from "../../session/places.ts";
import { count } from "../../text/numbers.ts";

const orderNames: Readonly<Record<SortColumn, Omit<OrderChoice, "id">>> = {
  wire: { name: "the service's order" },
  external: { name: "external account" },
  // The accounts that are pending longest come first, because they need attention.
  pending: {
    name: "how long they have been pending",
    begins: "descending",
    reversed: "longest first",
  },
  service: { name: "service account" },
  created: { name: "creation time" },
};

const emptyColumns: Readonly<Record<AccountTab, readonly SortColumn[]>> = {
  all: [],
  imported: ["pending"],
  pending: ["service", "created"],
  gone: ["service", "created"],
};

/**
 * Returns the model of an account list. The store filters, sorts and marks the rows, because there
 * can be a million.
 */
export function accountModel(
  store: AccountListStore,
  snapshot: AccountListSnapshot,
  tab: AccountTab,
): Omit<ListModel<AccountRowView>, "columns"> {
  const { matched: length, filter, sort, marks } = snapshot;
  const at = (position: number) => store.slice(position, 1)[0] ?? null;
  const isReading = filter.reading !== null;
  const areAllMarked = marks > 0 && marks >= length;
  return {
    length,
    total: snapshot.total,
    at,
    partsAt: (position) => store.slice(position, 1),
    idAt: (position) => at(position)?.external ?? null,
    positionOf: (external) => store.positionOf(external),
    filter: {
      text: filter.text,
      problem: filter.problem,
      isWorking: (!filter.settled && !isReading) || !sort.settled,
      words: offeredWords("accounts", accountColumnNames),
    },
    setFilter: (text) => store.setFilter(text),
    order: { id: sort.column === "wire" ? null : sort.column, descending: sort.descending },
    orders: sortColumns
      .filter((sortColumn) => !emptyColumns[tab].includes(sortColumn))
      .map((sortColumn) => ({
        id: sortColumn === "wire" ? null : sortColumn,
        ...orderNames[sortColumn],
      })),
    setOrder: ({ id, descending }) =>
      store.setSort(sortColumns.find((sortColumn) => sortColumn === id) ?? "wire", descending),
    marks: {
      count: marks,
      get hidden() {
        return store.hiddenMarks();
      },
    },
    isMarked: (position) => at(position)?.marked ?? false,
    marked: (most) =>
      store.marks
        .rows(most)
        .map((row) => ({ ...row, ...({ marked: true, change: null } as const) })),
    mark: (positions) =>
      void store.marks.markListed(positions.flatMap((position) => at(position)?.external ?? [])),
    toggleMark(position) {
      const row = at(position);
      if (row !== null) store.marks.toggle(row.external);
    },
    markAll: () => (areAllMarked ? store.marks.clear() : store.markMatching()),
    areAllMarked,
    unmarkable: isReading ? `Reading ${filter.reading}: what matches is not known yet.` : null,
    unmark: () => store.marks.clear(),
  };
}

interface CountedTab {
  readonly id: AccountTab;
  readonly label: string;
  readonly count: number | null;
  readonly note?: string;
}

/**
 * Returns the tabs of a supplier's accounts with their numbers. The numbers count the accounts on
 * the complete lists in memory, or with `cohort` only the accounts of the cohort. The tab of gone
 * accounts exists only if there are gone accounts or if the tab is open.
 */
export function countedTabs(
  session: Pick<Session, "knownList" | "histories">,
  supplier: string,
  current: AccountTab,
  cohort: CohortCounts | null,
): readonly CountedTab[] {
  const countsOf = (tab: AccountTab) => {
    const snapshot = session.knownList(supplier, tab)?.getSnapshot() ?? null;
    if (snapshot === null || snapshot.loadedAt === null) return null;
    const { loadedAt, arrived, pending } = snapshot;
    const counts = cohort === null ? { listed: arrived, pending } : cohort.lists.get(tab);
    return counts === undefined ? null : { loadedAt, ...counts };
  };
  const all = countsOf("all");
  const countOf = (tab: "pending" | "imported", countInAll: number | null): number | null => {
    const separate = countsOf(tab);
    const isNewer = separate !== null && separate.loadedAt > (all?.loadedAt ?? 0);
    return isNewer ? separate.listed : countInAll;
  };
  const gone = countsOf("gone")?.listed ?? 0;
  const tabs: readonly CountedTab[] = [
    { id: "all", label: "All", count: all?.listed ?? null },
    {
      id: "pending",
      label: "Pending",
      count: countOf("pending", all?.pending ?? null),
      ...(cohort?.checked === undefined ? {} : { note: cohort.checked }),
    },
    {
      id: "imported",
      label: "Imported",
      count: countOf("imported", all && all.listed - all.pending),
    },
  ];
  if (gone === 0 && current !== "gone") return tabs;
  const verified = cohort === null ? session.histories.verified(supplier) : null;
  // Other screens count only the gone accounts whose status was read and is not in progress or imported.
  const note =
    verified === null || (verified.count === gone && !verified.atLeast)
      ? {}
      : { note: `${verified.atLeast ? "at least " : ""}${count(verified.count)} verified` };
  return [...tabs, { id: "gone", label: "Gone", count: gone, ...note }];
}
