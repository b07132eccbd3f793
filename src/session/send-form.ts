import type { Again } from "../writes/guard.ts";
import type { Writes } from "../writes/open-writes.ts";
import type { WriteRequest } from "../writes/prepare.ts";
import {
  intend,
  type SubmitEvent,
  sendIntent,
  type WriteContext,
  type WriteResult,
} from "../writes/submit.ts";
import {
  type EntryTask,
  type Finished,
  type FormEnd,
  type FormTask,
  type SessionTasks,
  startEntry,
} from "./tasks.ts";

/** A form to send. */
export interface FormToSend {
  readonly draft: string;
  readonly writes: () => Promise<Writes>;
  /** Sent one after another, until one is not confirmed. */
  readonly requests: readonly WriteRequest[];
  /** The operator's way past the duplicate guard. */
  readonly again: Again | null;
  /** Called when a request is in the journal, before it is sent; it must not throw. */
  readonly onRecorded?: (journalId: number) => void;
  /** Called once anything was sent and has ended, before the end is shown; it must not throw. */
  readonly onEnd: (end: FormEnd) => void;
}

/**
 * Sends a form as a task of the session. Never rejects; null when the draft is being sent already.
 */
export function sendForm(
  tasks: SessionTasks,
  form: FormToSend,
): Promise<Finished<FormTask>> | null {
  const { requests, again } = form;
  const options = again === null ? {} : { again };
  const sendOne = async (context: WriteContext, id: number, stop: AbortSignal) => {
    const ended = await startEntry(tasks, id, "sending", async ({ signal, onEvent }) => {
      const either = AbortSignal.any([stop, signal]);
      const result = await sendIntent(context, id, { ...options, signal: either, onEvent });
      return { outcome: result.outcome, result };
    });
    if (ended?.kind === "failed") throw ended.error;
    if (!ended?.end.result) throw new Error(`Entry ${id} is being sent elsewhere.`);
    return ended.end.result;
  };
  return tasks.forms.start(form.draft, { entries: [] }, async ({ stop, update }) => {
    const sent: number[] = [];
    const results: WriteResult[] = [];
    let failure: FormEnd["failure"] = null;
    try {
      const { context } = await form.writes();
      for (const request of requests) {
        // Canceling the last request cancels those after it too.
        if (results.length > 0 && stop.aborted) break;
        const id = await intend(context, request, { ...options, signal: stop });
        form.onRecorded?.(id);
        sent.push(id);
        update(() => ({ entries: [...sent] }));
        const result = await sendOne(context, id, stop);
        results.push(result);
        if (result.outcome !== "confirmed") break;
      }
    } catch (error) {
      failure = { error };
    }
    const [first, ...others] = results;
    if (first === undefined) throw failure?.error;
    const events = eventsOf(sent, tasks.entries.all.get());
    const end: FormEnd = { events, results: [first, ...others], failure };
    // The draft is settled on disk before the end is shown.
    form.onEnd(end);
    return end;
  });
}

/** The state of a form that was sent, as its screen shows it. */
export type Submission =
  /** It is being recorded; nothing can have left this machine. */
  | { readonly kind: "recording" }
  | {
      readonly kind: "sending";
      /** The entry of the request that is being sent. */
      readonly journalId: number;
      readonly events: readonly SubmitEvent[];
      /** Whether headers of this request have left for the wire. */
      readonly sent: boolean;
    }
  | ({ readonly kind: "ended" } & FormEnd)
  /** It was refused before it was sent, or the journal failed. */
  | { readonly kind: "failed"; readonly error: unknown; readonly journalId: number | null };

/** The state of a form from its task and those of its entries. */
export function submissionOf(task: FormTask, entries: ReadonlyMap<number, EntryTask>): Submission {
  const journalId = task.progress.entries.at(-1) ?? null;
  switch (task.kind) {
    case "running":
      return journalId === null
        ? { kind: "recording" }
        : {
            kind: "sending",
            journalId,
            events: eventsOf(task.progress.entries, entries),
            sent: entries.get(journalId)?.progress.sent ?? false,
          };
    case "ended":
      return { kind: "ended", ...task.end };
    case "failed":
      return { kind: "failed", error: task.error, journalId };
  }
}

function eventsOf(
  ids: readonly number[],
  entries: ReadonlyMap<number, EntryTask>,
): readonly SubmitEvent[] {
  return ids.flatMap((journalId) => [
    { kind: "queued", journalId } as const,
    ...(entries.get(journalId)?.progress.events ?? []).filter(({ kind }) => kind !== "outcome"),
  ]);
}
