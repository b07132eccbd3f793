/** Manages the filter that the user types above a list, and its earlier filters. */
import { useRef, useState } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { recentlyUsed } from "../../state/used.ts";

/** The filter above a list, and the keys that start and clear it. */
export interface FilterField {
  readonly text: string;
  readonly typing: boolean;
  readonly set: (text: string) => void;
  readonly begin: () => void;
  /** The action that clears an applied filter. Empty if there is no filter. */
  readonly clearing: Actions;
  /** The actions while a filter is typed: they apply, clear or recall a filter. */
  readonly whileTyping: Actions;
}

/** Returns the filter field of a list. Lists with the same name share their earlier filters. */
export function useFilterField(
  list: string,
  { text, set }: { readonly text: string; readonly set: (text: string) => void },
): FilterField {
  const [typing, setTyping] = useState(false);
  const earlier = useFilterHistory(list, text, set);
  return {
    text,
    typing,
    set,
    begin: () => setTyping(true),
    clearing: text === "" ? {} : { back: { run: () => set(""), label: "clear filter" } },
    whileTyping: {
      ...earlier.actions,
      open: {
        run: () => {
          earlier.save(text);
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
  };
}

/**
 * Registers the keys that work while a filter is typed. `moving` has the keys that move the cursor
 * of the list.
 */
export function useFilterKeys(field: FilterField, moving: Actions, focus: boolean): void {
  useKeys(
    { ...moving, ...field.whileTyping },
    { typing: true, active: field.typing && focus, modal: true },
  );
}

/** The earlier filters of a field. */
interface FilterHistory {
  /** The actions that recall an older or a newer filter. The newest is the typed text. */
  readonly actions: Actions;
  /** Saves a filter that was applied. */
  save(text: string): void;
}

/**
 * Returns the earlier filters of one kind of list, across sessions. `set` writes a filter into the
 * field.
 */
function useFilterHistory(list: string, text: string, set: (text: string) => void): FilterHistory {
  const { history } = useApp();
  // The index is that of the recalled filter, or -1 for the typed text.
  const recalled = useRef({ index: -1, typed: "", shown: "" });
  const step = (by: number) => {
    const known = recentlyUsed(history.state.get(), "filter", list);
    // Typing returns to the start of the history.
    if (recalled.current.shown !== text) recalled.current = { index: -1, typed: text, shown: text };
    const { index, typed } = recalled.current;
    const others = known.filter((filter) => filter !== typed);
    const next = Math.max(-1, Math.min(others.length - 1, index + by));
    const shown = others[next] ?? typed;
    recalled.current = { index: next, typed, shown };
    if (shown === text) return;
    set(shown);
  };
  return {
    actions: {
      "earlier-filter": () => step(1),
      "later-filter": () => step(-1),
    },
    save: (filter) => history.addFilter(list, filter),
  };
}
