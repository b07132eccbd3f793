import { useCallback, useEffect, useMemo } from "react";
import type { RunRecord } from "../../bulk/run-record.ts";
import { listRuns, processAt, readRun } from "../../bulk/runs.ts";
import { type JournalRead, useJournalRead } from "../../hooks/journal.ts";
import { useSession } from "../../hooks/session.tsx";
import { useStore } from "../../hooks/store.ts";
import { type RunTask, runningIds } from "../../session/tasks.ts";
import type { Writes } from "../../writes/open-writes.ts";

/** A run as it stands now, and who is at it. */
export interface RunView {
  readonly record: RunRecord;
  /** What this console does with it, or has done. */
  readonly task: RunTask | null;
  /** The process that is at it; null while none is. */
  readonly process: number | null;
}

type Found = Omit<RunView, "task">;

/** Every bulk run of the journal, newest first; read again while it changes. */
export function useRunList(): JournalRead<readonly RunView[]> {
  const tasks = useRunTasks();
  const { view, look } = useJournalRead(
    useCallback(
      ({ context }: Writes): readonly Found[] =>
        listRuns(context).map((record) => ({ record, process: processOf(context, record) })),
      [],
    ),
  );
  useRefreshOnRunChange(look);
  return {
    look,
    view: useMemo(
      () =>
        view.kind === "read"
          ? { ...view, value: view.value.map((found) => withTask(found, tasks)) }
          : view,
      [view, tasks],
    ),
  };
}

/** One bulk run, read again while it changes. */
export function useRunView(id: string): JournalRead<RunView> {
  const tasks = useRunTasks();
  const { view, look } = useJournalRead(
    useCallback(
      ({ context }: Writes): Found => {
        const record = readRun(context, id);
        return { record, process: processOf(context, record) };
      },
      [id],
    ),
  );
  useRefreshOnRunChange(look);
  return {
    look,
    view: useMemo(
      () => (view.kind === "read" ? { ...view, value: withTask(view.value, tasks) } : view),
      [view, tasks],
    ),
  };
}

function useRunTasks(): ReadonlyMap<string, RunTask> {
  return useStore(useSession().tasks.runs.all);
}

/** What the journal says of a run is looked at anew as soon as this console is done with one. */
export function useRefreshOnRunChange(look: () => void): void {
  const open = runningIds(useRunTasks()).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever one begins or ends
  useEffect(look, [open]);
}

/** Only of a run that is not over can a process be at it. */
function processOf(context: Writes["context"], { id, state }: RunRecord): number | null {
  return state === "running" || state === "recording" ? processAt(context, id) : null;
}

/** While this console is at a run, it counts the rows itself, and sooner than the journal is read. */
function withTask({ record, process }: Found, tasks: ReadonlyMap<string, RunTask>): RunView {
  const task = tasks.get(record.id) ?? null;
  const sending = task?.kind === "running" && task.progress.kind === "sending";
  const counts = (sending && task.progress.progress?.counts) || record.counts;
  return { record: { ...record, counts }, task, process };
}
