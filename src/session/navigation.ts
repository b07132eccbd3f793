/** The stack of open places of the console, and the moves on it. */
import { isSamePlace, isStep } from "./place-words.ts";
import type { Place } from "./places.ts";
import { createStore, type ReadStore } from "./store.ts";

/** A place on the stack. The ID preserves its screen's state while another screen covers it. */
export interface Stop {
  readonly id: number;
  readonly place: Place;
}

interface Stack {
  readonly stops: readonly Stop[];
  readonly nextId: number;
  /** The stack at the latest place that is not a step (`isStep`), or null if there was none. */
  readonly here: readonly Stop[] | null;
  /** The stack at the place before that one, or null if there was none. */
  readonly last: readonly Stop[] | null;
}

/** Maximum open screens. Above it, the oldest screen except the outermost is closed. */
const maxStops = 24;

function stopsOf(stack: Stack, places: readonly Place[]): readonly Stop[] {
  return places.map((place, index) => ({ id: stack.nextId + index, place }));
}

/**
 * Returns the stack with these stops, and updates the places to return to. Forms and reviews are
 * steps, to which the console does not return. Two tabs of one screen are one place.
 */
function withStops(stack: Stack, stops: readonly Stop[]): Stack {
  if (stops === stack.stops) return stack;
  const nextId = Math.max(stack.nextId, ...stops.map(({ id }) => id + 1));
  const top = stops.at(-1)?.place;
  if (!top || isStep(top)) return { ...stack, stops, nextId };
  const before = stack.here?.at(-1)?.place;
  const last = !before || isSamePlace(before, top) ? stack.last : stack.here;
  return { stops, nextId, here: stops, last };
}

/** Creates the stack of places. `start` begins with the outermost place and is never empty. */
export function createNavigation(start: readonly Place[]) {
  const empty: Stack = { stops: [], nextId: 1, here: null, last: null };
  let stack = withStops(empty, stopsOf(empty, start));
  const stops = createStore(stack.stops);
  const move = (next: readonly Stop[], from = stack) => {
    stack = withStops(from, next);
    stops.set(stack.stops);
  };
  return {
    /** The stack, outermost first. */
    stops: stops as ReadStore<readonly Stop[]>,
    here: () => stack.stops.at(-1)?.place,
    push(place: Place) {
      const next = [...stack.stops, ...stopsOf(stack, [place])];
      move(next.length > maxStops ? next.toSpliced(1, 1) : next);
    },
    replace(place: Place) {
      const top = stack.stops.at(-1);
      if (top) move([...stack.stops.slice(0, -1), { id: top.id, place }]);
    },
    back() {
      if (stack.stops.length > 1) move(stack.stops.slice(0, -1));
    },
    last: () => stack.last?.at(-1)?.place ?? null,
    toLast: () => move(stack.last ?? stack.stops),
    /** Replaces the stack. `places` begins with the outermost place, and the last is current. */
    go: (places: readonly Place[]) => move(stopsOf(stack, places)),
    /** Replaces the stack, and drops the state of every screen and the last place. */
    reset: (places: readonly Place[]) =>
      move(stopsOf(stack, places), { ...stack, here: null, last: null }),
  };
}

export type Navigation = ReturnType<typeof createNavigation>;
