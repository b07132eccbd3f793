/** The suppliers of the board with their figures and the state of loading them. */
import { useCallback, useMemo } from "react";
import { useSession } from "../../hooks/app.tsx";
import { useSnapshot } from "../../hooks/context.ts";
import { useCancellable } from "../../hooks/in-flight.tsx";
import { useJournalOpen } from "../../hooks/open-work.ts";
import { useActive } from "../../hooks/window.tsx";
import type { BoardRow, BoardSnapshot } from "../../session/board.ts";
import type { JournalOpen } from "../../session/open-work.ts";
import { type SupplierRank, worstFirst } from "../../triage/figures/worst-first.ts";
import { entryCounts } from "../../triage/open/work-counts.ts";

export interface BoardLine extends SupplierRank {
  readonly load: BoardRow["load"];
  readonly unchecked: BoardRow["unchecked"];
}

export interface BoardFeed {
  readonly lines: readonly BoardLine[];
  /** The epoch milliseconds at which all lists were last loaded, or null before that. */
  readonly checkedAt: number | null;
  readonly everyMs: number;
  readonly loading: BoardLine | null;
  readonly paused: boolean;
  togglePause(): void;
  refresh(): void;
}

/** Updates the board. The lists are loaded as long as the session is open. */
export function useBoard(suppliers: readonly string[]): BoardFeed {
  const session = useSession();
  const { board } = session;
  const active = useActive();
  const snapshot = useSnapshot(board, active);
  const journal = useJournalOpen(session);
  const lines = useMemo(
    () => worstFirst(suppliers.map((supplier) => lineOf(supplier, snapshot, journal))),
    [suppliers, snapshot, journal],
  );
  const loading = lines.find(({ load }) => load.kind === "loading") ?? null;
  const cancel = useCallback(() => board.setPaused(true), [board]);
  useCancellable(active && loading !== null, cancel);
  const { checkedAt, everyMs, paused } = snapshot;
  return {
    lines,
    loading,
    checkedAt,
    everyMs,
    paused,
    togglePause: () => board.setPaused(!paused),
    refresh: () => board.refresh(),
  };
}

function lineOf(supplier: string, { rows }: BoardSnapshot, journal: JournalOpen): BoardLine {
  const row = rows.get(supplier);
  const load = row?.load ?? { kind: "waiting" };
  return {
    supplier,
    unknown: unknownOf(journal, supplier),
    hasFailed: load.kind === "failed",
    figures: row?.figures ?? null,
    load,
    unchecked: row?.unchecked ?? null,
  };
}

/** Returns the number of unknown entries, or null if the journal is unreadable. */
function unknownOf(journal: JournalOpen, supplier: string): number | null {
  if (journal.kind === "failed") return null;
  return journal.kind === "counting" ? 0 : entryCounts(journal.work, [supplier]).unknown;
}
