/** Adapts a store of accounts to the list screen: filter, orders, marks and rows. */
import type { AccountListStore } from "../../accounts/account-list.ts";
import type { AccountListSnapshot, AccountRowView } from "../../accounts/account-list-snapshot.ts";
import { type SortColumn, sortColumns } from "../../accounts/sort.ts";
import type { ListModel, OrderChoice } from "../../components/list-screen/list-model.ts";
import type { AccountTab } from "../../session/places.ts";

const orderNames: Readonly<Record<SortColumn, Omit<OrderChoice, "id">>> = {
  wire: { name: "the service's order" },
  external: { name: "external account" },
  // The default direction shows the longest-pending accounts first, because they need attention.
  pending: {
    name: "how long they have been pending",
    begins: "descending",
    reversed: "longest first",
  },
  service: { name: "service account" },
  created: { name: "creation time" },
};

/** The columns that are empty in all rows of a tab. Sorting by them would change nothing. */
const emptyColumns: Readonly<Record<AccountTab, readonly SortColumn[]>> = {
  all: [],
  imported: ["pending"],
  pending: ["service", "created"],
  gone: ["service", "created"],
};

/**
 * Returns the model of an account list. The store filters, sorts and marks a million rows itself.
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
    },
    setFilter: (text) => store.setFilter(text),
    order: { id: sort.column === "wire" ? null : sort.column, descending: sort.descending },
    orders: sortColumns
      .filter((one) => !emptyColumns[tab].includes(one))
      .map((one) => ({ id: one === "wire" ? null : one, ...orderNames[one] })),
    setOrder: ({ id, descending }) =>
      store.setSort(sortColumns.find((one) => one === id) ?? "wire", descending),
    marks: {
      count: marks,
      get hidden() {
        return store.hiddenMarks();
      },
    },
    isMarked: (position) => at(position)?.marked ?? false,
    marked: (most) =>
      store
        .markedRows(most)
        .map((row) => ({ ...row, ...({ row: -1, marked: true, change: null } as const) })),
    mark: (positions) =>
      void store.markListed(positions.flatMap((position) => at(position)?.external ?? [])),
    toggleMark(position) {
      const row = at(position);
      if (row !== null) store.toggleMark(row.external);
    },
    markAll: () => (areAllMarked ? store.clearMarks() : store.markMatching()),
    areAllMarked,
    unmarkable: isReading ? `Reading ${filter.reading}: what matches is not known yet.` : null,
    unmark: () => store.clearMarks(),
  };
}
