import { useIsScreenReaderEnabled } from "ink";

/**
 * Whether the screen is a linear one: lines are only ever added, for a reader that reads them aloud
 * or a terminal that cannot move its cursor. Components then say in words what they else show by
 * place, and mark the line of the cursor (see `linearSigns`).
 */
export function useLinear(): boolean {
  return useIsScreenReaderEnabled();
}
