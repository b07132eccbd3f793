/** Draws a list with its filter, tabs, table and preview, and handles the keys of every list. */
import { Box } from "ink";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useKeys, useNumbered } from "../../hooks/keys.tsx";
import { visibleTop } from "../../hooks/list-cursor.ts";
import {
  ScreenProvider,
  useCoveredRows,
  useLinear,
  useRoom,
  useSubject,
} from "../../hooks/window.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import { type Actions, markedFirst } from "../../keys/scopes.ts";
import { wrap } from "../../text/width.ts";
import { Body, useBodyFocus } from "../body.tsx";
import { Facts } from "../facts.tsx";
import { Paragraph, Paragraphs, Waiting } from "../paragraph.tsx";
import { type ProblemLine, ProblemLines } from "../problem.tsx";
import { Tabs, tabActions } from "../tabs.tsx";
import { Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import { type Column, fitColumns, type Longest, longestTexts } from "./column.ts";
import { DataTable, rowEdge, type TableRow } from "./data-table.tsx";
import { type FilterField, useFilterField, useFilterKeys } from "./filter-field.ts";
import { FootLine, type FootPart, footPart, positionParts } from "./list-foot.tsx";
import { listKeys, marksQuestion, noRowWords } from "./list-keys.ts";
import type { ListSpec, ListState, RowBlock } from "./list-spec.ts";
import { PreviewBelow, PreviewBeside, usePreviewLayout } from "./preview.tsx";
import { useRowFiles } from "./row-files.ts";
import type { List } from "./use-list.ts";

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

export function ListScreen<Row>(spec: ListSpec<Row>) {
  const { list, state = ready, tabs, valuesOf, preview } = spec;
  const app = useApp();
  const { notices, key } = app;
  const room = useRoom();
  const linear = useLinear();
  const focus = useBodyFocus();
  const layout = usePreviewLayout(list.total === 0, spec.rowsBelow ?? 0);
  const { text, problem, words } = list.filter;
  const field = useFilterField(spec.history ?? spec.file.stem, {
    text,
    words,
    set: list.setFilter,
  });
  const isFiltered = field.typing || text !== "";
  // Without tabs the filter replaces the block above the table.
  const above = tabs === undefined && isFiltered ? undefined : spec.above;
  const hasLine = tabs !== undefined || isFiltered;
  const hasRow = list.current !== null;
  const { below, isInColumn } = blockBelow(spec, layout.beside !== null);
  const belowRows = (below?.rows ?? 0) + (hasRow ? (layout.below?.rows ?? 0) : 0);
  const problems = [
    ...(state.kind === "partial" ? state.lines : []),
    ...filterProblemLines(problem, linear ? null : room.columns),
  ];
  const head = (above?.rows ?? 0) + (hasLine ? 1 : 0);
  const height = Math.max(2, room.rows - head - belowRows - problems.length - 1);
  const page = height - 1;
  const hidden = Math.max(0, useCoveredRows() - (room.rows - head - height));
  const top = useTop(list, { page, hidden, fromTop: spec.fromTop ?? false });
  const keys = listKeys(list, page, notices, state.kind === "reading");
  useFilterKeys(field, keys, focus);
  const files = useRowFiles(list, spec.noun, spec.file);
  useNumbered({
    count: list.length,
    choose(position) {
      if (position !== list.position) list.moveTo(position);
      // Nothing changes on the screen, and only changes are printed.
      else notices.explain(`Row ${position + 1} is selected. ${key("open")} opens it.`);
    },
  });
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
  const actions: Actions = {
    ...keys,
    ...files,
    ...(tabs === undefined ? {} : tabActions(tabs.tabs, tabs.current, tabs.to)),
    open: list.current === null ? { run() {}, disabled: noRowWords } : spec.enter?.(list.current),
    ...field.naming,
    ...spec.actions,
    ...marksQuestion(app, list, spec.actions?.back),
    ...field.clearing,
    filter: {
      run() {
        spec.expectFilter?.();
        field.begin();
      },
      disabled: list.total === 0 && state.kind !== "reading" ? noRowWords : null,
    },
  };
  useKeys(list.marks.count === 0 ? actions : markedFirst(actions));
  const beside = (row: Row) =>
    preview === undefined ? <Cells {...spec} row={row} /> : preview(row, false);
  // The line has a fixed height: as a growing child of the body it would push the table down.
  const filter = isFiltered ? (
    <Box height={1} flexGrow={tabs === undefined ? 0 : 1} flexShrink={0}>
      <FilterLine field={field} focus={focus} />
    </Box>
  ) : null;
  const position = list.total === 0 ? [] : positionParts(list, { linear, noun: spec.noun });
  const status = spec.status ?? [];
  // The words are more useful than the age of the list while a filter is typed.
  const parts = field.typing
    ? [...position, ...status.filter(({ drop }) => drop <= 2), ...wordParts(field, key)]
    : [...position, ...status];
  const besideRows = height + (isInColumn ? belowRows : 0);
  const belowShown = list.current === null ? null : below?.shown(list.current);
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
        <ScreenProvider room={{ columns: layout.columns, rows: height }}>
          <Box flexDirection="column" width={layout.columns} flexShrink={0}>
            <Rows {...spec} top={top} page={page} />
            {isInColumn ? belowShown : null}
          </Box>
        </ScreenProvider>
        {layout.beside === null ? null : (
          <PreviewBeside list={list} room={{ ...layout.beside, rows: besideRows }} shown={beside} />
        )}
      </Box>
      {isInColumn ? null : belowShown}
      {hasRow && layout.below !== null && preview !== undefined ? (
        <PreviewBelow list={list} room={layout.below} shown={(row) => preview(row, true)} />
      ) : null}
      {problems.length > 0 ? <ProblemLines lines={problems} /> : null}
      {parts.length === 0 ? null : <FootLine parts={parts} />}
    </Body>
  );
}

function wordParts({ offered }: FilterField, key: KeyWords): readonly FootPart[] {
  if (offered.length === 0) return [];
  return [
    footPart(3, key("next-tab"), "accent"),
    ...offered.map((word, index) => footPart(4 + index, word, "muted")),
  ];
}

/** `isInColumn` is true for a block in the column of the table, beside a preview. */
function blockBelow<Row>({ list, below, isBelowBeside = false }: ListSpec<Row>, isBeside: boolean) {
  const isInColumn = isBeside && isBelowBeside;
  const isShown = list.current !== null && (!isBeside || isInColumn);
  return { below: isShown ? below : undefined, isInColumn };
}

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

const maxFilterLines = 3;

/** Returns the problem in lines of at most `width` cells, or on one line if it is null. */
function filterProblemLines(problem: string | null, width: number | null): readonly ProblemLine[] {
  if (problem === null) return [];
  const lines = width === null ? [problem] : wrap(problem, Math.max(8, width));
  return lines.slice(0, maxFilterLines).map((text) => ({ text, tone: "bad" }));
}

function Rows<Row>(props: ListSpec<Row> & { readonly top: number; readonly page: number }) {
  const { list, state = ready } = props;
  if (state.kind === "failed") return <Failed {...props} why={state.why} />;
  if (list.total === 0 && state.kind === "reading") return <Waiting {...state} />;
  if (list.total > 0) return <RowTable {...props} />;
  const [first = "", ...more] = props.empty;
  return (
    <>
      <Paragraph bold>{first}</Paragraph>
      <Paragraphs texts={more} />
    </>
  );
}

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
  const drawn: number[] = [];
  const rows = positions.flatMap((position): TableRow<Row>[] => {
    const row = list.at(position);
    if (row === null) return [];
    drawn.push(position);
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
        cursor={drawn.indexOf(list.position)}
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
  const last = useRef<Longest>(new Map());
  const longest = longestTexts(columns, rows, last.current);
  useLayoutEffect(() => {
    last.current = longest;
  });
  return longest;
}

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
 * Returns the position of the first visible row. The row of the cursor stays on its line when rows
 * appear or disappear above it. With `fromTop` the first rows stay visible while the cursor is
 * among them. While a box covers the last rows, the row of the cursor stays visible above the box.
 */
function useTop(
  list: Pick<List<unknown>, "position" | "moves" | "length">,
  options: { readonly page: number; readonly hidden: number; readonly fromTop: boolean },
): number {
  const { page, hidden, fromTop } = options;
  const { position, moves, length } = list;
  const linear = useLinear();
  const last = useRef({ moves, position, top: 0 });
  const { current: before } = last;
  const drift = before.moves === moves ? position - before.position : 0;
  // A linear list moves page by page, so that no row is read twice.
  const top = linear
    ? Math.floor(position / page) * page
    : fromTop && position < page
      ? 0
      : visibleTop(Math.max(0, before.top + drift), position, page, length);
  useLayoutEffect(() => {
    last.current = { moves, position, top };
  });
  return hidden === 0 ? top : Math.max(top, position - Math.max(1, page - hidden) + 1);
}
