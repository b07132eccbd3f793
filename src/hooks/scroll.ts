import { useState } from "react";
import type { Actions } from "../keys/scopes.ts";
import { halfOf } from "./list-cursor.ts";

/** Scrolling through lines of text: first visible line and the keys that move it. */
export interface Scroll {
  readonly top: number;
  readonly actions: Actions;
}

/** A scroll position over `length` lines of which `page` are visible. */
export function useScroll(length: number, page: number): Scroll {
  const [wanted, setWanted] = useState(0);
  const lowest = Math.max(0, length - page);
  const top = Math.min(wanted, lowest);
  const to = (next: number) => setWanted(Math.max(0, Math.min(next, lowest)));
  return {
    top,
    actions: {
      up: { run: () => to(top - 1) },
      down: { run: () => to(top + 1) },
      "page-up": { run: () => to(top - page) },
      "page-down": { run: () => to(top + page) },
      "half-page-up": { run: () => to(top - halfOf(page)) },
      "half-page-down": { run: () => to(top + halfOf(page)) },
      top: { run: () => to(0) },
      bottom: { run: () => to(lowest) },
    },
  };
}
