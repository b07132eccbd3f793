import { useState } from "react";
import type { Actions } from "../keys/scopes.ts";
import { useFilterHistory } from "./filter-history.ts";
import { useKeys } from "./keys.tsx";

/** The filter above a list: its text, whether it is being typed, and the keys that begin and clear it. */
export interface FilterField {
  readonly text: string;
  readonly typing: boolean;
  readonly set: (text: string) => void;
  readonly begin: () => void;
  /** For the list itself: clears a filter that was kept. */
  readonly clearing: Actions;
}

/**
 * A filter that is typed above a list, with what was typed there before on the arrows; the list moves
 * by the other keys of `moving` meanwhile.
 */
export function useFilterField(
  list: "accounts" | "activity" | "watch",
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
