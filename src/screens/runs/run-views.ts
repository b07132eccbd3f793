import { useCallback, useEffect, useMemo } from "react";
import type { RunRecord } from "../../bulk/run-record.ts";
import { leftOutWords, listRuns, processAt, readRun } from "../../bulk/runs.ts";
import { useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { type JournalRead, useJournalRead } from "../../hooks/journal.ts";
import { type RunTask, runningIds } from "../../session/tasks.ts";
import type { Writes } from "../../writes/open-writes.ts";

/** A run as it is now, and which process is running it. */
export interface RunView {
  readonly record: RunRecord;
  /** The task of this console that runs it, or ran it. */
  readonly task: RunTask | null;
  /** The process that runs it, or null if none does. */
  readonly process: number | null;
}

type Found = Omit<RunView, "task">;

/** Returns the bulk runs of the service, newest first; read again while they change. */
export function useRunList(): JournalRead<readonly RunView[]> {
  const tasks = useRunTasks();
  const { baseUrl } = useSession();
  const { view, look } = useJournalRead(
    useCallback(
      ({ context }: Writes): readonly Found[] =>
        listRuns(context, { baseUrl }).map((record) => ({
          record,
          process: processOf(context, record),
        })),
      [baseUrl],
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

/** Returns a sentence about the runs that are not in the list, or null if there are none. */
export function useLeftOut(): string | null {
  const { view } = useJournalRead(useCallback(({ context }: Writes) => leftOutWords(context), []));
  return view.kind === "read" ? view.value : null;
}

/** Returns one bulk run, and reads it again while it changes. */
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

/** Reads the journal again whenever this console starts or ends a run. */
export function useRefreshOnRunChange(look: () => void): void {
  const open = runningIds(useRunTasks()).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever one begins or ends
  useEffect(look, [open]);
}

/** Only a run that is not over can have a process. */
function processOf(context: Writes["context"], { id, state }: RunRecord): number | null {
  return state === "running" || state === "recording" ? processAt(context, id) : null;
}

/** While this console runs it, its own counts are newer than those of the journal. */
function withTask({ record, process }: Found, tasks: ReadonlyMap<string, RunTask>): RunView {
  const task = tasks.get(record.id) ?? null;
  const sending = task?.kind === "running" && task.progress.kind === "sending";
  const counts = (sending && task.progress.progress?.counts) || record.counts;
  return { record: { ...record, counts }, task, process };
}
