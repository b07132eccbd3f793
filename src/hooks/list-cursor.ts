import { useCallback, useEffect, useMemo, useState } from "react";
import type { Actions } from "../keys/scopes.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { useApp } from "./app.tsx";
import { useNumbered } from "./numbered.tsx";
import { useActive, useLinear } from "./window.tsx";

/** A cursor over a list whose rows can move: the identity of a row, and its last position. */
interface ListCursor {
  readonly position: number;
  /** First visible position. */
  readonly top: number;
  /** The keys that move the cursor. */
  readonly actions: Actions;
  moveTo(position: number): void;
}

/**
 * Keeps a cursor on the same row by identity. `positionOf` returns the row's position now, or -1
 * when it is no longer listed; then the cursor keeps its position. `page` is the number of visible
 * rows.
 */
export function useListCursor(options: {
  readonly length: number;
  readonly page: number;
  readonly idAt: (position: number) => string | null;
  readonly positionOf: (id: string) => number;
}): ListCursor {
  const { length, page, idAt, positionOf } = options;
  const linear = useLinear();
  const [held, setHeld] = useState<{ id: string | null; position: number; top: number }>({
    id: null,
    position: 0,
    top: 0,
  });
  // An identity can be listed twice: the row that it was taken from comes first.
  const stays = held.id !== null && held.position < length && idAt(held.position) === held.id;
  const found = stays ? held.position : held.id === null ? -1 : positionOf(held.id);
  const position = Math.max(0, Math.min(found >= 0 ? found : held.position, length - 1));
  // The row keeps its line on the screen when rows appear or disappear above it.
  const drifted = Math.max(0, held.top + (position - held.position));
  // A linear list moves page by page, so that no row is read twice.
  const top = linear
    ? Math.floor(position / page) * page
    : visibleTop(drifted, position, page, length);
  const moveTo = useCallback(
    (next: number) => {
      const bounded = Math.max(0, Math.min(next, length - 1));
      setHeld({
        id: idAt(bounded),
        position: bounded,
        top: visibleTop(top, bounded, page, length),
      });
    },
    [idAt, length, page, top],
  );
  useNumbered({ count: length, choose: moveTo });
  const actions = useMemo(
    () => moving({ from: position, last: length - 1, page, to: moveTo }),
    [moveTo, position, page, length],
  );
  return { position, top, actions, moveTo };
}

/** A cursor over rows that are all at hand. */
interface RowCursor<Row> extends ListCursor {
  /** The row under the cursor. */
  readonly current: Row | null;
  /** The rows in view, for a table. */
  readonly visible: readonly { readonly id: string; readonly row: Row }[];
}

/** Keeps a cursor on one of these rows by its `idOf`, which has to be the same function each time. */
export function useRowCursor<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  page: number,
): RowCursor<Row> {
  const ids = useMemo(() => rows.map(idOf), [rows, idOf]);
  const positions = useMemo(() => new Map(ids.map((id, at) => [id, at])), [ids]);
  const cursor = useListCursor({
    length: rows.length,
    page,
    idAt: useCallback((at: number) => ids[at] ?? null, [ids]),
    positionOf: useCallback((id: string) => positions.get(id) ?? -1, [positions]),
  });
  const { top, position } = cursor;
  const visible = useMemo(
    () => rows.slice(top, top + page).map((row) => ({ id: idOf(row), row })),
    [rows, idOf, top, page],
  );
  return { ...cursor, current: rows[position] ?? null, visible };
}

/** Returns the first visible position: `top`, moved as little as the cursor needs. */
export function visibleTop(top: number, position: number, page: number, length: number): number {
  const lowest = Math.max(0, length - page);
  let next = Math.min(top, lowest);
  if (position < next) next = position;
  if (position >= next + page) next = position - page + 1;
  return Math.max(0, next);
}

/** Scrolling through lines of text: first visible line and the keys that move it. */
interface Scroll {
  readonly top: number;
  readonly actions: Actions;
}

/** A scroll position over `length` lines of which `page` are visible. */
export function useScroll(length: number, page: number): Scroll {
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, length - page);
  const top = Math.min(wanted, last);
  const to = (next: number) => setWanted(Math.max(0, Math.min(next, last)));
  return { top, actions: moving({ from: top, last, page, to }) };
}

/** The keys that move a position; `to` keeps it within its bounds. */
export function moving(options: {
  readonly from: number;
  readonly last: number;
  readonly page: number;
  readonly to: (position: number) => void;
}): Actions {
  const { from, last, page, to } = options;
  return {
    up: () => to(from - 1),
    down: () => to(from + 1),
    "page-up": () => to(from - page),
    "page-down": () => to(from + page),
    "half-page-up": () => to(from - halfOf(page)),
    "half-page-down": () => to(from + halfOf(page)),
    top: () => to(0),
    bottom: () => to(last),
  };
}

/** Half a page of lines, at least one. */
export function halfOf(page: number): number {
  return Math.max(1, Math.floor(page / 2));
}

/** Marks on rows by their ids. */
export function useMarks<Id>() {
  const [marks, setMarks] = useState<ReadonlySet<Id>>(new Set());
  return {
    marks,
    set: (ids: Iterable<Id>) => setMarks(new Set(ids)),
    add: (ids: Iterable<Id>) => setMarks(new Set([...marks, ...ids])),
    toggle(id: Id) {
      const next = new Set(marks);
      if (!next.delete(id)) next.add(id);
      setMarks(next);
    },
  };
}

/**
 * The keys that mark a range: the row under the cursor and the next one, which the cursor moves to.
 * `mark` marks rows by their positions; those that are marked stay so.
 */
export function rangeMarks(options: {
  readonly position: number;
  readonly length: number;
  readonly moveTo: (position: number) => void;
  readonly mark: (positions: readonly number[]) => void;
}): Actions {
  const { position, length, moveTo, mark } = options;
  if (length === 0) return {};
  const extend = (step: 1 | -1) => () => {
    const next = Math.max(0, Math.min(length - 1, position + step));
    mark(next === position ? [position] : [position, next]);
    moveTo(next);
  };
  return { "mark-down": extend(1), "mark-up": extend(-1) };
}

/** A cursor that stays this long has come to rest, in milliseconds. */
const restMs = 300;

/**
 * The last value that stayed for a moment, by its `key`; null before the first one. For what costs a
 * request or a lot of drawing, and is not wanted for rows that the cursor only passes.
 */
export function useRested<T>(value: T, key: string): T | null {
  const { clock } = useApp();
  const active = useActive();
  const [rested, setRested] = useState<T | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same value is another object with each frame
  useEffect(() => {
    if (!active) return;
    return runUntilCleanup((signal) => clock.sleep(restMs, signal).then(() => setRested(value)));
  }, [clock, active, key]);
  return rested;
}
