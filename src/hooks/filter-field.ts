import { useRef, useState } from "react";
import type { Actions } from "../keys/scopes.ts";
import { useApp } from "./app.tsx";
import { useKeys } from "./keys.tsx";

/** The lists that share their earlier filters. */
type FilteredList = "accounts" | "activity" | "watch" | "reconcile";

/** The filter above a list, and the keys that start and clear it. */
export interface FilterField {
  readonly text: string;
  readonly typing: boolean;
  readonly set: (text: string) => void;
  readonly begin: () => void;
  /** For the list itself: clears a filter that was applied. */
  readonly clearing: Actions;
}

/**
 * A filter that is typed above a list. The arrows call up earlier filters; the other keys of
 * `moving` move the list.
 */
export function useFilterField(
  list: FilteredList,
  options: {
    readonly text: string;
    readonly set: (text: string) => void;
    readonly focus: boolean;
    readonly moving: Actions;
  },
): FilterField {
  const { text, set, focus, moving } = options;
  const [typing, setTyping] = useState(false);
  const earlier = useFilterHistory(list, text, set);
  useKeys(
    {
      ...moving,
      ...earlier.actions,
      open: {
        run: () => {
          earlier.keep(text);
          setTyping(false);
        },
        label: "keep filter",
      },
      back: {
        run: () => {
          setTyping(false);
          set("");
        },
        label: "clear filter",
      },
    },
    { typing: true, active: typing && focus, modal: true },
  );
  return {
    text,
    typing,
    set,
    begin: () => setTyping(true),
    clearing: text === "" ? {} : { back: { run: () => set(""), label: "clear filter" } },
  };
}

/** The earlier filters of a field. */
interface FilterHistory {
  /** Up calls up older filters, down newer ones, and at the end what was typed. */
  readonly actions: Actions;
  /** Remembers a filter that was applied. */
  keep(text: string): void;
}

/** The filters of one kind of list, across sessions. `set` puts a filter into the field. */
function useFilterHistory(
  list: FilteredList,
  text: string,
  set: (text: string) => void,
): FilterHistory {
  const { history } = useApp();
  const place = useRef({ at: -1, typed: "", shown: "" });
  const step = (by: number) => {
    const known = history.state.get().filters[list] ?? [];
    // Typing restarts the walk through the history.
    if (place.current.shown !== text) place.current = { at: -1, typed: text, shown: text };
    const { at, typed } = place.current;
    const others = known.filter((one) => one !== typed);
    const next = Math.max(-1, Math.min(others.length - 1, at + by));
    const shown = others[next] ?? typed;
    place.current = { at: next, typed, shown };
    if (shown === text) return;
    set(shown);
  };
  return {
    actions: {
      up: { run: () => step(1), label: "earlier filter" },
      down: { run: () => step(-1), label: "later filter" },
    },
    keep: (kept) => history.addFilter(list, kept),
  };
}
