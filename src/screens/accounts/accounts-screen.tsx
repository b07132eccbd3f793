import { useEffect, useMemo, useState } from "react";
import type { AccountListSnapshot, AccountRowView } from "../../accounts/account-list-snapshot.ts";
import { accountColumns } from "../../components/account-columns.ts";
import { AccountPreview } from "../../components/account-preview.tsx";
import { type ListProblem, useListProblem, useLoadParts } from "../../components/list-load.tsx";
import { type FootPart, footPart } from "../../components/list-screen/list-foot.tsx";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { ListState } from "../../components/list-screen/list-spec.ts";
import { useList } from "../../components/list-screen/use-list.ts";
import { ProblemLines } from "../../components/problem.tsx";
import { useAccountList } from "../../hooks/account-feed.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useCohortCounts } from "../../hooks/cohort.ts";
import { useShownZone } from "../../hooks/now.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Session } from "../../session/open-session.ts";
import type { AccountTab } from "../../session/places.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import { accountFilters } from "../../settings/named-filters.ts";
import { count } from "../../text/numbers.ts";
import { medianPendingSince } from "../../triage/figures/table-figures.ts";
import { useAccountActions } from "./account-actions.ts";
import { accountModel, countedTabs } from "./account-model.ts";

interface AccountsProps {
  readonly supplier: string;
  readonly tab: AccountTab;
  readonly filter?: string;
}

/** Lists all, pending, imported or gone accounts of a supplier (INTERFACE 4.9–4.11). */
export function AccountsScreen(props: AccountsProps) {
  return <AccountList key={`${props.supplier} ${props.tab}`} {...props} />;
}

AccountsScreen.help = {
  name: "Accounts",
  about: [
    "Every account of the supplier. Filter, sort and mark. You can watch, copy or write to all marked accounts at once.",
    "While a filter is typed, the arrow keys move in the list; Ctrl-P and Ctrl-N recall earlier filters.",
    "Numbers that you paste here, one per line, can be marked.",
  ],
  words: ["account-state", "account"],
} as const;

function AccountList({ supplier, tab, filter: openingFilter }: AccountsProps) {
  const session = useSession();
  const { key, navigation } = useApp();
  useShownZone();
  const room = useRoom();
  const feed = useAccountList(supplier, tab);
  const { store, snapshot } = feed;
  // The filter is set once. From then on, it is the filter of the list.
  useEffect(() => {
    if (openingFilter === undefined) return;
    store.setFilter(openingFilter);
    navigation.replace({ kind: "accounts", supplier, tab });
  }, [openingFilter, store, navigation, supplier, tab]);
  const [chosenColumns, chooseColumns] = useChosenColumns();
  const { cohort } = snapshot.filter;
  const cohortCounts = useCohortCounts(supplier, cohort);
  // If the list has no account of the cohort, its own total is used, so that it does not count as empty.
  const total = cohortCounts.lists.get(tab)?.listed || snapshot.total;
  const model = useList({ ...accountModel(store, snapshot, tab), total, columns: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version has other rows or ages
  const typicalSince = useMemo(
    () => medianPendingSince(store.viewRows().table),
    [store, snapshot.version],
  );
  const columns = accountColumns(chosenColumns, tab, {
    listedAt: listedAtOf(snapshot, session),
    typicalSince,
    sortedBy: model.order.id,
  });
  const list = { ...model, columns };
  const problem = useListProblem(supplier, feed, room.rows - 4);
  const loadParts = useLoadParts(feed);
  const actions = useAccountActions({
    supplier,
    tab,
    feed,
    list,
    problem,
    columns: chosenColumns,
    chooseColumns,
  });
  return (
    <ListScreen
      list={list}
      state={stateOf(snapshot, problem, key)}
      empty={[emptyWords[tab]]}
      noun={["account", "accounts"]}
      file={{ stem: `${supplier}-${tab}`, fields: [] }}
      history={accountFilters}
      tabs={{
        tabs: countedTabs(session, supplier, tab, cohort === null ? null : cohortCounts),
        current: tab,
        to(next) {
          // The filter and the order also apply to the other list.
          const { filter, sort } = snapshot;
          const other = session.list(supplier, next as AccountTab);
          other.setFilter(filter.text);
          other.setSort(sort.column, sort.descending);
          navigation.replace({ kind: "accounts", supplier, tab: next as AccountTab });
        },
      }}
      preview={(row, isBelow) => (
        <AccountPreview {...{ supplier, row, isBelow }} version={snapshot.loadedAt} />
      )}
      rowsBelow={6}
      status={[...allParts(snapshot, total), ...orderParts(snapshot, key), ...loadParts]}
      changeOf={({ change }) => change}
      expectFilter={() => store.expectFilter()}
      valuesOf={valuesOf}
      enter={({ external }) =>
        () =>
          navigation.push({ kind: "account", supplier, account: external })
        }
      actions={actions}
    />
  );
}

function valuesOf({ external, service, gone, pending }: AccountRowView): RowValues {
  return {
    external_account_number: external,
    service_account_number: service ?? undefined,
    status: gone ? "gone" : pending ? "pending" : "imported",
  };
}

function allParts({ total }: AccountListSnapshot, counted: number): readonly FootPart[] {
  return [footPart(2, counted === total ? "" : `${count(total)} in all`, "muted")];
}

function orderParts(
  { filter, sort, marks }: AccountListSnapshot,
  key: KeyWords,
): readonly FootPart[] {
  const isReversed = sort.column === "wire" && sort.descending;
  return [
    footPart(1, filter.reading === null ? "" : `reading ${filter.reading}…`, "busy"),
    footPart(5, isReversed ? "service's order, reversed" : "", "muted"),
    footPart(5, marks === 0 ? "" : `${key("compose-marked")} composes for them`, "muted"),
  ];
}

function stateOf(snapshot: AccountListSnapshot, problem: ListProblem, key: KeyWords): ListState {
  const { total, load } = snapshot;
  if (total > 0) return { kind: "partial", lines: problem.lines };
  switch (load.kind) {
    case "idle":
      return { kind: "reading", words: `Not loaded yet. ${key("refresh")} loads the list.` };
    case "loading":
      return {
        kind: "reading",
        words: "Asking the service for the list…",
        since: load.startedAt,
        more: `Rows show as they arrive; ${key("cancel")} cancels.`,
      };
    case "failed":
      return { kind: "failed", why: <ProblemLines lines={problem.lines} /> };
    case "loaded":
      return { kind: "ready" };
  }
}

const emptyWords: Readonly<Record<AccountTab, string>> = {
  all: "The service lists no accounts for this supplier.",
  pending: "The service lists no pending accounts for this supplier.",
  imported: "The service lists no imported accounts for this supplier.",
  gone: "No account is gone: every one that was seen pending is still listed, or imported.",
};

function useChosenColumns(): readonly [
  readonly string[] | null,
  (columns: readonly string[] | null) => void,
] {
  const { settings, notices } = useApp();
  const [chosenColumns, setChosen] = useState(() => settings.preferences().accountColumns);
  const choose = (columns: readonly string[] | null) => {
    setChosen(columns);
    try {
      settings.setPreferences({ accountColumns: columns });
    } catch {
      notices.show("Chosen for this session only: it could not be saved.", "waiting");
    }
  };
  return [chosenColumns, choose];
}

/** Returns the service's time of the last complete list, or of the loading one. */
function listedAtOf(
  { loadedAt, load }: AccountListSnapshot,
  { service, now }: Pick<Session, "service" | "now">,
): number {
  const at = loadedAt ?? (load.kind === "loading" ? load.startedAt : null);
  return at === null ? now() : at - service.wrongByMs();
}
