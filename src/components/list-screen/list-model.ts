/** The model of a list: its rows, filter, order and marks, without their display. */
import type { ListOrder, ListSettings } from "../../session/list-memory.ts";
import { count } from "../../text/numbers.ts";
import type { Column } from "./column.ts";
import { rowFilter, rowWords } from "./row-filter.ts";
import type { RowSource } from "./row-source.ts";

/** An order that a list offers. Its id is null for the built-in order. */
export interface OrderChoice {
  readonly id: string | null;
  readonly name: string;
  /** The first direction. Default: the direction of the previous order. */
  readonly begins?: "descending";
  /** The name of the other direction in a sentence. Default: `reversed`. */
  readonly reversed?: string;
}

/**
 * The rows of a list as shown: filtered, ordered and marked. Every position is an index of the
 * shown rows.
 */
export interface ListModel<Row> {
  readonly columns: readonly Column<Row>[];
  readonly length: number;
  readonly total: number;
  at(position: number): Row | null;
  /** Returns the row at a position, or the rows that this row represents. */
  partsAt(position: number): readonly Row[];
  idAt(position: number): string | null;
  /** Returns the position of a row, or -1 if it is not shown. */
  positionOf(id: string): number;
  readonly filter: {
    readonly text: string;
    readonly problem: string | null;
    /** True while the list still shows the result of the previous filter or order. */
    readonly isWorking: boolean;
    readonly words: readonly string[];
  };
  setFilter(text: string): void;
  readonly order: ListOrder;
  readonly orders: readonly OrderChoice[];
  setOrder(order: ListOrder): void;
  readonly marks: { readonly count: number; readonly hidden: number };
  isMarked(position: number): boolean;
  /** Returns at most `most` marked rows: first the shown rows in order, then the hidden rows. */
  marked(most?: number): readonly Row[];
  mark(positions: readonly number[]): void;
  toggleMark(position: number): void;
  markAll(): void;
  readonly areAllMarked: boolean;
  readonly unmarkable: string | null;
  unmark(): void;
}

/** Maximum number of rows that are marked at once. More would block the keys. */
const maxMarked = 100_000;

const builtInOrder: OrderChoice = { id: null, name: "the list's own order" };

export interface RowModelParts<Row> {
  readonly source: RowSource<Row>;
  readonly columns: readonly Column<Row>[];
  readonly settings: ListSettings<Row>;
  readonly set: (settings: ListSettings<Row>) => void;
  /** The indexes of the shown rows, or null if every row is shown in its order. */
  readonly shown: Uint32Array | null;
  /** True while the filter or the order is still being applied. Default: false. */
  readonly isWorking?: boolean;
  /**
   * Returns the rows that are marked instead of a row that represents several. Default: the row.
   */
  readonly partsOf?: ((row: Row) => readonly Row[]) | undefined;
  readonly idOf: (row: Row) => string;
}

export function rowModel<Row>(parts: RowModelParts<Row>): ListModel<Row> {
  const { source, columns, settings, set, shown, idOf, isWorking = false } = parts;
  const { filter, order, marks } = settings;
  const length = shown?.length ?? source.length;
  const query = rowFilter(filter, columns, (row) => marks.has(idOf(row)));
  const partsOf = parts.partsOf ?? ((row: Row) => [row]);
  const indexAt = (position: number) => shown?.[position] ?? position;
  const at = (position: number) =>
    position >= 0 && position < length ? source.at(indexAt(position)) : null;
  const positionOf = (id: string) => {
    const index = source.indexOf(id);
    return index < 0 || shown === null ? index : shown.indexOf(index);
  };
  const areAllPartsMarked = (row: Row) => partsOf(row).every((part) => marks.has(idOf(part)));
  const isMarked = (position: number) => {
    const row = marks.size === 0 ? null : at(position);
    return row !== null && areAllPartsMarked(row);
  };
  const setMarks = (next: ReadonlyMap<string, Row>) => set({ ...settings, marks: next });
  const rowsAt = function* (positions: Iterable<number>) {
    for (const position of positions) {
      const row = at(position);
      if (row !== null) yield* partsOf(row);
    }
  };
  const withRows = (rows: Iterable<Row>) => {
    const next = new Map(marks);
    for (const row of rows) next.set(idOf(row), row);
    return next;
  };
  const allPositions = () => Array.from({ length }, (_, position) => position);
  let cachedMarks: ReadonlyMap<string, Row> | null = null;
  // The marked rows that are shown, computed on first use. If the rows are not in memory, a marked
  // row that matches the filter counts as shown.
  const shownMarks = () => {
    if (cachedMarks !== null) return cachedMarks;
    const rowsFound = new Map<string, Row>();
    const rows = source.isInMemory ? rowsAt(allPositions()) : marks.values();
    for (const row of marks.size === 0 ? [] : rows) {
      const id = idOf(row);
      if (marks.has(id) && (source.isInMemory || query.matches(row))) rowsFound.set(id, row);
    }
    cachedMarks = rowsFound;
    return cachedMarks;
  };
  const areAllMarked = marks.size >= length && length > 0 && everyMarked(length, isMarked);
  return {
    columns,
    length,
    total: source.length,
    at,
    partsAt: (position) => [...rowsAt([position])],
    idAt: (position) =>
      position >= 0 && position < length ? source.idAt(indexAt(position)) : null,
    positionOf,
    filter: { text: filter, problem: query.problem, isWorking, words: rowWords(columns) },
    setFilter: (text) => set({ ...settings, filter: text }),
    order,
    orders: [
      builtInOrder,
      ...columns
        .filter(({ picture, width }) => !picture && width > 0)
        .map(({ id, title }) => orderOf(id, title)),
    ],
    setOrder: (next) => set({ ...settings, order: next }),
    marks: {
      count: marks.size,
      get hidden() {
        return marks.size - shownMarks().size;
      },
    },
    isMarked,
    marked(most = Number.POSITIVE_INFINITY) {
      const shownRows = shownMarks();
      const hidden = [...marks].filter(([id]) => !shownRows.has(id)).map(([, row]) => row);
      return [...shownRows.values(), ...hidden].slice(0, most);
    },
    mark: (positions) => setMarks(withRows(rowsAt(positions))),
    toggleMark(position) {
      if (!isMarked(position)) {
        setMarks(withRows(rowsAt([position])));
        return;
      }
      const next = new Map(marks);
      for (const row of rowsAt([position])) next.delete(idOf(row));
      setMarks(next);
    },
    markAll: () => setMarks(areAllMarked ? new Map() : withRows(rowsAt(allPositions()))),
    areAllMarked,
    unmarkable: isWorking
      ? "The filter is still being applied."
      : length > maxMarked
        ? `At most ${count(maxMarked)} rows can be marked.`
        : null,
    unmark: () => setMarks(new Map()),
  };
}

function everyMarked(length: number, isMarked: (position: number) => boolean): boolean {
  for (let position = 0; position < length; position++) if (!isMarked(position)) return false;
  return true;
}

function orderOf(id: string, title: string): OrderChoice {
  return { id, name: (title.trim() === "" ? id : title.trim()).toLowerCase() };
}
