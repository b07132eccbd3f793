import type { Actions } from "../keys/scopes.ts";

/**
 * The keys that mark a range: the row under the cursor and the next one, which the cursor moves to.
 * `mark` marks rows by their positions; those that are marked stay so.
 */
export function rangeMarks(options: {
  readonly position: number;
  readonly length: number;
  readonly moveTo: (position: number) => void;
  readonly mark: (positions: readonly number[]) => void;
}): Actions {
  const { position, length, moveTo, mark } = options;
  if (length === 0) return {};
  const extend = (step: 1 | -1) => () => {
    const next = Math.max(0, Math.min(length - 1, position + step));
    mark(next === position ? [position] : [position, next]);
    moveTo(next);
  };
  return { "mark-down": { run: extend(1) }, "mark-up": { run: extend(-1) } };
}
