/** React hooks that read the open work of a profile, for the header and the screens. */
import { useMemo, useSyncExternalStore } from "react";
import type { BoardSnapshot } from "../session/board.ts";
import type { Session } from "../session/open-session.ts";
import { countingOpen, type JournalOpen, type StoredOpen } from "../session/open-work.ts";
import { type Open, type OpenList, openOf, watchedEntry } from "../triage/open/open.ts";
import { noWork } from "../triage/open/work-counts.ts";
import type { WatchSnapshot } from "../watch/watch-list.ts";

/** The open work of a profile, as far as the console knows it. */
export interface OpenNow {
  readonly open: Open;
  /** True if the journal has been read. Before that, `open` has no entries. */
  readonly isCounted: boolean;
}

/**
 * Returns the open work from the journal, the watch list and the lists of the board. Renders again
 * when it changes.
 */
export function useOpenWork(session: Session | null): OpenNow {
  const stored = useStoredOpen(session);
  const watched = useSyncExternalStore(
    session?.watch.subscribe ?? subscribeToNothing,
    () => session?.watch.snapshot() ?? null,
  );
  const board = useSyncExternalStore(
    session?.board.subscribe ?? subscribeToNothing,
    () => session?.board.getSnapshot() ?? null,
  );
  return useMemo(() => openNow(stored, watched, board), [stored, watched, board]);
}

/** Returns the open work of the journal. Renders again when it changes. */
export function useJournalOpen(session: Session | null): JournalOpen {
  return useStoredOpen(session).journal;
}

/** Returns the open work that this machine has stored. */
function useStoredOpen(session: Session | null): StoredOpen {
  return useSyncExternalStore(
    session?.openWork.subscribe ?? subscribeToNothing,
    () => session?.openWork.get() ?? countingOpen,
  );
}

/** Combines the stored open work with the watch list and the board. */
function openNow(
  { journal, cohorts }: StoredOpen,
  watched: WatchSnapshot | null,
  board: BoardSnapshot | null,
): OpenNow {
  return {
    open: openOf({
      work: journal.kind === "known" ? journal.work : journal.kind === "counting" ? noWork : null,
      watched: watched === null ? [] : watched.isKnown ? watched.entries.map(watchedEntry) : null,
      lists: board === null ? [] : listsOf(board),
      cohorts,
    }),
    isCounted: journal.kind !== "counting",
  };
}

/**
 * Returns the lists that were loaded or could not be loaded. A list that is not loaded yet is left
 * out.
 */
function listsOf({ rows }: BoardSnapshot): readonly OpenList[] {
  return [...rows.values()].flatMap(({ supplier, figures, load }) =>
    figures === null && load.kind !== "failed"
      ? []
      : [
          {
            supplier,
            gone: figures?.history?.gone ?? null,
            isHeldBack: (figures?.history?.heldBack ?? null) !== null,
            hasFailed: load.kind === "failed",
          },
        ],
  );
}

/** Subscribes to nothing. */
function subscribeToNothing(): () => void {
  return () => {};
}
