import { useCallback, useMemo, useState } from "react";
import { countBefore, linesAfter, linesBefore, type RowOutcomes } from "../bulk/row-lines.ts";
import type { RunRow } from "../bulk/run-record.ts";
import { readRunRows } from "../bulk/run-rows.ts";
import type { Actions } from "../keys/scopes.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { Writes } from "../writes/open-writes.ts";
import { type JournalView, useJournalRead } from "./journal.ts";

/** The rows of a run that fit a screen, and which of them the cursor is on. */
export interface RowWindow {
  readonly rows: readonly RunRow[];
  /** Index in `rows`; -1 when there are none. */
  readonly cursor: number;
  /** Rows of this kind in front of the first one shown. */
  readonly before: number;
}

interface Held {
  /** The line at the top, and the one the cursor is on; 0 stands before the first. */
  readonly top: number;
  readonly cursor: number;
}

const start: Held = { top: 0, cursor: 0 };

/** Behind every line. */
const end = Number.MAX_SAFE_INTEGER;

/**
 * A page of a run's rows, read from the journal as one moves: a run may have a million of them. The
 * cursor keeps to its line; when that row is of another kind by now, the next one has it.
 */
export function useRunRows(
  run: string,
  outcomes: RowOutcomes,
  page: number,
): { readonly view: JournalView<RowWindow>; readonly actions: Actions; toStart(): void } {
  const [held, setHeld] = useState(start);
  const [journal, setJournal] = useState<Journal | null>(null);
  const { view } = useJournalRead(
    useCallback(
      ({ context }: Writes) => {
        setJournal(context.journal);
        return windowAt(context.journal, run, outcomes, held, page);
      },
      [run, outcomes, held, page],
    ),
  );
  const move = useCallback(
    (step: (journal: Journal) => Held) => {
      if (journal !== null) setHeld(step(journal));
    },
    [journal],
  );
  const actions = useMemo<Actions>(() => {
    const by = (step: number) => () =>
      move((from) => movedBy(from, run, outcomes, held, page, step));
    return {
      up: { run: by(-1) },
      down: { run: by(1) },
      "page-up": { run: by(-page) },
      "page-down": { run: by(page) },
      top: { run: () => setHeld(start) },
      bottom: {
        run: () =>
          move((from) => {
            const last = linesBefore(from, run, outcomes, end, page);
            return { top: last[0] ?? 0, cursor: last.at(-1) ?? 0 };
          }),
      },
    };
  }, [move, run, outcomes, held, page]);
  const toStart = useCallback(() => setHeld(start), []);
  return { view, actions, toStart };
}

/** The lines shown: from the top on, filled up from in front of it where the end leaves room. */
function linesShown(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  top: number,
  page: number,
): readonly number[] {
  const shown = linesAfter(journal, run, outcomes, top - 1, page);
  if (shown.length === page) return shown;
  const first = shown[0] ?? end;
  return [...linesBefore(journal, run, outcomes, first, page - shown.length), ...shown];
}

function windowAt(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  held: Held,
  page: number,
): RowWindow {
  const lines = linesShown(journal, run, outcomes, held.top, page);
  const [first] = lines;
  if (first === undefined) return { rows: [], cursor: -1, before: 0 };
  const last = lines.at(-1) ?? first;
  const rows = readRunRows(journal, run, {
    afterLine: first - 1,
    limit: lines.length,
    ...wanted(outcomes),
  });
  const at = rows.findIndex(({ line }) => line >= held.cursor);
  return {
    rows: rows.filter(({ line }) => line <= last),
    cursor: at < 0 ? rows.length - 1 : at,
    before: countBefore(journal, run, outcomes, first),
  };
}

function wanted(outcomes: RowOutcomes): { readonly outcomes?: readonly RunRow["outcome"][] } {
  if (outcomes === null) return {};
  const words = outcomes.map((one): RunRow["outcome"] => {
    if (one === "waiting") return "unsent";
    return one === "exists" ? "confirmed" : one;
  });
  return { outcomes: [...new Set(words)] };
}

function movedBy(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  held: Held,
  page: number,
  step: number,
): Held {
  const lines = linesShown(journal, run, outcomes, held.top, page);
  const found = lines.findIndex((line) => line >= held.cursor);
  const at = found < 0 ? lines.length - 1 : found;
  const top = lines[0] ?? 0;
  const here = lines[at] ?? 0;
  const inside = lines[at + step];
  if (inside !== undefined) return { top, cursor: inside };
  if (step > 0) {
    const next = linesAfter(journal, run, outcomes, here, step);
    const cursor = next.at(-1) ?? here;
    const shown = linesBefore(journal, run, outcomes, cursor + 1, page);
    return { top: shown[0] ?? top, cursor };
  }
  const [cursor = here] = linesBefore(journal, run, outcomes, here, -step);
  return { top: cursor, cursor };
}
