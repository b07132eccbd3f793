import { useRef } from "react";

/**
 * A number that is another one whenever `thing` is: as a key it makes what is drawn for the one
 * before begin anew, so that nothing of it, such as where its cursor was, is left over.
 */
export function useTurnOf(thing: unknown): number {
  const last = useRef({ thing, turn: 0 });
  if (!Object.is(last.current.thing, thing)) {
    last.current = { thing, turn: last.current.turn + 1 };
  }
  return last.current.turn;
}
