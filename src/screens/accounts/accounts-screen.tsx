import { Box } from "ink";
import { useCallback, useMemo } from "react";
import type { AccountListSnapshot, AccountRowView } from "../../accounts/account-list-snapshot.ts";
import type { ListState } from "../../api/service.ts";
import { accountColumns } from "../../components/account-columns.ts";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { FilterLine } from "../../components/filter-line.tsx";
import { ListLine } from "../../components/list-line.tsx";
import { useListProblem } from "../../components/list-problem.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { ProblemLines } from "../../components/problem.tsx";
import { Tabs, tabActions } from "../../components/tabs.tsx";
import { useAccountList } from "../../hooks/account-list.ts";
import { useFilterField } from "../../hooks/filter-field.ts";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useListCursor } from "../../hooks/list-cursor.ts";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useShownZone } from "../../hooks/now.ts";
import { useChosenColumns } from "../../hooks/saved-views.ts";
import { useSession } from "../../hooks/session.tsx";
import { useRoom } from "../../hooks/window.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import { count } from "../../text/numbers.ts";
import { useAccountActions } from "./account-actions.ts";

const tabs = [
  { id: "all", label: "All" },
  { id: "pending", label: "Pending" },
  { id: "imported", label: "Imported" },
] as const;

/** All, pending and imported accounts of a supplier (INTERFACE 4.9–4.11): one table per tab. */
export function AccountsScreen(props: { readonly supplier: string; readonly tab: ListState }) {
  return <AccountTab key={`${props.supplier} ${props.tab}`} {...props} />;
}

function AccountTab(props: { readonly supplier: string; readonly tab: ListState }) {
  const { supplier, tab } = props;
  const session = useSession();
  const key = useKeyWords();
  const zone = useShownZone();
  const navigation = useNavigation();
  const room = useRoom();
  const focus = useBodyFocus();
  const feed = useAccountList(supplier, tab);
  const { store, snapshot } = feed;
  const [columns, chooseColumns] = useChosenColumns();
  // The same columns as long as they are the same: else every row would be drawn for every key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another zone they write other times
  const shown = useMemo(() => accountColumns(room.columns, columns), [room.columns, columns, zone]);
  const empty = snapshot.total === 0;
  const problem = useListProblem(supplier, feed, room.rows - 3);
  const page = Math.max(1, room.rows - 4 - (empty ? 0 : problem.lines.length));
  const cursor = useListCursor({
    length: snapshot.matched,
    page,
    idAt: useCallback((at: number) => store.slice(at, 1)[0]?.external ?? null, [store]),
    positionOf: useCallback((id: string) => store.positionOf(id), [store]),
  });
  const field = useFilterField("accounts", {
    text: snapshot.filter.text,
    set: (text) => store.setFilter(text),
    focus,
    moving: cursor.actions,
  });
  const { version, matched } = snapshot;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes with the rows
  const rows = useMemo(
    () => store.slice(cursor.top, page).map((row) => tableRow(row)),
    [store, version, matched, cursor.top, page],
  );
  const current = rows[cursor.position - cursor.top] ?? null;
  const actions = useAccountActions({
    supplier,
    tab,
    feed,
    row: current?.row ?? null,
    columns,
    chooseColumns,
    problem,
    toNext: () => cursor.moveTo(cursor.position + 1),
  });
  useKeys({
    ...cursor.actions,
    ...actions,
    ...(current
      ? {
          open: {
            run: () =>
              navigation.push({ kind: "account", supplier, account: current.row.external }),
          },
        }
      : {}),
    ...field.clearing,
    filter: {
      run: () => {
        store.expectFilter();
        field.begin();
      },
    },
    ...tabActions(tabs, tab, (next) => {
      // The question stays the same on the other list: its filter and order go along.
      const { filter, sort } = snapshot;
      const list = session.list(supplier, next);
      list.setFilter(filter.text);
      list.setSort(sort.column, sort.descending);
      navigation.replace({ kind: "accounts", supplier, tab: next });
    }),
  });
  return (
    <Body>
      <Box flexShrink={0}>
        <Tabs tabs={tabs} current={tab} />
        {field.typing || field.text !== "" ? (
          <Box marginLeft={2} flexGrow={1}>
            <FilterLine field={field} focus={focus} />
          </Box>
        ) : null}
      </Box>
      <DataTable
        columns={shown}
        rows={rows}
        cursor={current?.id ?? null}
        sort={{ id: snapshot.sort.column, descending: snapshot.sort.descending }}
        width={room.columns}
        first={cursor.top}
      />
      {rows.length === 0 && (problem.note === null || !empty) ? (
        <Paragraph>{emptyWords(tab, snapshot, key)}</Paragraph>
      ) : null}
      {empty && problem.lines.length > 0 ? <ProblemLines lines={problem.lines} /> : null}
      <Box flexGrow={1} />
      <ListLine feed={feed} position={cursor.position} problem={empty ? [] : problem.lines} />
    </Body>
  );
}

function tableRow(row: AccountRowView) {
  // Not by its number: a service may list an account twice.
  return { id: String(row.row), row, marked: row.marked, changed: row.change };
}

/** Why no row is shown, and what to do about it. */
function emptyWords(tab: ListState, snapshot: AccountListSnapshot, key: KeyWords): string {
  const { total, filter, load } = snapshot;
  if (filter.text !== "" && total > 0) {
    return `None of ${count(total)} matches ${filter.text}. ${key("back")} clears the filter.`;
  }
  switch (load.kind) {
    case "idle":
      return `Not loaded yet. ${key("refresh")} loads the list.`;
    case "loading":
      return `Asking the service for the list; rows show as they arrive. ${key("cancel")} cancels.`;
    case "failed":
    case "loaded":
      return {
        all: "The service lists no accounts for this supplier.",
        pending: "The service lists no pending accounts for this supplier.",
        imported: "The service lists no imported accounts for this supplier.",
      }[tab];
  }
}
