/** The cursor of lists and documents: its moves, its scrolling, and the marks of a range. */
import { useEffect, useState } from "react";
import type { Actions } from "../keys/scopes.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { useApp } from "./app.tsx";
import { useActive } from "./window.tsx";

/** Moves `top` only as far as needed to show the cursor. */
export function visibleTop(top: number, position: number, page: number, length: number): number {
  const lastTop = Math.max(0, length - page);
  let next = Math.min(top, lastTop);
  if (position < next) next = position;
  if (position >= next + page) next = position - page + 1;
  return Math.max(0, next);
}

interface Scroll {
  readonly top: number;
  readonly to: (top: number) => void;
  readonly actions: Actions;
}

export function useScroll(length: number, page: number): Scroll {
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, length - page);
  const top = Math.min(wanted, last);
  const to = (next: number) => setWanted(Math.max(0, Math.min(next, last)));
  return { top, to, actions: moveActions({ from: top, last, page, to }) };
}

/** Returns the keys that move a position. `to` must limit the position to its bounds. */
export function moveActions(options: {
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

function halfOf(page: number): number {
  return Math.max(1, Math.floor(page / 2));
}

/**
 * Returns the keys that mark the row under the cursor and the next row, and move the cursor there.
 * `mark` marks rows by their positions. Marked rows stay marked.
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

const debounceMs = 300;

/**
 * Returns the last value whose `key` did not change for `debounceMs`, or null before the first. Use
 * it for values that cost a request or much drawing, so that rows are skipped while the cursor
 * moves.
 */
export function useDebounced<T>(value: T, key: string): T | null {
  const { clock } = useApp();
  const active = useActive();
  const [debounced, setDebounced] = useState<T | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same value is another object with each frame
  useEffect(() => {
    if (!active) return;
    return runUntilCleanup((signal) =>
      clock.sleep(debounceMs, signal).then(() => setDebounced(value)),
    );
  }, [clock, active, key]);
  return debounced;
}
