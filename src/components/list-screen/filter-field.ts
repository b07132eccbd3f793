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
  /** The action of the list that clears an applied filter. Empty without a filter. */
  readonly clearing: Actions;
  /** The actions while a filter is typed: apply it, clear it, recall an earlier one. */
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
  };
}

/**
 * Registers the keys of a filter while it is typed. `moving` are the keys that move the cursor of
 * the list.
 */
export function useFilterKeys(field: FilterField, moving: Actions, focus: boolean): void {
  useKeys(
    { ...moving, ...field.whileTyping },
    { typing: true, active: field.typing && focus, modal: true },
  );
}

/** The earlier filters of a field. */
interface FilterHistory {
  /** The actions that recall older and newer filters, and last the typed text. */
  readonly actions: Actions;
  /** Saves a filter that was applied. */
  keep(text: string): void;
}

/**
 * Returns the earlier filters of one kind of list, across sessions. `set` writes a filter into the
 * field.
 */
function useFilterHistory(list: string, text: string, set: (text: string) => void): FilterHistory {
  const { history } = useApp();
  const place = useRef({ at: -1, typed: "", shown: "" });
  const step = (by: number) => {
    const known = recentlyUsed(history.state.get(), "filter", list);
    // Typing returns to the start of the history.
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
      "earlier-filter": () => step(1),
      "later-filter": () => step(-1),
    },
    keep: (filter) => history.addFilter(list, filter),
  };
}
