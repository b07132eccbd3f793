/**
 * Reads bulk runs from the journal, together with their tasks in this console, and reads the rows
 * of a run in pages.
 */
import { useCallback, useEffect, useMemo } from "react";
import { countRows, lineAt, type RowStates, readRunRows } from "../../bulk/rows.ts";
import type { RunRecord, RunRow } from "../../bulk/run-record.ts";
import { listRuns, readRun } from "../../bulk/runs.ts";
import { pagedSource, type RowSource } from "../../components/list-screen/row-source.ts";
import { useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { type JournalRead, type JournalView, useJournalRead } from "../../hooks/journal.ts";
import { type RunTask, runningIds } from "../../session/tasks.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import type { Writes } from "../../writes/open-writes.ts";

export interface RunView {
  readonly record: RunRecord;
  readonly task: RunTask | null;
}

interface ReadRun {
  readonly record: RunRecord;
  readonly wasRunningHere: boolean;
}

export function useRunList(): JournalRead<readonly RunView[]> {
  const tasks = useRunTasks();
  const running = runningIds(tasks).join(" ");
  const { baseUrl } = useSession();
  const { view, refresh } = useJournalRead(
    useCallback(
      ({ context }: Writes): readonly ReadRun[] =>
        listRuns(context, { baseUrl }).map((record) => ({
          record,
          wasRunningHere: running.split(" ").includes(record.id),
        })),
      [baseUrl, running],
    ),
  );
  const runs = useMemo(
    () => viewOf(view, (value) => value.map((run) => withTask(run, tasks))),
    [view, tasks],
  );
  return { refresh, view: runs };
}

export function useRunView(id: string): JournalRead<RunView> {
  const tasks = useRunTasks();
  const isHere = tasks.get(id)?.kind === "running";
  const { view, refresh } = useJournalRead(
    useCallback(
      ({ context }: Writes): ReadRun => ({ record: readRun(context, id), wasRunningHere: isHere }),
      [id, isHere],
    ),
  );
  const run = useMemo(() => viewOf(view, (value) => withTask(value, tasks)), [view, tasks]);
  return { refresh, view: run };
}

function viewOf<Read, Shown>(
  view: JournalView<Read>,
  of: (value: Read) => Shown,
): JournalView<Shown> {
  return view.kind === "read" ? { ...view, value: of(view.value) } : view;
}

function useRunTasks(): ReadonlyMap<string, RunTask> {
  return useStore(useSession().tasks.runs.all);
}

export function useRefreshOnRunChange(refresh: () => void): void {
  const open = runningIds(useRunTasks()).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the journal is read when a run starts or ends
  useEffect(refresh, [open]);
}

/**
 * Adds the task of this console, whose counts are newer than those of the journal. A run that was
 * read before its task ended is still shown as running, until it is read again.
 */
export function withTask(
  { record, wasRunningHere }: ReadRun,
  tasks: ReadonlyMap<string, RunTask>,
): RunView {
  const current = tasks.get(record.id) ?? null;
  const task =
    current !== null && wasRunningHere && current.kind !== "running"
      ? ({ kind: "running", progress: current.progress, stopping: false } as const)
      : current;
  const isSending = task?.kind === "running" && task.progress.kind === "sending";
  const counts = (isSending && task.progress.progress?.counts) || record.counts;
  return { record: { ...record, counts }, task };
}

export const idOf = ({ line }: RunRow) => String(line);

/**
 * Returns the current rows of a run in these states. They are read as the cursor moves, because a
 * run can have a million rows. Throws a journal error.
 */
export function runRows(journal: Journal, run: string, states: RowStates): RowSource<RunRow> {
  let previous: { readonly from: number; readonly rows: readonly RunRow[] } | null = null;
  /**
   * Reads rows from a position. This is fast next to the previous page. Elsewhere the rows before
   * the position are counted.
   */
  const rowsFrom = (from: number, limit: number): readonly RunRow[] => {
    const first = previous?.rows[0];
    const last = previous?.rows.at(-1);
    const read = (range: { readonly afterLine: number } | { readonly beforeLine: number }) =>
      readRunRows(journal, run, { states, limit, ...range });
    if (previous !== null && last !== undefined && from === previous.from + previous.rows.length)
      return read({ afterLine: last.line });
    if (previous !== null && first !== undefined && from + limit === previous.from)
      return read({ beforeLine: first.line });
    const line = lineAt(journal, run, states, from);
    return line === null ? [] : read({ afterLine: line - 1 });
  };
  return pagedSource({
    length: countRows(journal, run, states),
    read(from, limit) {
      const rows = rowsFrom(from, limit);
      previous = { from, rows };
      return rows;
    },
    idAt: (index, row) => (row === null ? `at ${index}` : idOf(row)),
    indexOf(id) {
      const line = Number(id);
      const isListed = countRows(journal, run, states, { from: line, before: line + 1 }) > 0;
      return isListed ? countRows(journal, run, states, { before: line }) : -1;
    },
  });
}
