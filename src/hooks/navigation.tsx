import { createContext, type ReactNode, useContext, useMemo, useReducer } from "react";
import type { Place } from "./places.ts";

/** A place on the stack; the id keeps its screen's state alive while it is covered. */
export interface Stop {
  readonly id: number;
  readonly place: Place;
}

interface Stack {
  readonly stops: readonly Stop[];
  readonly nextId: number;
}

type Step =
  | { readonly kind: "push"; readonly place: Place }
  | { readonly kind: "replace"; readonly place: Place }
  | { readonly kind: "back" }
  | { readonly kind: "reset"; readonly places: readonly Place[] };

/** How screens move: the stack grows by `push`, shrinks by `back`. */
export interface Navigation {
  readonly stops: readonly Stop[];
  push(place: Place): void;
  /** Changes the top place and keeps its screen, for example another tab of the same list. */
  replace(place: Place): void;
  back(): void;
  /** A new stack, outermost first; every screen's state is dropped. */
  reset(places: readonly Place[]): void;
}

function step(stack: Stack, move: Step): Stack {
  switch (move.kind) {
    case "push":
      return {
        stops: [...stack.stops, { id: stack.nextId, place: move.place }],
        nextId: stack.nextId + 1,
      };
    case "replace": {
      const top = stack.stops.at(-1);
      if (!top) return stack;
      return { ...stack, stops: [...stack.stops.slice(0, -1), { id: top.id, place: move.place }] };
    }
    case "back":
      return stack.stops.length > 1 ? { ...stack, stops: stack.stops.slice(0, -1) } : stack;
    case "reset":
      return {
        stops: move.places.map((place, index) => ({ id: stack.nextId + index, place })),
        nextId: stack.nextId + move.places.length,
      };
  }
}

const NavigationContext = createContext<Navigation | null>(null);

/** Holds the stack of places; `start` is outermost first and never empty. */
export function NavigationProvider(props: {
  readonly start: readonly Place[];
  readonly children: ReactNode;
}) {
  const [stack, dispatch] = useReducer(step, props.start, (places) =>
    step({ stops: [], nextId: 1 }, { kind: "reset", places }),
  );
  const navigation = useMemo<Navigation>(
    () => ({
      stops: stack.stops,
      push: (place) => dispatch({ kind: "push", place }),
      replace: (place) => dispatch({ kind: "replace", place }),
      back: () => dispatch({ kind: "back" }),
      reset: (places) => dispatch({ kind: "reset", places }),
    }),
    [stack],
  );
  return <NavigationContext value={navigation}>{props.children}</NavigationContext>;
}

/** The stack and the ways to move on it. */
export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error("useNavigation needs a NavigationProvider above it");
  return navigation;
}
