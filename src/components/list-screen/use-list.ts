/**
 * React hooks for a list: its cursor, its saved settings, and its filtered and sorted rows.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { betweenEvents, inSlices, runToEnd } from "../../accounts/slices.ts";
import { useOpenSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import {
  createListMemory,
  type ListMemory,
  type ListPlace,
  type ListSettings,
} from "../../session/list-memory.ts";
import type { Store } from "../../session/store.ts";
import type { Column } from "./column.ts";
import { type ListModel, rowModel } from "./list-model.ts";
import { namesMarks } from "./row-filter.ts";
import { arraySource, type RowSource, shownRows } from "./row-source.ts";

export interface List<Row> extends ListModel<Row> {
  readonly position: number;
  readonly current: Row | null;
  moveTo(position: number): void;
  readonly moves: number;
  /** Returns the marked rows, or without marks what the row under the cursor represents. */
  chosen(): readonly Row[];
}

/**
 * Adds a cursor to a model of rows. With `place`, the cursor is saved there and survives the
 * screen. Otherwise it starts on the row `startId`, or on the first one.
 */
export function useList<Row>(
  model: ListModel<Row>,
  place?: { current: ListPlace },
  startId: string | null = null,
): List<Row> {
  const [cursor, setCursor] = useState<ListPlace & { readonly moves: number }>({
    ...(place?.current ?? { id: startId, position: 0 }),
    moves: 0,
  });
  const { length } = model;
  // Two rows can have one id, so the row at the previous position is checked first.
  const isUnmoved = cursor.id !== null && model.idAt(cursor.position) === cursor.id;
  const foundPosition = isUnmoved
    ? cursor.position
    : cursor.id === null
      ? -1
      : model.positionOf(cursor.id);
  const position = Math.max(
    0,
    Math.min(foundPosition >= 0 ? foundPosition : cursor.position, length - 1),
  );
  const latest = useRef(model);
  latest.current = model;
  const moveTo = useCallback(
    (next: number) => {
      const { length: rows, idAt } = latest.current;
      const bounded = Math.max(0, Math.min(next, rows - 1));
      const moved = { id: idAt(bounded), position: bounded };
      if (place !== undefined) place.current = moved;
      setCursor(({ moves }) => ({ ...moved, moves: moves + 1 }));
    },
    [place],
  );
  return {
    ...model,
    position,
    moveTo,
    current: model.at(position),
    moves: cursor.moves,
    chosen: () => (model.marks.count > 0 ? model.marked() : model.partsAt(position)),
  };
}

interface RowList<Row> {
  /** The name under which the settings of the list are saved during the session. */
  readonly name: string;
  readonly idOf: (row: Row) => string;
  /** Pass the same array while the columns are the same. */
  readonly columns: readonly Column<Row>[];
  readonly partsOf?: (row: Row) => readonly Row[];
  /** True if the screen is replaced while the list is read again. The cursor survives this. */
  readonly isReplaced?: true;
  /** The row on which the cursor starts. Default: the first one. */
  readonly startId?: string | null;
}

export function useRowList<Row>(of: RowList<Row> & { readonly rows: readonly Row[] }): List<Row> {
  const { rows, idOf } = of;
  const source = useMemo(() => arraySource(rows, idOf), [rows, idOf]);
  return useSourceList({ ...of, source });
}

export function useSourceList<Row>(
  of: RowList<Row> & { readonly source: RowSource<Row> },
): List<Row> {
  const { source, columns, idOf, partsOf } = of;
  const store = useListSettings<Row>(of.name);
  const settings = useStore(store);
  const { source: shownSource, shown, isWorking } = useShownRows(source, columns, settings, idOf);
  const model = useMemo(
    () =>
      rowModel({
        source: shownSource,
        columns,
        settings,
        set: store.set,
        shown,
        isWorking,
        idOf,
        partsOf,
      }),
    [shownSource, columns, settings, store, shown, isWorking, idOf, partsOf],
  );
  const place = useListMemory().placeOf(of.name);
  return useList(model, of.isReplaced ? place : undefined, of.startId);
}

/**
 * Returns the settings of a list by its name. Without a session, they last as long as the screen.
 */
export function useListSettings<Row>(name: string): Store<ListSettings<Row>> {
  const memory = useListMemory();
  return useMemo(() => memory.of<Row>(name), [memory, name]);
}

function useListMemory(): ListMemory {
  const session = useOpenSession();
  return useMemo(() => session?.lists ?? createListMemory(), [session]);
}

/**
 * Maximum length of a list that is filtered and sorted at once. Longer lists are processed between
 * other events.
 */
const maxAtOnce = 4_000;

interface Shown<Row> {
  readonly source: RowSource<Row>;
  readonly shown: Uint32Array | null;
  readonly isWorking: boolean;
}

/**
 * Finds the rows to show. For a long list, the previous rows are shown until the work is done. If
 * the rows change meanwhile, they are searched again afterwards.
 */
function useShownRows<Row>(
  source: RowSource<Row>,
  columns: readonly Column<Row>[],
  { filter, order, marks }: ListSettings<Row>,
  idOf: (row: Row) => string,
): Shown<Row> {
  // The marks change the rows only with this word.
  const filteredMarks = namesMarks(filter) ? marks : null;
  const isWhole = filter.trim() === "" && order.id === null && !order.descending;
  const isLong = !isWhole && source.length > maxAtOnce;
  const isMarked = useCallback(
    (row: Row) => filteredMarks?.has(idOf(row)) ?? false,
    [filteredMarks, idOf],
  );
  const near = useMemo(
    () => (isLong ? null : runToEnd(shownRows(source, columns, { filter, order }, isMarked))),
    [source, columns, filter, order, isLong, isMarked],
  );
  const wanted = useMemo(
    () => ({ columns, filter, order, isMarked }),
    [columns, filter, order, isMarked],
  );
  const [result, setResult] = useState<(Omit<Shown<Row>, "isWorking"> & { of: unknown }) | null>(
    null,
  );
  const running = useRef<unknown>(null);
  // Runs after every render. A new source is searched when the previous search is done.
  useEffect(() => {
    const isCurrent = result?.of === wanted && result.source === source;
    if (!isLong || isCurrent || running.current === wanted) return;
    running.current = wanted;
    const isOver = () => running.current !== wanted;
    const find = async () => {
      const work = shownRows(source, wanted.columns, wanted, wanted.isMarked);
      const shown = await inSlices(work, betweenEvents, isOver);
      if (isOver()) return;
      running.current = null;
      setResult({ of: wanted, source, shown });
    };
    void find();
  });
  useEffect(
    () => () => {
      running.current = null;
    },
    [],
  );
  if (!isLong) return { source, shown: near, isWorking: false };
  if (result === null) return { source, shown: null, isWorking: true };
  return {
    source: result.source,
    shown: result.shown,
    isWorking: result.of !== wanted,
  };
}
