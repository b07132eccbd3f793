import { useCallback, useMemo, useRef, useState } from "react";
import { countBetween, linesAfter, linesBefore, type RowOutcomes } from "../../bulk/row-lines.ts";
import type { RunRow } from "../../bulk/run-record.ts";
import { rowOfLine } from "../../bulk/run-rows.ts";
import { type JournalView, useJournalRead } from "../../hooks/journal.ts";
import { halfOf } from "../../hooks/list-cursor.ts";
import type { Actions } from "../../keys/scopes.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import type { Writes } from "../../writes/open-writes.ts";
import { useRefreshOnRunChange } from "./run-views.ts";

/** The rows of a run that fit a screen, and which of them the cursor is on. */
export interface RowWindow {
  /** Which rows these are. */
  readonly outcomes: RowOutcomes;
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
 * cursor keeps its line; when the outcome of that row has changed, the next one gets it.
 */
export function useRunRows(
  run: string,
  outcomes: RowOutcomes,
  page: number,
): { readonly view: JournalView<RowWindow>; readonly actions: Actions; toStart(): void } {
  const [held, setHeld] = useState(start);
  const [journal, setJournal] = useState<Journal | null>(null);
  const counted = useRef<Counted | null>(null);
  const { view, look } = useJournalRead(
    useCallback(
      ({ context }: Writes) => {
        setJournal(context.journal);
        const lines = linesShown(context.journal, run, outcomes, held.top, page);
        const first = lines[0] ?? 0;
        const known = countedAt(context.journal, run, outcomes, held, first, counted.current);
        counted.current = known;
        return {
          ...windowAt(context.journal, run, lines, held.cursor),
          outcomes,
          before: known.before,
        };
      },
      [run, outcomes, held, page],
    ),
  );
  useRefreshOnRunChange(look);
  const move = useCallback(
    (step: (journal: Journal, from: Held) => Held) => {
      if (journal === null) return;
      setHeld((from) => {
        try {
          return step(journal, from);
        } catch {
          // The reader that polls the journal reports that it cannot be read.
          return from;
        }
      });
    },
    [journal],
  );
  const actions = useMemo<Actions>(() => {
    const by = (step: number) => () =>
      move((open, from) => movedBy(open, run, outcomes, from, page, step));
    return {
      up: by(-1),
      down: by(1),
      "page-up": by(-page),
      "page-down": by(page),
      "half-page-up": by(-halfOf(page)),
      "half-page-down": by(halfOf(page)),
      top: () => setHeld(start),
      bottom: () =>
        move((open) => {
          const last = linesBefore(open, run, outcomes, end, page);
          return { top: last[0] ?? 0, cursor: last.at(-1) ?? 0 };
        }),
    };
  }, [move, run, outcomes, page]);
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
  lines: readonly number[],
  cursor: number,
): Pick<RowWindow, "rows" | "cursor"> {
  // Row by row: a filter on outcomes would scan from the current line.
  const rows = journal.read((open) => lines.flatMap((line) => rowOfLine(open, run, line) ?? []));
  const at = rows.findIndex(({ line }) => line >= cursor);
  return { rows, cursor: at < 0 ? rows.length - 1 : at };
}

/** What was counted last: where, and how many rows stand in front of that. */
interface Counted {
  readonly outcomes: RowOutcomes;
  readonly held: Held;
  readonly line: number;
  readonly before: number;
}

/**
 * How many rows come before a line: counted on from what is known, since counting a million rows at
 * every key would be slow. Rows change their outcome, but not their line: without a move they are
 * counted again.
 */
function countedAt(
  journal: Journal,
  run: string,
  outcomes: RowOutcomes,
  held: Held,
  line: number,
  known: Counted | null,
): Counted {
  const between = (from: number, to: number) => countBetween(journal, run, outcomes, from, to);
  const usable =
    known !== null && known.outcomes === outcomes && (outcomes === null || known.held !== held);
  if (!usable) return { outcomes, held, line, before: between(0, line) };
  const moved = line < known.line ? -between(line, known.line) : between(known.line, line);
  return { outcomes, held, line, before: known.before + moved };
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
