import { useCallback, useEffect, useMemo } from "react";
import { processAt } from "../../bulk/run-process.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import { listRuns, readRun } from "../../bulk/runs.ts";
import { type JournalRead, useJournalRead } from "../../hooks/journal.ts";
import { useSession } from "../../hooks/session.tsx";
import { useStore } from "../../hooks/store.ts";
import { openRuns, type RunTurn } from "../../session/bulk-runs.ts";
import type { Writes } from "../../writes/open-writes.ts";

/** A run as it stands now, and who is at it. */
export interface RunView {
  readonly record: RunRecord;
  /** What this console does with it, or has done. */
  readonly turn: RunTurn | null;
  /** The process that is at it; null while none is. */
  readonly process: number | null;
}

type Found = Omit<RunView, "turn">;

/** Every bulk run of the journal, newest first; read again while it changes. */
export function useRunList(): JournalRead<readonly RunView[]> {
  const turns = useTurns();
  const { view, look } = useJournalRead(
    useCallback(
      ({ context }: Writes): readonly Found[] =>
        listRuns(context).map((record) => ({ record, process: processOf(context, record) })),
      [],
    ),
  );
  useLookAtTurns(look);
  return {
    look,
    view: useMemo(
      () =>
        view.kind === "read"
          ? { ...view, value: view.value.map((found) => withTurn(found, turns)) }
          : view,
      [view, turns],
    ),
  };
}

/** One bulk run, read again while it changes. */
export function useRunView(id: string): JournalRead<RunView> {
  const turns = useTurns();
  const { view, look } = useJournalRead(
    useCallback(
      ({ context }: Writes): Found => {
        const record = readRun(context, id);
        return { record, process: processOf(context, record) };
      },
      [id],
    ),
  );
  useLookAtTurns(look);
  return {
    look,
    view: useMemo(
      () => (view.kind === "read" ? { ...view, value: withTurn(view.value, turns) } : view),
      [view, turns],
    ),
  };
}

function useTurns(): ReadonlyMap<string, RunTurn> {
  return useStore(useSession().bulkRuns.turns);
}

/** What the journal says of a run is looked at anew as soon as this console is done with one. */
export function useLookAtTurns(look: () => void): void {
  const open = openRuns(useTurns()).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever one begins or ends
  useEffect(look, [open]);
}

/** Only of a run that is not over can a process be at it. */
function processOf(context: Writes["context"], { id, state }: RunRecord): number | null {
  return state === "running" || state === "recording" ? processAt(context, id) : null;
}

/** While this console is at a run, it counts the rows itself, and sooner than the journal is read. */
function withTurn({ record, process }: Found, turns: ReadonlyMap<string, RunTurn>): RunView {
  const turn = turns.get(record.id) ?? null;
  const counts =
    turn?.kind === "running" && turn.progress !== null ? turn.progress.counts : record.counts;
  return { record: { ...record, counts }, turn, process };
}
