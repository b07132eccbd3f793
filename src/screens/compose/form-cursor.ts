import { useCallback, useMemo, useRef, useState } from "react";
import type { FormLine } from "../../components/form/lines.ts";
import type { Actions } from "../../keys/scopes.ts";

export interface FormCursor {
  readonly line: FormLine | null;
  readonly position: number;
  /** The keys that move it. */
  readonly actions: Actions;
  moveTo(id: string): void;
  /** To the next field, or the header of rows, over other headers. */
  next(): void;
}

/**
 * Keeps the cursor on a line by its id; when that line is removed, the cursor keeps its position.
 * `leave` is called for every line that is left, and can name another line to go to.
 */
export function useFormCursor(options: {
  readonly lines: readonly FormLine[];
  readonly page: number;
  readonly start: () => string;
  readonly leave: (from: FormLine, to: string) => string;
}): FormCursor {
  const { lines, page, leave } = options;
  const [held, setHeld] = useState(options.start);
  const last = useRef(0);
  const found = lines.findIndex(({ id }) => id === held);
  const position = found >= 0 ? found : Math.min(last.current, lines.length - 1);
  last.current = position;
  const line = lines[position] ?? null;
  const moveTo = useCallback(
    (id: string) => setHeld(line !== null && line.id !== id ? leave(line, id) : id),
    [line, leave],
  );
  const to = useCallback(
    (at: number) => {
      const target = lines[Math.max(0, Math.min(at, lines.length - 1))];
      if (target) moveTo(target.id);
    },
    [lines, moveTo],
  );
  const seek = useCallback(
    (step: 1 | -1, isWanted: (line: FormLine) => boolean) => {
      for (let n = 1; n <= lines.length; n++) {
        const target = lines[(position + step * n + lines.length * n) % lines.length];
        if (target && isWanted(target)) {
          moveTo(target.id);
          return;
        }
      }
    },
    [lines, position, moveTo],
  );
  const actions = useMemo<Actions>(
    () => ({
      up: () => to(position - 1),
      down: () => to(position + 1),
      "page-up": () => to(position - page),
      "page-down": () => to(position + page),
      top: () => to(0),
      bottom: () => to(lines.length - 1),
      "next-tab": { run: () => seek(1, isStop), label: "next field" },
      "previous-tab": () => seek(-1, isStop),
    }),
    [to, seek, position, page, lines.length],
  );
  return {
    line,
    position,
    actions,
    moveTo,
    next: () => seek(1, isStop),
  };
}

/** What Enter and Tab stop at: what can be typed or chosen, where a row can be added, and the button. */
function isStop(line: FormLine): boolean {
  switch (line.kind) {
    case "leaf":
    case "rows":
    case "review":
      return true;
    case "section":
      return line.rows !== null;
    case "object":
    case "row":
      return false;
  }
}
