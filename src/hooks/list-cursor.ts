import { useEffect, useState } from "react";
import type { Actions } from "../keys/scopes.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { useApp } from "./app.tsx";
import { useActive } from "./window.tsx";

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
  readonly to: (top: number) => void;
  readonly actions: Actions;
}

/** A scroll position over `length` lines of which `page` are visible. */
export function useScroll(length: number, page: number): Scroll {
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, length - page);
  const top = Math.min(wanted, last);
  const to = (next: number) => setWanted(Math.max(0, Math.min(next, last)));
  return { top, to, actions: moving({ from: top, last, page, to }) };
}

/** Returns the keys that move a position. `to` limits it to its bounds. */
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
function halfOf(page: number): number {
  return Math.max(1, Math.floor(page / 2));
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

/** Milliseconds after which a cursor counts as at rest. */
const restMs = 300;

/**
 * Returns the last value that stayed for a moment, by its `key`, or null before the first one. Use
 * it for values that cost a request or a lot of drawing, and are not needed for rows that the
 * cursor only passes.
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
