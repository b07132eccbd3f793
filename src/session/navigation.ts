/** The stack of open places of the console, and the moves on it. */
import { isSamePlace, isStep } from "./place-words.ts";
import type { Place } from "./places.ts";
import { createStore, type ReadStore } from "./store.ts";

/**
 * A place on the stack. The ID preserves the state of its screen while another screen covers it.
 */
export interface Stop {
  readonly id: number;
  readonly place: Place;
}

interface Stack {
  readonly stops: readonly Stop[];
  readonly nextId: number;
  /**
   * The stack at the latest place that is not a step (`isStep`), or null if there was none.
   */
  readonly here: readonly Stop[] | null;
  /** The stack at the place before that one, or null if there was none. */
  readonly last: readonly Stop[] | null;
}

/**
 * The maximum number of open screens. Above this number, the oldest screen except the outermost is
 * closed.
 */
const maxStops = 24;

type Move =
  | { readonly kind: "push"; readonly place: Place }
  | { readonly kind: "replace"; readonly place: Place }
  | { readonly kind: "back" }
  | { readonly kind: "last" }
  | { readonly kind: "go"; readonly places: readonly Place[] }
  | { readonly kind: "reset"; readonly places: readonly Place[] };

export interface Navigation {
  /** The stack, outermost first. */
  readonly stops: ReadStore<readonly Stop[]>;
  here(): Place | undefined;
  push(place: Place): void;
  replace(place: Place): void;
  back(): void;
  last(): Place | null;
  toLast(): void;
  /**
   * Replaces the stack. `places` begins with the outermost place. The current place becomes the
   * last place.
   */
  go(places: readonly Place[]): void;
  /** Replaces the stack, and drops the state of every screen and the last place. */
  reset(places: readonly Place[]): void;
}

function afterMove(stack: Stack, move: Move): Stack {
  if (move.kind === "reset") {
    return withStops({ ...stack, here: null, last: null }, stopsOf(stack, move.places));
  }
  return withStops(stack, movedStops(stack, move));
}

function movedStops(stack: Stack, move: Exclude<Move, { kind: "reset" }>): readonly Stop[] {
  const { stops } = stack;
  switch (move.kind) {
    case "push": {
      const next = [...stops, ...stopsOf(stack, [move.place])];
      return next.length > maxStops ? next.toSpliced(1, 1) : next;
    }
    case "replace": {
      const top = stops.at(-1);
      return top ? [...stops.slice(0, -1), { id: top.id, place: move.place }] : stops;
    }
    case "back":
      return stops.length > 1 ? stops.slice(0, -1) : stops;
    case "last":
      return stack.last ?? stops;
    case "go":
      return stopsOf(stack, move.places);
  }
}

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
export function createNavigation(start: readonly Place[]): Navigation {
  const empty: Stack = { stops: [], nextId: 1, here: null, last: null };
  let stack = afterMove(empty, { kind: "reset", places: start });
  const stops = createStore(stack.stops);
  const move = (next: Move) => {
    stack = afterMove(stack, next);
    stops.set(stack.stops);
  };
  return {
    stops,
    here: () => stack.stops.at(-1)?.place,
    push: (place) => move({ kind: "push", place }),
    replace: (place) => move({ kind: "replace", place }),
    back: () => move({ kind: "back" }),
    last: () => stack.last?.at(-1)?.place ?? null,
    toLast: () => move({ kind: "last" }),
    go: (places) => move({ kind: "go", places }),
    reset: (places) => move({ kind: "reset", places }),
  };
}
