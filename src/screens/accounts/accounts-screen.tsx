import { Box } from "ink";
import { useCallback, useMemo } from "react";
import type { AccountRowView } from "../../accounts/account-list.ts";
import type { ListState } from "../../api/service.ts";
import { accountColumns } from "../../components/account-columns.ts";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { FilterLine } from "../../components/filter-line.tsx";
import { ListLine } from "../../components/list-line.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Problem } from "../../components/problem.tsx";
import { Tabs, tabActions } from "../../components/tabs.tsx";
import { useChosenColumns } from "../../hooks/account-columns.ts";
import { useAccountList } from "../../hooks/account-list.ts";
import { errorPlace } from "../../hooks/error-place.ts";
import { useFilterField } from "../../hooks/filter-field.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useListCursor } from "../../hooks/list-cursor.ts";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useSession } from "../../hooks/session.tsx";
import { useRoom } from "../../hooks/window.tsx";
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
  const navigation = useNavigation();
  const room = useRoom();
  const focus = useBodyFocus();
  const feed = useAccountList(supplier, tab);
  const { store, snapshot } = feed;
  const [columns, chooseColumns] = useChosenColumns();
  // The same columns as long as they are the same: else every row would be drawn for every key.
  const shown = useMemo(() => accountColumns(room.columns, columns), [room.columns, columns]);
  const page = Math.max(1, room.rows - 4);
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that rows changed
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
    ...tabActions(tabs, tab, (next) =>
      navigation.replace({ kind: "accounts", supplier, tab: next }),
    ),
  });
  const { load } = snapshot;
  const context = {
    doing: `listing the accounts of ${supplier}`,
    ...errorPlace(session),
    subject: { kind: "supplier", supplier },
  } as const;
  return (
    <Body>
      <Box>
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
      {rows.length === 0 && load.kind !== "failed" ? (
        <Paragraph tone="muted">
          {emptyWords(tab, snapshot.total, snapshot.filter.text, load.kind)}
        </Paragraph>
      ) : null}
      {load.kind === "failed" && snapshot.total === 0 ? (
        <Problem error={load.error} context={context} />
      ) : null}
      <Box flexGrow={1} />
      <ListLine feed={feed} position={cursor.position} context={context} />
    </Body>
  );
}

function tableRow(row: AccountRowView) {
  // Not by its number: a service may list an account twice.
  return { id: String(row.row), row, marked: row.marked, changed: row.change };
}

function emptyWords(tab: ListState, total: number, filter: string, load: string): string {
  if (filter !== "" && total > 0)
    return `None of ${total} matches ${filter}. Esc clears the filter.`;
  if (load === "loading") return "Loading: rows show as they arrive.";
  if (load === "idle") return "Not loaded. r loads it.";
  if (tab === "pending") return "Nothing is pending: no account of this supplier is staged.";
  if (tab === "imported") return "Nothing has been imported for this supplier yet.";
  return "The service lists no accounts for this supplier.";
}
