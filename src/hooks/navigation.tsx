import { createContext, type ReactNode, useMemo, useReducer } from "react";
import type { Actions } from "../keys/scopes.ts";
import { isSamePlace, isStep, type Place } from "../session/places.ts";
import { useApp } from "./app.tsx";
import { useRequired } from "./context.ts";

/** A place on the stack; its id keeps the state of its screen while it is covered. */
interface Stop {
  readonly id: number;
  readonly place: Place;
}

interface Stack {
  readonly stops: readonly Stop[];
  readonly nextId: number;
  /** The stack at the last place that was on top, and at the place before that one. */
  readonly here: readonly Stop[] | null;
  readonly last: readonly Stop[] | null;
}

type Step =
  | { readonly kind: "push"; readonly place: Place }
  | { readonly kind: "replace"; readonly place: Place }
  | { readonly kind: "back" }
  | { readonly kind: "last" }
  | { readonly kind: "go"; readonly places: readonly Place[] }
  | { readonly kind: "reset"; readonly places: readonly Place[] };

/** How screens change: `push` adds a place to the stack, `back` removes it. */
interface Navigation {
  readonly stops: readonly Stop[];
  push(place: Place): void;
  /** Changes the top place and keeps its screen, for example for another tab of a list. */
  replace(place: Place): void;
  back(): void;
  /** The place before this one, in any stack; null when there is none. */
  readonly last: Place | null;
  toLast(): void;
  /** A new stack, outermost first; the current place becomes the last place. */
  go(places: readonly Place[]): void;
  /** A new stack, outermost first; drops the state of every screen and the last place. */
  reset(places: readonly Place[]): void;
}

function step(stack: Stack, move: Step): Stack {
  if (move.kind === "reset") {
    return settled({ ...stack, here: null, last: null }, stopsOf(stack, move.places));
  }
  return settled(stack, moved(stack, move));
}

function moved(stack: Stack, move: Exclude<Step, { kind: "reset" }>): readonly Stop[] {
  const { stops } = stack;
  switch (move.kind) {
    case "push":
      return [...stops, ...stopsOf(stack, [move.place])];
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
 * The stack with these stops. Forms and reviews are steps, not places to return to, and two tabs of
 * one screen are one place.
 */
function settled(stack: Stack, stops: readonly Stop[]): Stack {
  if (stops === stack.stops) return stack;
  const nextId = Math.max(stack.nextId, ...stops.map(({ id }) => id + 1));
  const top = stops.at(-1)?.place;
  if (!top || isStep(top)) return { ...stack, stops, nextId };
  const before = stack.here?.at(-1)?.place;
  const last = !before || isSamePlace(before, top) ? stack.last : stack.here;
  return { stops, nextId, here: stops, last };
}

const NavigationContext = createContext<Navigation | null>(null);

/** Holds the stack of places; `start` is outermost first and never empty. */
export function NavigationProvider(props: {
  readonly start: readonly Place[];
  readonly children: ReactNode;
}) {
  const [stack, dispatch] = useReducer(step, props.start, (places) =>
    step({ stops: [], nextId: 1, here: null, last: null }, { kind: "reset", places }),
  );
  const navigation = useMemo<Navigation>(
    () => ({
      stops: stack.stops,
      push: (place) => dispatch({ kind: "push", place }),
      replace: (place) => dispatch({ kind: "replace", place }),
      back: () => dispatch({ kind: "back" }),
      last: stack.last?.at(-1)?.place ?? null,
      toLast: () => dispatch({ kind: "last" }),
      go: (places) => dispatch({ kind: "go", places }),
      reset: (places) => dispatch({ kind: "reset", places }),
    }),
    [stack],
  );
  return <NavigationContext value={navigation}>{props.children}</NavigationContext>;
}

/** The stack, and the ways to move on it. */
export function useNavigation(): Navigation {
  return useRequired(NavigationContext, "NavigationProvider");
}

/** The keys that open an account or a supply point by its number, listed or not. */
export function useOpenByNumber(supplier: string): Pick<Actions, "account" | "supply-point"> {
  const navigation = useNavigation();
  const { overlays } = useApp();
  const ask = (title: string, label: string, hint: string, placeOf: (number: string) => Place) =>
    overlays.prompt({
      ...{ title, label, hint },
      onSubmit: (number) => {
        if (number === "") return "Type or paste it first.";
        if (number === "." || number === "..") return `${number} cannot be part of an address.`;
        navigation.push(placeOf(number));
        return null;
      },
    });
  return {
    account: () =>
      ask(
        `Open an account of ${supplier}`,
        "External account number",
        "Works for accounts that are on no list too.",
        (account) => ({ kind: "account", supplier, account }),
      ),
    "supply-point": () =>
      ask(
        `Open a supply point of ${supplier}`,
        "External identifier",
        "The identifier its import was created with.",
        (identifier) => ({ kind: "supply-point", supplier, identifier }),
      ),
  };
}
