/** Draws a list with its filter, tabs, table and preview, and handles the keys of every list. */
import { Box } from "ink";
import { Fragment, type ReactNode, useLayoutEffect, useRef } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { type FilterField, useFilterField, useFilterKeys } from "../../hooks/filter-field.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useRested, visibleTop } from "../../hooks/list-cursor.ts";
import { useNumbered } from "../../hooks/numbered.tsx";
import {
  type Room,
  ScreenProvider,
  useCovered,
  useLinear,
  useRoom,
  useSubject,
} from "../../hooks/window.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { Body, useBodyFocus } from "../body.tsx";
import { Facts } from "../facts.tsx";
import { filterProblemLines } from "../list-load.tsx";
import { Paragraph, Waiting } from "../paragraph.tsx";
import { PreviewPane, usePreviewRooms } from "../preview-pane.tsx";
import { ProblemLines } from "../problem.tsx";
import { Tabs, tabActions } from "../tabs.tsx";
import { Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import { type Column, fitColumns, type Longest, longestTexts } from "./column.ts";
import { DataTable, rowEdge, type TableRow } from "./data-table.tsx";
import { FootLine, positionParts } from "./list-foot.tsx";
import { listKeys, noRowWords } from "./list-keys.ts";
import type { ListSpec, ListState, RowBlock } from "./list-spec.ts";
import { useRowFiles } from "./row-files.ts";
import type { List } from "./use-list.ts";

/** Returns a block of two lines for a text of the row that is too long for the table. */
export function detailBlock<Row>(textOf: (row: Row) => string | null): RowBlock<Row> {
  return {
    rows: 2,
    shown(row) {
      const text = textOf(row);
      return text === null ? null : <Paragraph most={2}>{text}</Paragraph>;
    },
  };
}

const ready: ListState = { kind: "ready" };

/** Draws a list with everything that every list has, and handles its keys. */
export function ListScreen<Row>(spec: ListSpec<Row>) {
  const { list, state = ready, tabs, valuesOf } = spec;
  const { notices, isFolded } = useApp();
  const room = useRoom();
  const linear = useLinear();
  const focus = useBodyFocus();
  const rooms = usePreviewRooms(list.total === 0);
  const { text, problem } = list.filter;
  const field = useFilterField(spec.history ?? spec.file.stem, { text, set: list.setFilter });
  const folded = useStore(isFolded);
  const isFiltered = field.typing || text !== "";
  // Without tabs the filter replaces the block above the table.
  const above = tabs === undefined && isFiltered ? undefined : spec.above;
  const hasLine = tabs !== undefined || isFiltered;
  const hasRow = list.current !== null;
  const hasBelow = rooms.preview === null && hasRow && spec.below !== undefined;
  const canFold = hasBelow && spec.below?.folds === true;
  const below = hasBelow && !(canFold && folded) ? spec.below : undefined;
  const problems = [
    ...(state.kind === "partial" ? state.lines : []),
    ...filterProblemLines(problem, linear ? null : room.columns),
  ];
  const head = (above?.rows ?? 0) + (hasLine ? 1 : 0);
  const height = Math.max(2, room.rows - head - (below?.rows ?? 0) - problems.length - 1);
  const page = height - 1;
  const hidden = Math.max(0, useCovered() - (room.rows - head - height));
  const top = useTop(list, { page, hidden, fromTop: spec.fromTop ?? false });
  const keys = listKeys(list, page, notices, state.kind === "reading");
  useFilterKeys(field, keys, focus);
  const files = useRowFiles(list, spec.noun, spec.file);
  useNumbered({ count: list.length, choose: list.moveTo });
  useSubject({
    values: list.current && valuesOf ? valuesOf(list.current) : {},
    ...(valuesOf === undefined
      ? {}
      : {
          marked: {
            count: list.marks.count,
            find: (most: number) => list.marked(most).map(valuesOf),
          },
        }),
  });
  useKeys({
    ...keys,
    ...files,
    ...(tabs === undefined ? {} : tabActions(tabs.tabs, tabs.current, tabs.to)),
    open: list.current === null ? { run() {}, disabled: noRowWords } : spec.enter?.(list.current),
    ...(canFold
      ? {
          preview: {
            run: () => isFolded.set(!folded),
            label: folded ? "unfold" : "fold",
            help: "Fold or unfold the preview below the list",
          },
        }
      : {}),
    ...spec.actions,
    ...field.clearing,
    filter: {
      run() {
        spec.expectFilter?.();
        field.begin();
      },
      disabled: list.total === 0 && state.kind !== "reading" ? noRowWords : null,
    },
  });
  const filter = isFiltered ? <FilterLine field={field} focus={focus} /> : null;
  const position = list.total === 0 ? [] : positionParts(list, { linear, noun: spec.noun });
  const parts = [...position, ...(spec.status ?? [])];
  return (
    <Body>
      {above?.shown}
      {tabs === undefined ? (
        filter
      ) : (
        <Box flexShrink={0}>
          <Tabs tabs={tabs.tabs} current={tabs.current} />
          {filter === null ? null : (
            <Box marginLeft={2} flexGrow={1}>
              {filter}
            </Box>
          )}
        </Box>
      )}
      <Box flexGrow={1}>
        <ScreenProvider room={{ columns: rooms.list.columns, rows: height }}>
          <Box flexDirection="column" width={rooms.list.columns} flexShrink={0}>
            <Rows {...spec} top={top} page={page} />
          </Box>
        </ScreenProvider>
        {rooms.preview === null ? null : (
          <Preview {...spec} room={{ ...rooms.preview, rows: height }} />
        )}
      </Box>
      {below === undefined || list.current === null ? null : below.folds ? (
        <ScreenProvider room={{ columns: room.columns, rows: below.rows }}>
          <Box height={below.rows} flexShrink={0} flexDirection="column" overflow="hidden">
            <OfRested list={list} shown={below.shown} />
          </Box>
        </ScreenProvider>
      ) : (
        below.shown(list.current)
      )}
      {problems.length > 0 ? <ProblemLines lines={problems} /> : null}
      {parts.length === 0 ? null : <FootLine parts={parts} />}
    </Body>
  );
}

/** Shows the text of the filter after its sign. */
function FilterLine(props: { readonly field: FilterField; readonly focus: boolean }) {
  const { field, focus } = props;
  return (
    <Box flexGrow={1}>
      <Box flexShrink={0}>
        <Text tone="accent">/ </Text>
      </Box>
      <TextField value={field.text} focus={field.typing && focus} onChange={field.set} />
    </Box>
  );
}

/** Shows the visible rows, or the reason if there are none. */
function Rows<Row>(props: ListSpec<Row> & { readonly top: number; readonly page: number }) {
  const { list, state = ready } = props;
  if (state.kind === "failed") return <Failed {...props} why={state.why} />;
  if (list.total === 0 && state.kind === "reading") return <Waiting {...state} />;
  if (list.total > 0) return <RowTable {...props} />;
  const [first = "", ...more] = props.empty;
  return (
    <>
      <Paragraph bold>{first}</Paragraph>
      {more.map((words) => (
        <Paragraph key={words}>{words}</Paragraph>
      ))}
    </>
  );
}

/** Shows the reason for a failed list, and the key that tries again. */
function Failed(props: { readonly why: ReactNode; readonly actions?: Actions }) {
  const { key } = useApp();
  return (
    <>
      {props.why}
      {props.actions?.refresh === undefined ? null : (
        <Paragraph>{`${key("refresh")} tries again now.`}</Paragraph>
      )}
    </>
  );
}

function RowTable<Row>(props: ListSpec<Row> & { readonly top: number; readonly page: number }) {
  const { list, top, page, changeOf } = props;
  const { key } = useApp();
  const { columns: width } = useRoom();
  const positions = Array.from({ length: Math.min(page, list.length - top) }, (_, at) => top + at);
  const seen: number[] = [];
  const rows = positions.flatMap((position): TableRow<Row>[] => {
    const row = list.at(position);
    if (row === null) return [];
    seen.push(position);
    const [id, marked] = [list.idAt(position) ?? "", list.isMarked(position)];
    return [{ id, row, marked, changed: changeOf?.(row) ?? null }];
  });
  const longest = useLongest(
    list.columns,
    rows.map(({ row }) => row),
  );
  return (
    <>
      <DataTable
        columns={fitColumns(list.columns, width, longest)}
        rows={rows}
        cursor={seen.indexOf(list.position)}
        sort={list.order}
        filter={list.filter.text}
        width={width}
        first={top}
      />
      {list.length === 0 && !list.filter.isWorking ? (
        <Paragraph indent={rowEdge}>
          {`No ${props.noun[0]} matches ${list.filter.text}. ${key("back")} clears the filter.`}
        </Paragraph>
      ) : null}
    </>
  );
}

/** Returns the longest texts of all rows shown so far, so that a column never shrinks. */
function useLongest<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Longest {
  const seen = useRef<Longest>(new Map());
  const longest = longestTexts(columns, rows, seen.current);
  useLayoutEffect(() => {
    seen.current = longest;
  });
  return longest;
}

/** Shows the preview of the row on which the cursor rests. */
function Preview<Row>(props: ListSpec<Row> & { readonly room: Room }) {
  const { list, preview = (row) => <Cells {...props} row={row} /> } = props;
  return (
    <PreviewPane room={props.room}>
      <OfRested list={list} shown={preview} />
    </PreviewPane>
  );
}

/** Shows details of the row on which the cursor rests. */
function OfRested<Row>(props: {
  readonly list: List<Row>;
  readonly shown: (row: Row) => ReactNode;
}) {
  const { list, shown } = props;
  const id = list.idAt(list.position);
  const rested = useRested(id === null ? null : { id, row: list.current }, id ?? "");
  if (rested === null) return null;
  // The row can have changed since the cursor stopped.
  const row = list.at(list.positionOf(rested.id)) ?? rested.row;
  return row === null ? null : <Fragment key={rested.id}>{shown(row)}</Fragment>;
}

/** Shows all cells of a row, below the block of the screen if it has one. */
function Cells<Row>({ list, below, row }: ListSpec<Row> & { readonly row: Row }) {
  const facts = list.columns
    .filter(({ picture }) => !picture)
    .map(({ title, text }) => ({
      label: title.trim(),
      value: text(row, Number.POSITIVE_INFINITY).trim(),
    }))
    .filter(({ label, value }) => label !== "" && value !== "");
  return (
    <>
      {below?.shown(row)}
      <Box marginTop={below === undefined ? 0 : 1} flexDirection="column" flexShrink={0}>
        <Facts facts={facts} />
      </Box>
    </>
  );
}

/**
 * Returns the first visible position. A row keeps its line when rows appear or disappear above it.
 * With `fromTop` the first rows stay visible while the cursor is among them. While a box covers the
 * last rows, the row of the cursor stays visible above it.
 */
function useTop(
  list: Pick<List<unknown>, "position" | "moves" | "length">,
  options: { readonly page: number; readonly hidden: number; readonly fromTop: boolean },
): number {
  const { page, hidden, fromTop } = options;
  const { position, moves, length } = list;
  const linear = useLinear();
  const seen = useRef({ moves, position, top: 0 });
  const { current: before } = seen;
  const drift = before.moves === moves ? position - before.position : 0;
  // A linear list moves page by page, so that no row is read twice.
  const top = linear
    ? Math.floor(position / page) * page
    : fromTop && position < page
      ? 0
      : visibleTop(Math.max(0, before.top + drift), position, page, length);
  useLayoutEffect(() => {
    seen.current = { moves, position, top };
  });
  return hidden === 0 ? top : Math.max(top, position - Math.max(1, page - hidden) + 1);
}
