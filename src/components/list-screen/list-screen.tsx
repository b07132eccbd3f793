import { Box } from "ink";
import { Fragment, type ReactNode, useLayoutEffect, useRef } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useFilterField, useFilterKeys } from "../../hooks/filter-field.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useRested, visibleTop } from "../../hooks/list-cursor.ts";
import { useNumbered } from "../../hooks/numbered.tsx";
import { type Room, ScreenProvider, useLinear, useRoom, useSubject } from "../../hooks/window.tsx";
import type { Actions } from "../../keys/scopes.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import { Body, useBodyFocus } from "../body.tsx";
import { Facts } from "../facts.tsx";
import { FilterLine } from "../filter-line.tsx";
import { filterProblemLines } from "../list-problem.ts";
import { Paragraph } from "../paragraph.tsx";
import { PreviewPane, usePreviewRooms } from "../preview-pane.tsx";
import { type ProblemLine, ProblemLines } from "../problem.tsx";
import { type Tab, Tabs, tabActions } from "../tabs.tsx";
import { fitColumns } from "./column.ts";
import { DataTable, type TableRow } from "./data-table.tsx";
import { FootLine, type FootPart, positionParts } from "./list-foot.tsx";
import { listKeys, noRowWords } from "./list-keys.ts";
import { type RowFile, type RowNoun, useRowFiles } from "./row-files.ts";
import type { List } from "./use-list.ts";

/** What is known of the rows of a list. */
export type ListState =
  | { readonly kind: "ready" }
  /** No row is there yet. */
  | { readonly kind: "reading"; readonly words: string }
  /** Rows are there, and something about them must be known. */
  | { readonly kind: "partial"; readonly lines: readonly ProblemLine[] }
  | { readonly kind: "failed"; readonly why: ReactNode };

/** Lines of a screen, as many as it says. */
export interface Block {
  readonly rows: number;
  readonly shown: ReactNode;
}

/** Lines about a row, as many as it says. */
export interface RowBlock<Row> {
  readonly rows: number;
  readonly shown: (row: Row) => ReactNode;
}

/** What the table has no room for of a row, in two lines. */
export function detailBlock<Row>(textOf: (row: Row) => string | null): RowBlock<Row> {
  return {
    rows: 2,
    shown(row) {
      const text = textOf(row);
      return text === null ? null : <Paragraph most={2}>{text}</Paragraph>;
    },
  };
}

/** The tabs of a list, and what happens when another one is chosen. */
export interface ListTabs {
  readonly tabs: readonly Tab<string>[];
  readonly current: string;
  readonly to: (id: string) => void;
}

/** A list of rows: what it shows, and what its keys do. What every list can do comes with it. */
export interface ListSpec<Row> {
  readonly list: List<Row>;
  /** Default: ready. */
  readonly state?: ListState;
  /** In place of rows where there is none: the first sentence says so, the others what to do. */
  readonly empty: readonly string[];
  readonly noun: RowNoun;
  readonly file: RowFile;
  /** Lists with the same one share their earlier filters. Default: the name of the file. */
  readonly history?: string;
  readonly tabs?: ListTabs;
  readonly above?: Block;
  /** The row under the cursor in full, where there is no preview. */
  readonly below?: RowBlock<Row>;
  /** The row under the cursor, beside the table where there is room, once the cursor rests. Default: all of its cells. */
  readonly preview?: (row: Row) => ReactNode;
  /** Behind the position. */
  readonly status?: readonly FootPart[];
  /** What a row is to the user's commands. */
  readonly valuesOf?: (row: Row) => RowValues;
  /** The keys of the screen beside those of every list. */
  readonly actions?: Actions;
  /** Called when a filter is about to be typed. */
  readonly expectFilter?: () => void;
  /** Signs at a row that has changed since the last load. */
  readonly changeOf?: (row: Row) => TableRow<Row>["changed"];
  /** The first rows stay in sight as long as the cursor is among them. */
  readonly fromTop?: true;
}

const ready: ListState = { kind: "ready" };

export function ListScreen<Row>(spec: ListSpec<Row>) {
  const { list, state = ready, tabs, valuesOf } = spec;
  const { notices } = useApp();
  const room = useRoom();
  const linear = useLinear();
  const focus = useBodyFocus();
  const rooms = usePreviewRooms(list.total === 0);
  const { text, problem } = list.filter;
  const field = useFilterField(spec.history ?? spec.file.stem, { text, set: list.setFilter });
  const isFiltered = field.typing || text !== "";
  // Without tabs the filter takes the place of what is above the table.
  const above = tabs === undefined && isFiltered ? undefined : spec.above;
  const hasLine = tabs !== undefined || isFiltered;
  const hasRow = list.current !== null;
  const below = rooms.preview === null && hasRow ? spec.below : undefined;
  const problems = [
    ...(state.kind === "partial" ? state.lines : []),
    ...filterProblemLines(problem, linear ? null : room.columns),
  ];
  const head = (above?.rows ?? 0) + (hasLine ? 1 : 0);
  const height = Math.max(2, room.rows - head - (below?.rows ?? 0) - problems.length - 1);
  const page = height - 1;
  const top = useTop(list, page, spec.fromTop ?? false);
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
  const position = list.total === 0 ? [] : positionParts(list, { linear, noun: spec.noun[1] });
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
      {list.current === null ? null : below?.shown(list.current)}
      {problems.length > 0 ? <ProblemLines lines={problems} /> : null}
      {parts.length === 0 ? null : <FootLine parts={parts} />}
    </Body>
  );
}

/** The rows in view, or why there is none. */
function Rows<Row>(props: ListSpec<Row> & { readonly top: number; readonly page: number }) {
  const { list, state = ready, top, page, changeOf } = props;
  const { key } = useApp();
  const { columns: width } = useRoom();
  if (state.kind === "failed") return state.why;
  if (list.total === 0 && state.kind === "reading")
    return <Paragraph tone="muted">{state.words}</Paragraph>;
  if (list.total === 0) {
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
  const rows = Array.from({ length: Math.min(page, list.length - top) }, (_, at) => top + at)
    .map((position): TableRow<Row> | null => {
      const row = list.at(position);
      return row === null
        ? null
        : {
            ...{ id: list.idAt(position) ?? "", row, marked: list.isMarked(position) },
            changed: changeOf?.(row) ?? null,
          };
    })
    .filter((row) => row !== null);
  return (
    <>
      <DataTable
        columns={fitColumns(list.columns, width)}
        rows={rows}
        cursor={list.position - top}
        sort={list.order}
        width={width}
        first={top}
      />
      {list.length === 0 && list.total > 0 && !list.filter.isWorking ? (
        <Paragraph tone="muted">
          {`No ${props.noun[0]} matches ${list.filter.text}. ${key("back")} clears the filter.`}
        </Paragraph>
      ) : null}
    </>
  );
}

/** The preview of the row on which the cursor has come to rest. */
function Preview<Row>(props: ListSpec<Row> & { readonly room: Room }) {
  const { list, preview = (row) => <Cells {...props} row={row} /> } = props;
  const id = list.idAt(list.position);
  const rested = useRested(id === null ? null : { id, row: list.current }, id ?? "");
  // What is known of the row can have changed since then.
  const row = rested === null ? null : (list.at(list.positionOf(rested.id)) ?? rested.row);
  return (
    <PreviewPane room={props.room}>
      {row === null || rested === null ? null : <Fragment key={rested.id}>{preview(row)}</Fragment>}
    </PreviewPane>
  );
}

/** Everything that the columns know of a row, below what the screen says about it. */
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
 * The first position in view. A row keeps its line when rows appear or disappear above it; with
 * `fromTop` the first rows stay in sight as long as the cursor is among them.
 */
function useTop(
  list: Pick<List<unknown>, "position" | "moves" | "length">,
  page: number,
  fromTop: boolean,
): number {
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
  return top;
}
