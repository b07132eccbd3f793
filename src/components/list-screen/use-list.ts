import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { atOnce, betweenEvents, inSlices } from "../../accounts/slices.ts";
import { useSessionState } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { createListMemory, type ListSettings } from "../../session/list-memory.ts";
import type { Store } from "../../session/store.ts";
import type { Column } from "./column.ts";
import { type ListModel, rowModel } from "./list-model.ts";
import { arraySource, type RowSource, shownRows } from "./row-source.ts";

/** A list with its cursor, which stays on the same row by its id. */
export interface List<Row> extends ListModel<Row> {
  readonly position: number;
  /** The row under the cursor; null in an empty list. */
  readonly current: Row | null;
  moveTo(position: number): void;
  /** How often the cursor was moved by a key. */
  readonly moves: number;
  /** The marked rows, else the row under the cursor. */
  chosen(): readonly Row[];
}

/** Adds a cursor to a model of rows. */
export function useList<Row>(model: ListModel<Row>): List<Row> {
  const [held, setHeld] = useState<{ id: string | null; position: number; moves: number }>({
    ...{ id: null, position: 0, moves: 0 },
  });
  const { length } = model;
  // An id can be listed twice: the row that it was taken from comes first.
  const stays = held.id !== null && model.idAt(held.position) === held.id;
  const found = stays ? held.position : held.id === null ? -1 : model.positionOf(held.id);
  const position = Math.max(0, Math.min(found >= 0 ? found : held.position, length - 1));
  const latest = useRef(model);
  latest.current = model;
  const moveTo = useCallback((next: number) => {
    const { length: rows, idAt } = latest.current;
    const bounded = Math.max(0, Math.min(next, rows - 1));
    setHeld(({ moves }) => ({ id: idAt(bounded), position: bounded, moves: moves + 1 }));
  }, []);
  const current = model.at(position);
  return {
    ...model,
    ...{ position, current, moveTo },
    moves: held.moves,
    chosen: () => (model.marks.count > 0 ? model.marked() : current === null ? [] : [current]),
  };
}

/** What a list of rows is made of. */
interface RowList<Row> {
  /** The settings of the list are saved under it while the session lasts. */
  readonly name: string;
  readonly idOf: (row: Row) => string;
  /** The same as long as they show the same. */
  readonly columns: readonly Column<Row>[];
  /** The rows that are marked in place of one that stands for several. */
  readonly partsOf?: (row: Row) => readonly Row[];
}

/** A list of rows that are all in memory, with its cursor. */
export function useRowList<Row>(of: RowList<Row> & { readonly rows: readonly Row[] }): List<Row> {
  const { rows, idOf } = of;
  const source = useMemo(() => arraySource(rows, idOf), [rows, idOf]);
  return useSourceList({ ...of, source });
}

/** A list of rows that are made when they are asked for, with its cursor. */
export function useSourceList<Row>(
  of: RowList<Row> & { readonly source: RowSource<Row> },
): List<Row> {
  const { source, columns, idOf, partsOf } = of;
  const store = useListSettings<Row>(of.name);
  const settings = useStore(store);
  const { shown, isWorking } = useShownRows(source, columns, settings);
  const model = useMemo(
    () => rowModel({ source, columns, settings, set: store.set, shown, isWorking, idOf, partsOf }),
    [source, columns, settings, store, shown, isWorking, idOf, partsOf],
  );
  return useList(model);
}

/** The settings of a list by its name; those of a console without a session last as long as its screen. */
export function useListSettings<Row>(name: string): Store<ListSettings<Row>> {
  const state = useSessionState();
  const session = state.kind === "open" ? state.session : null;
  return useMemo(() => (session?.lists ?? createListMemory()).of<Row>(name), [session, name]);
}

/** Lists up to this length are filtered and sorted at once, longer ones between other events. */
const mostAtOnce = 4_000;

/** Finds the rows to show. Those of a long list are the earlier ones until the work is done. */
function useShownRows<Row>(
  source: RowSource<Row>,
  columns: readonly Column<Row>[],
  { filter, order }: ListSettings<Row>,
): { readonly shown: Uint32Array | null; readonly isWorking: boolean } {
  const isWhole = filter.trim() === "" && order.id === null && !order.descending;
  const isLong = !isWhole && source.length > mostAtOnce;
  const wanted = useMemo(
    () => ({ source, columns, filter, order }),
    [source, columns, filter, order],
  );
  const near = useMemo(
    () => (isLong ? null : atOnce(shownRows(source, columns, wanted))),
    [source, columns, wanted, isLong],
  );
  const [found, setFound] = useState<{ of: typeof wanted; shown: Uint32Array | null } | null>(null);
  useEffect(() => {
    if (!isLong) return;
    const stop = new AbortController();
    const { signal } = stop;
    const find = async () => {
      const work = shownRows(wanted.source, wanted.columns, wanted);
      const shown = await inSlices(work, betweenEvents, () => signal.aborted);
      if (!signal.aborted) setFound({ of: wanted, shown });
    };
    void find();
    return () => stop.abort();
  }, [wanted, isLong]);
  if (!isLong) return { shown: near, isWorking: false };
  // Rows of another source are others.
  const shown = found?.of.source === source ? found.shown : null;
  return { shown, isWorking: found?.of !== wanted };
}
