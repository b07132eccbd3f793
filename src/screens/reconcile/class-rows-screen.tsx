import { Box } from "ink";
import { useCallback, useMemo, useState } from "react";
import { AccountPreviewPane, type PreviewedAccount } from "../../components/account-preview.tsx";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { FilterLine } from "../../components/filter-line.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { usePreviewRooms } from "../../components/preview-pane.tsx";
import { Text } from "../../components/text.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useFilterField, useFilterKeys } from "../../hooks/filter-field.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { rangeMarks, useListCursor } from "../../hooks/list-cursor.ts";
import { useNow, useShownZone } from "../../hooks/now.ts";
import { type Room, ScreenProvider, useRoom, useSubject } from "../../hooks/window.tsx";
import type { ChosenSource } from "../../session/tasks.ts";
import { count } from "../../text/numbers.ts";
import { classWords } from "../../triage/reconcile/class-words.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import type { Reconciled, ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import { useClassRows } from "./class-rows.ts";
import { useRowActions } from "./row-actions.ts";
import { rowColumns } from "./row-columns.ts";

interface RowsProps {
  readonly supplier: string;
  readonly class: RowClass;
}

/** The rows of one class of a comparison, and on a wide terminal the account under the cursor. */
export function ClassRowsScreen(props: RowsProps) {
  const { reconciles } = useSession().tasks;
  const { key } = useApp();
  const task = useStore(reconciles.all).get(props.supplier);
  const rooms = usePreviewRooms();
  if (task?.kind === "ended") {
    const { result } = task.end;
    const { chosen } = task.progress;
    return (
      <ScreenProvider room={rooms.list}>
        <Rows key={props.class} {...props} {...{ result, chosen }} preview={rooms.preview} />
      </ScreenProvider>
    );
  }
  return (
    <Body>
      <Paragraph>{`There is no comparison to show rows of; ${key("back")} goes back.`}</Paragraph>
    </Body>
  );
}

function Rows(
  props: RowsProps & {
    readonly result: Reconciled;
    readonly chosen: ChosenSource;
    /** The room of the preview; null without one. */
    readonly preview: Room | null;
  },
) {
  const { supplier, result } = props;
  const name = props.class;
  const { navigation } = useApp();
  const room = useRoom();
  const focus = useBodyFocus();
  const zone = useShownZone();
  const now = useNow(60_000);
  const [filter, setFilter] = useState("");
  const rows = useClassRows(result, name, filter);
  const page = Math.max(1, room.rows - 4);
  const cursor = useListCursor({
    length: rows.length,
    page,
    idAt: useCallback((at: number) => (at < rows.length ? String(rows.rowAt(at)) : null), [rows]),
    positionOf: useCallback((id: string) => rows.positionOf(Number(id)), [rows]),
  });
  const field = useFilterField("reconcile", { text: filter, set: setFilter });
  useFilterKeys(field, cursor.actions, focus);
  const current = rows.length === 0 ? null : rows.at(cursor.position);
  const { actions, marks, mark } = useRowActions({
    ...{ supplier, result, rows, row: current, chosen: props.chosen, class: name },
    toNext: () => cursor.moveTo(cursor.position + 1),
  });
  const external = current?.external ?? null;
  useSubject({
    values: {
      external_account_number: external ?? undefined,
      service_account_number: current?.service ?? undefined,
      status: name,
    },
    marked: {
      count: marks.size,
      find: (most) =>
        [...marks].slice(0, most).map((number) => ({ external_account_number: number })),
    },
  });
  useKeys({
    ...cursor.actions,
    ...rangeMarks({
      ...{ position: cursor.position, length: rows.length, moveTo: cursor.moveTo },
      mark: (positions) => mark(positions.flatMap((at) => rows.at(at).external ?? [])),
    }),
    ...actions,
    ...(external === null
      ? {}
      : { open: () => navigation.push({ kind: "account", supplier, account: external }) }),
    ...field.clearing,
    filter: field.begin,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another zone they write other times
  const columns = useMemo(
    () => rowColumns(name, room.columns, now),
    [name, room.columns, now, zone],
  );
  const shown = Array.from(
    { length: Math.max(0, Math.min(page, rows.length - cursor.top)) },
    (_, at) => {
      const row = rows.at(cursor.top + at);
      const marked = row.external !== null && marks.has(row.external);
      return { id: String(rows.rowAt(cursor.top + at)), row, marked };
    },
  );
  const words = classWords[name];
  const list = (
    <Body>
      <Box flexShrink={0}>
        {field.typing || field.text !== "" ? (
          <FilterLine field={field} focus={focus} />
        ) : (
          <Text tone={words.tone}>{`${count(rows.length)} ${words.label}. ${words.meaning}`}</Text>
        )}
      </Box>
      <DataTable
        columns={columns}
        rows={shown}
        cursor={current === null ? null : String(rows.rowAt(cursor.position))}
        first={cursor.top}
      />
      {rows.problem === null ? null : <Paragraph tone="bad">{rows.problem}</Paragraph>}
      {rows.length === 0 ? <Paragraph>No row matches the filter.</Paragraph> : null}
      <Box flexGrow={1} />
      <Text>
        {positionWords(
          rows.length === 0 ? 0 : cursor.position + 1,
          rows,
          result.counts[name],
          marks.size,
        )}
      </Text>
    </Body>
  );
  if (props.preview === null) return list;
  return (
    <Box>
      {list}
      <AccountPreviewPane
        room={props.preview}
        supplier={supplier}
        row={current === null ? null : previewed(current)}
        again={result}
      />
    </Box>
  );
}

/** The account of a row; null for a row without a number. */
function previewed(row: ReconciledRow): PreviewedAccount | null {
  const { external, service, created, pendingSince } = row;
  if (external === null) return null;
  return {
    external,
    service,
    created,
    createdAt: created === null ? Number.NaN : Date.parse(created),
    pendingSince: pendingSince ?? Number.NaN,
    goneAt: Number.NaN,
  };
}

function positionWords(
  position: number,
  rows: { readonly length: number; readonly isFiltering: boolean },
  total: number,
  marks: number,
): string {
  const of = rows.length === total ? count(total) : `${count(rows.length)} matching`;
  return [
    `${count(position)} of ${of}`,
    ...(rows.isFiltering ? ["filtering…"] : []),
    ...(marks === 0 ? [] : [`${count(marks)} marked`]),
  ].join("  ");
}
