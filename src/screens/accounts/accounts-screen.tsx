import { Box } from "ink";
import { useCallback, useMemo, useState } from "react";
import type { AccountListSnapshot, AccountRowView } from "../../accounts/account-list-snapshot.ts";
import { accountColumns, shownAccount } from "../../components/account-columns.ts";
import { AccountPreviewPane } from "../../components/account-preview.tsx";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { FilterLine } from "../../components/filter-line.tsx";
import { ListLine } from "../../components/list-line.tsx";
import { filterProblemLines, useListProblem } from "../../components/list-problem.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { usePreviewRooms } from "../../components/preview-pane.tsx";
import { ProblemLines } from "../../components/problem.tsx";
import { Tabs, tabActions } from "../../components/tabs.tsx";
import { useAccountList } from "../../hooks/account-list.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useFilterField, useFilterKeys } from "../../hooks/filter-field.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { rangeMarks, useListCursor } from "../../hooks/list-cursor.ts";
import { useNow, useShownZone } from "../../hooks/now.ts";
import { type Room, ScreenProvider, useLinear, useRoom, useSubject } from "../../hooks/window.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import type { AccountTab } from "../../session/places.ts";
import { count } from "../../text/numbers.ts";
import { useAccountActions } from "./account-actions.ts";
import { accountTabs } from "./account-tabs.ts";

/**
 * All, pending and imported accounts of a supplier (INTERFACE 4.9–4.11), and those that are gone: one
 * table per tab, beside it on a wide terminal the preview of the row under the cursor.
 */
export function AccountsScreen(props: { readonly supplier: string; readonly tab: AccountTab }) {
  const { supplier, tab } = props;
  const rooms = usePreviewRooms();
  return (
    <ScreenProvider room={rooms.list}>
      <AccountList
        key={`${supplier} ${tab}`}
        supplier={supplier}
        tab={tab}
        preview={rooms.preview}
      />
    </ScreenProvider>
  );
}

function AccountList(props: {
  readonly supplier: string;
  readonly tab: AccountTab;
  /** The room of the preview; null without one. */
  readonly preview: Room | null;
}) {
  const { supplier, tab } = props;
  const session = useSession();
  const { key, navigation } = useApp();
  const zone = useShownZone();
  const room = useRoom();
  const linear = useLinear();
  const focus = useBodyFocus();
  const feed = useAccountList(supplier, tab);
  const { store, snapshot } = feed;
  const tabs = accountTabs(session, supplier, tab);
  const [columns, chooseColumns] = useChosenColumns();
  // The same columns as long as they are the same: else every row would be drawn for every key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another zone they write other times
  const shown = useMemo(
    () => accountColumns(room.columns, columns, tab),
    [room.columns, columns, tab, zone],
  );
  const empty = snapshot.total === 0;
  const problem = useListProblem(supplier, feed, room.rows - 3);
  const below = [
    ...(empty ? [] : problem.lines),
    ...filterProblemLines(snapshot.filter.problem, linear ? null : room.columns),
  ];
  const page = Math.max(1, room.rows - 4 - below.length);
  const cursor = useListCursor({
    length: snapshot.matched,
    page,
    idAt: useCallback((at: number) => store.slice(at, 1)[0]?.external ?? null, [store]),
    positionOf: useCallback((id: string) => store.positionOf(id), [store]),
  });
  const field = useFilterField("accounts", {
    text: snapshot.filter.text,
    set: (text) => store.setFilter(text),
  });
  useFilterKeys(field, cursor.actions, focus);
  const { version, matched } = snapshot;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes with the rows
  const rows = useMemo(
    () => store.slice(cursor.top, page),
    [store, version, matched, cursor.top, page],
  );
  const row = rows[cursor.position - cursor.top] ?? null;
  const now = useAgesNow(row);
  const minutes = useMemo(() => rows.map((one) => tableRow(one, now, false)), [rows, now]);
  // Only the row under the cursor shows seconds: a list at rest is drawn once a minute.
  const drawn =
    row !== null && isYoung(row, now)
      ? minutes.with(cursor.position - cursor.top, tableRow(row, now, true))
      : minutes;
  const actions = useAccountActions({
    supplier,
    tab,
    feed,
    row,
    columns,
    chooseColumns,
    problem,
    toNext: () => cursor.moveTo(cursor.position + 1),
  });
  useSubject({
    values: row
      ? {
          external_account_number: row.external,
          service_account_number: row.service ?? undefined,
          status: row.gone ? "gone" : row.pending ? "pending" : "imported",
        }
      : {},
    marked: {
      count: snapshot.marks,
      find: (most) =>
        store.markedExternals(most).map((external) => ({ external_account_number: external })),
    },
  });
  const externalAt = (at: number) => store.slice(at, 1)[0]?.external ?? [];
  useKeys({
    ...cursor.actions,
    ...rangeMarks({
      ...{ position: cursor.position, length: snapshot.matched, moveTo: cursor.moveTo },
      mark: (positions) => void store.markListed(positions.flatMap(externalAt)),
    }),
    ...actions,
    ...(row
      ? {
          open: () => navigation.push({ kind: "account", supplier, account: row.external }),
        }
      : {}),
    ...field.clearing,
    filter: () => {
      store.expectFilter();
      field.begin();
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
  const list = (
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
        rows={drawn}
        cursor={row === null ? null : String(row.row)}
        sort={{ id: snapshot.sort.column, descending: snapshot.sort.descending }}
        first={cursor.top}
      />
      {rows.length === 0 && (problem.note === null || !empty) ? (
        <Paragraph>{emptyWords(tab, snapshot, key)}</Paragraph>
      ) : null}
      {empty && problem.lines.length > 0 ? <ProblemLines lines={problem.lines} /> : null}
      <Box flexGrow={1} />
      <ListLine feed={feed} position={cursor.position} problem={below} />
    </Body>
  );
  if (props.preview === null) return list;
  return (
    <Box>
      {list}
      <AccountPreviewPane
        room={props.preview}
        supplier={supplier}
        row={row}
        again={snapshot.loadedAt}
      />
    </Box>
  );
}

/** The chosen columns of account lists, saved across sessions. */
function useChosenColumns(): readonly [
  readonly string[] | null,
  (columns: readonly string[] | null) => void,
] {
  const { settings, notices } = useApp();
  const [chosen, setChosen] = useState(() => settings.preferences().accountColumns);
  const choose = (columns: readonly string[] | null) => {
    setChosen(columns);
    try {
      settings.setPreferences({ accountColumns: columns });
    } catch {
      notices.show("Chosen for this session only: it could not be saved.", "waiting");
    }
  };
  return [chosen, choose];
}

/** The time that ages count to: by the minute, more often while the row under the cursor is young. */
function useAgesNow(row: AccountRowView | null): number {
  const { clock } = useApp();
  return useNow(row !== null && isYoung(row, clock.now()) ? 10_000 : 60_000);
}

function isYoung({ pendingSince }: AccountRowView, now: number): boolean {
  return now - pendingSince < 60_000;
}

function tableRow(row: AccountRowView, now: number, isCurrent: boolean) {
  const { marked, change } = row;
  // Not by its number: a service may list an account twice.
  return { id: String(row.row), row: shownAccount(row, now, isCurrent), marked, changed: change };
}

/** Why no row is shown, and what to do about it. */
function emptyWords(tab: AccountTab, snapshot: AccountListSnapshot, key: KeyWords): string {
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
        gone: "No account is gone: every one that was seen pending is still listed, or imported.",
      }[tab];
  }
}
