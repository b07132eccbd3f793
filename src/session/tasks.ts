/** The tasks of a session: sends, bulk runs, comparisons and checks that outlive their screens. */
import type { Clock } from "../api/clock.ts";
import type { Checked, CheckProgress } from "../bulk/check.ts";
import type { PossibleKind } from "../bulk/input/kind-of-input.ts";
import type { RunProgress } from "../bulk/progress.ts";
import type { RunEnd } from "../bulk/run-record.ts";
import type { ReadingOptions } from "../bulk/run-settings.ts";
import type { FileStamp } from "../bulk/source.ts";
import type { FormKind } from "../forms/forms.ts";
import type { ReconcileProgress } from "../triage/reconcile/reconcile.ts";
import type { Reconciled } from "../triage/reconcile/reconciled.ts";
import type { ActivityOutcome } from "../writes/activity.ts";
import type { SubmitEvent, WriteResult } from "../writes/send/events.ts";
import { createStore, type Store } from "./store.ts";

export type Task<Progress, End> =
  | { readonly kind: "running"; readonly progress: Progress; readonly stopping: boolean }
  | { readonly kind: "ended"; readonly progress: Progress; readonly end: End }
  | { readonly kind: "failed"; readonly progress: Progress; readonly error: unknown };

export type Finished<T extends Task<unknown, unknown>> = Exclude<T, { readonly kind: "running" }>;

export interface TaskControls<Progress> {
  /** Aborted by the first cancel, with its reason: start nothing new, await requests in flight. */
  readonly stop: AbortSignal;
  /** Aborted by the second cancel, or after the patience of `end`. Cut off the requests in flight. */
  readonly cutOff: AbortSignal;
  readonly update: (change: (before: Progress) => Progress) => void;
}

/**
 * Tasks of one kind, by ID. They belong to the session, not to a screen: closing a screen does not
 * end them, closing the profile does.
 */
export interface Tasks<Id, Progress, End> {
  readonly all: Store<ReadonlyMap<Id, Task<Progress, End>>>;
  /** Starts a task. Never rejects. Returns null if a task with this ID is running. */
  start(
    id: Id,
    first: Progress,
    work: (controls: TaskControls<Progress>) => Promise<End>,
  ): Promise<Finished<Task<Progress, End>>> | null;
  /** Stops a task. The second call cuts off the requests in flight. */
  cancel(id: Id, reason?: unknown): void;
  /**
   * Stops all tasks and waits for their ends. If `patienceMs` is given, it cuts off the requests in
   * flight after that time, and waits two more seconds at most.
   */
  end(options?: { readonly reason?: unknown; readonly patienceMs?: number }): Promise<void>;
}

/** The maximum time in which work that was cut off records its end, in milliseconds. */
const cutOffMs = 2_000;

export function createTasks<Id, Progress, End>(clock: Clock): Tasks<Id, Progress, End> {
  const all = createStore<ReadonlyMap<Id, Task<Progress, End>>>(new Map());
  const running = new Map<
    Id,
    {
      readonly stop: AbortController;
      readonly cutOff: AbortController;
      readonly finished: Promise<unknown>;
    }
  >();
  const put = <T extends Task<Progress, End>>(id: Id, task: T): T => {
    all.set(new Map([...all.get(), [id, task]]));
    return task;
  };
  const cancel = (id: Id, reason?: unknown) => {
    const controllers = running.get(id);
    const task = all.get().get(id);
    if (controllers === undefined || task?.kind !== "running") return;
    if (controllers.stop.signal.aborted) controllers.cutOff.abort(reason);
    controllers.stop.abort(reason);
    put(id, { ...task, stopping: true });
  };
  return {
    all,
    cancel,
    start(id, first, work) {
      if (running.has(id)) return null;
      const stop = new AbortController();
      const cutOff = new AbortController();
      let progress = first;
      put(id, { kind: "running", progress, stopping: false });
      const update = (change: (before: Progress) => Progress) => {
        if (running.get(id)?.stop !== stop) return;
        progress = change(progress);
        put(id, { kind: "running", progress, stopping: stop.signal.aborted });
      };
      const finish = (task: Finished<Task<Progress, End>>) => {
        running.delete(id);
        return put(id, task);
      };
      const { promise, resolve } = Promise.withResolvers<Finished<Task<Progress, End>>>();
      running.set(id, { stop, cutOff, finished: promise });
      work({ stop: stop.signal, cutOff: cutOff.signal, update }).then(
        (end) => resolve(finish({ kind: "ended", progress, end })),
        (error: unknown) => resolve(finish({ kind: "failed", progress, error })),
      );
      return promise;
    },
    async end({ reason, patienceMs } = {}) {
      const ends = [...running].map(([id, { stop, finished }]) => {
        if (!stop.signal.aborted) cancel(id, reason);
        return finished;
      });
      if (patienceMs === undefined) {
        await Promise.all(ends);
        return;
      }
      const waiting = new AbortController();
      const cutOffLater = async () => {
        await clock.sleep(patienceMs, waiting.signal);
        for (const { cutOff } of running.values()) cutOff.abort();
        await clock.sleep(cutOffMs, waiting.signal);
      };
      await Promise.race([Promise.all(ends), cutOffLater().catch(() => {})]);
      waiting.abort();
    },
  };
}

export function runningIds<Id>(tasks: ReadonlyMap<Id, Task<unknown, unknown>>): readonly Id[] {
  return [...tasks].flatMap(([id, { kind }]) => (kind === "running" ? [id] : []));
}

export function verifyingIds(entries: ReadonlyMap<number, EntryTask>): readonly number[] {
  return [...entries].flatMap(([id, { kind, progress }]) =>
    kind === "running" && progress.doing === "Verifying" ? [id] : [],
  );
}

export type EntryWork = "sending" | "Verifying" | "Sending again";

interface EntryProgress {
  readonly doing: EntryWork;
  readonly reason: string | null;
  readonly events: readonly SubmitEvent[];
  /** True if headers have been sent: the write can take effect from then on. */
  readonly sent: boolean;
}

export interface EntryEnd {
  readonly outcome: ActivityOutcome;
  /** The results of what was sent for it, in order. */
  readonly results: readonly WriteResult[];
}

interface FormProgress {
  readonly entries: readonly number[];
}

export interface FormEnd {
  /**
   * The results of the requests, in order. Only the last one can be unconfirmed, unless a second person
   * is asked about several.
   */
  readonly results: readonly [WriteResult, ...WriteResult[]];
  readonly failure: { readonly error: unknown } | null;
}

export type RunStage =
  | { readonly kind: "recording"; readonly recorded: number }
  | { readonly kind: "sending"; readonly progress: RunProgress | null };

export type ChosenSource =
  | { readonly kind: "file"; readonly path: string; readonly column: string | null }
  | { readonly kind: "pasted"; readonly text: string }
  | { readonly kind: "cohort"; readonly name: string };

interface ReconcileStage {
  readonly chosen: ChosenSource;
  readonly stage: { readonly phase: "reading" } | ReconcileProgress;
}

interface Comparison {
  readonly result: Reconciled;
  readonly comparedAt: number;
  readonly taken: ReadonlySet<number>;
  readonly corrected: ChosenSource | null;
  readonly isSeen: boolean;
}

export interface FileCheckRequest {
  readonly path: string;
  /** The kind of the rows, or null if the content of the file decides. */
  readonly kind: FormKind | null;
  readonly options: Pick<ReadingOptions, "group" | "query" | "allowMissing">;
}

interface FileProgress extends Omit<CheckProgress, "bytes"> {
  readonly request: FileCheckRequest;
  /** The share of the file's bytes that was read, from 0 to 1. */
  readonly share: number;
}

export type FileEnd =
  | { readonly kind: "checked"; readonly file: CheckedFile }
  | { readonly kind: "ambiguous"; readonly kinds: readonly PossibleKind[] };

export interface SentAs {
  readonly run: string;
  readonly at: number;
  readonly isRunning: boolean;
}

export interface CheckedFile extends Checked {
  readonly path: string;
  /**
   * The latest run of the same bytes, or null if none was sent or the file has an error before its
   * first row.
   */
  readonly sentAs: SentAs | null;
  readonly pending: number;
  readonly unlisted: number;
  readonly stamp: FileStamp;
  readonly checkedAt: number;
}

export type FileTask = Task<FileProgress, FileEnd>;
export type ReconcileTask = Task<ReconcileStage, Comparison>;
export type EntryTask = Task<EntryProgress, EntryEnd>;
export type FormTask = Task<FormProgress, FormEnd>;
export type RunTask = Task<RunStage, RunEnd>;

export const runPatienceMs = 5_000;

export type SessionTasks = ReturnType<typeof createSessionTasks>;

export function createSessionTasks(clock: Clock) {
  return {
    /** The work on entries, by journal ID. A form that is being sent works on its entries here. */
    entries: createTasks<number, EntryProgress, EntryEnd>(clock),
    /** The forms that are sent, by the ID of the draft. */
    forms: createTasks<string, FormProgress, FormEnd>(clock),
    runs: createTasks<string, RunStage, RunEnd>(clock),
    /** Comparisons of a list with a supplier's. The last comparison of each supplier stays. */
    reconciles: createTasks<string, ReconcileStage, Comparison>(clock),
    /** Checks of files, by path. The last check of each file stays. */
    files: createTasks<string, FileProgress, FileEnd>(clock),
  } as const;
}

export function startEntry(
  { entries }: SessionTasks,
  id: number,
  doing: EntryWork,
  work: (options: {
    readonly signal: AbortSignal;
    readonly onEvent: (event: SubmitEvent) => void;
  }) => Promise<EntryEnd>,
  reason: string | null = null,
): Promise<Finished<EntryTask>> | null {
  return entries.start(id, { doing, reason, events: [], sent: false }, ({ stop, update }) =>
    work({
      signal: stop,
      onEvent: (event) =>
        update(({ events, sent }) => ({
          doing,
          reason,
          events: [...events, event],
          sent: sent || event.kind === "headers-sent",
        })),
    }),
  );
}

export function skipWait({ entries }: SessionTasks, id: number): void {
  const task = entries.all.get().get(id);
  const last = task?.kind === "running" ? task.progress.events.at(-1) : undefined;
  if (last?.kind === "waiting") last.skip?.();
}
