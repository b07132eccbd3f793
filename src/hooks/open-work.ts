/** React hooks that read the open work of a profile, for the header and the screens. */
import { useMemo, useSyncExternalStore } from "react";
import type { BoardSnapshot } from "../session/board.ts";
import type { Session } from "../session/open-session.ts";
import { countingOpen, type JournalOpen, type StoredOpen } from "../session/open-work.ts";
import { createStore } from "../session/store.ts";
import { noTeamState, type TeamState } from "../session/team-state.ts";
import { plural } from "../text/numbers.ts";
import { type Need, needsOf } from "../triage/open/needs.ts";
import {
  type Open,
  type OpenList,
  openOf,
  unreadParts,
  watchedEntry,
} from "../triage/open/open.ts";
import { noWork } from "../triage/open/work-counts.ts";
import type { WatchSnapshot } from "../watch/watch-list.ts";
import { useStore } from "./context.ts";

export interface OpenNow {
  readonly open: Open;
  readonly needs: readonly Need[];
  /** Number of suppliers whose list is neither loaded nor failed. */
  readonly unloaded: number;
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
  const suppliers = useStore(session?.suppliers ?? noSuppliers);
  const { open: team } = useStore(session?.team ?? noTeam);
  return useMemo(
    () => openNow(stored, watched, board, suppliers, team),
    [stored, watched, board, suppliers, team],
  );
}

const noTeam = createStore(noTeamState);
const noSuppliers = createStore<readonly string[]>([]);

export function useJournalOpen(session: Session | null): JournalOpen {
  return useStoredOpen(session).journal;
}

function useStoredOpen(session: Session | null): StoredOpen {
  return useSyncExternalStore(
    session?.openWork.subscribe ?? subscribeToNothing,
    () => session?.openWork.get() ?? countingOpen,
  );
}

function openNow(
  { journal, cohorts }: StoredOpen,
  watched: WatchSnapshot | null,
  board: BoardSnapshot | null,
  suppliers: readonly string[],
  team: TeamState["open"],
): OpenNow {
  const sources = {
    work: journal.kind === "known" ? journal.work : journal.kind === "counting" ? noWork : null,
    watched: watched === null ? [] : watched.isKnown ? watched.entries.map(watchedEntry) : null,
    lists: board === null ? [] : listsOf(board),
    cohorts,
    team,
  };
  const loaded = new Set(sources.lists.map(({ supplier }) => supplier));
  return {
    open: openOf(sources),
    needs: needsOf(sources),
    unloaded: suppliers.filter((supplier) => !loaded.has(supplier)).length,
    isCounted: journal.kind !== "counting",
  };
}

export function calmWords(
  { open, unloaded, isCounted }: OpenNow,
  more: readonly string[] = [],
): string {
  const missing = [
    ...(isCounted ? [] : ["the journal is not read yet"]),
    ...(unloaded === 0 ? [] : [`${plural(unloaded, "list is", "lists are")} not loaded yet`]),
    ...unreadParts(open).map(({ words }) => words),
    ...more,
  ];
  return missing.length === 0
    ? "Nothing needs you now."
    : `Nothing needs you so far; ${missing.join(", ")}.`;
}

/** Returns the lists that were loaded or failed. */
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

function subscribeToNothing(): () => void {
  return () => {};
}
