/** Sends reviewed forms, and removes or updates their drafts afterward. */
import { errorLine } from "../errors/error-words.ts";
import { isFormValues, isValueRows } from "../forms/form-values.ts";
import type { SavedDraft, SavedDrafts } from "../state/drafts.ts";
import { plural } from "../text/numbers.ts";
import type { Override } from "../writes/journal/override.ts";
import { kindOf } from "../writes/kinds/kinds.ts";
import type { Writes } from "../writes/open-writes.ts";
import type { WriteRequest } from "../writes/prepare.ts";
import type { WriteContext, WriteResult } from "../writes/send/events.ts";
import { recordWrite, sendIntent } from "../writes/submit.ts";
import {
  unapprovedIn,
  waitingEntries,
  waitingUpTo,
  withRequests,
} from "../writes/team/request-approval.ts";
import { unapprovedWords } from "../writes/words/approvals.ts";
import { noticeTone } from "../writes/words/outcomes.ts";
import type { Here } from "./app.ts";
import { removeSent } from "./draft.ts";
import { closeCorrected } from "./entry-actions.ts";
import { type Plan, refusalsOfResult } from "./plan.ts";
import {
  type Finished,
  type FormEnd,
  type FormTask,
  type SessionTasks,
  startEntry,
} from "./tasks.ts";

/**
 * Sends a reviewed draft, with the user's override of the duplicate guard or null. Then removes the
 * draft and closes the rejected entry that it corrects if everything is confirmed, or else saves the
 * unconfirmed items in it. Closing the screen stops nothing.
 */
export function submitDraft(here: Here, id: string, plan: Plan, override: Override | null): void {
  const { app, session } = here;
  const { formDrafts, notices, inFlight } = app;
  let sent = formDrafts.find(id);
  // A draft that was changed during the send is another form, and stays unchanged.
  const unchangedDraft = () => {
    const draft = formDrafts.find(id);
    return draft !== null && draft.updatedAt === sent?.updatedAt ? draft : null;
  };
  const finished = sendForm(session.tasks, {
    draft: id,
    writes: session.writes,
    requests: plan.parts,
    override,
    sentAs: sent?.sentAs ?? null,
    refusal: app.lock.refusal,
    onRecorded(journalId) {
      const draft = unchangedDraft();
      if (draft === null) return;
      try {
        sent = formDrafts.save({ ...draft, sentAs: journalId }).draft;
      } catch {
        // The draft still exists. Only the journal ID is missing in it.
      }
    },
    onEnd({ results }) {
      const last = results.at(-1) ?? results[0];
      if (last.error !== null || last.httpStatus !== null) session.report(last.error);
      const unapproved = unapprovedIn(last);
      const ended =
        unapproved === null
          ? endWords(results, last)
          : `Journal entry ${last.journalId}: ${unapprovedWords(unapproved)}`;
      try {
        const draft = unchangedDraft();
        if (draft !== null) settleDraft(formDrafts, plan, draft, results);
      } catch (error) {
        // The outcome is known, whatever becomes of the draft.
        notices.announce(`${ended} ${errorLine(error, { doing: "saving the draft" })}`, "bad");
        return;
      }
      const place = { kind: "review", draft: id } as const;
      notices.announce(ended, noticeTone(last.outcome), { place, isShownThere: true });
      if (sent?.fromEntry !== undefined && isAllConfirmed(plan, results))
        closeCorrected(here, sent.fromEntry, last.journalId);
    },
  });
  // Ctrl-C cancels the send from every screen. Leaving the screen does not.
  if (finished !== null) void finished.then(inFlight.add(() => session.tasks.forms.cancel(id)));
}

function endWords(results: readonly WriteResult[], last: WriteResult): string {
  const before = results.length - 1;
  const confirmed = before === 0 ? "" : `${plural(before, "request")} confirmed; `;
  return `${confirmed}Journal entry ${last.journalId}: ${last.outcome}.`;
}

/** Removes a confirmed draft. Otherwise its unconfirmed items stay in it, with their refusals. */
function settleDraft(
  drafts: SavedDrafts,
  plan: Plan,
  draft: SavedDraft,
  results: FormEnd["results"],
): void {
  const last = results.at(-1) ?? results[0];
  if (isAllConfirmed(plan, results)) {
    removeSent(drafts, draft);
    return;
  }
  const confirmed = confirmedFirst(results);
  const rest = confirmed === 0 ? draft : withoutRows(plan, draft, confirmed);
  const refusals = refusalsOfResult(plan, last, confirmed);
  if (refusals.length > 0 || rest !== draft) drafts.save({ ...rest, refusals });
}

function isAllConfirmed(plan: Plan, results: FormEnd["results"]): boolean {
  return confirmedFirst(results) === plan.parts.length;
}

/** Returns the number of requests that are confirmed before the first that is not. */
export function confirmedFirst(results: FormEnd["results"]): number {
  const others = results.findIndex(({ outcome }) => outcome !== "confirmed");
  return others === -1 ? results.length : others;
}

function withoutRows(plan: Plan, draft: SavedDraft, count: number): SavedDraft {
  const { itemsField } = kindOf(plan.prepared.operation);
  const { value } = draft;
  if (itemsField === null || !isFormValues(value) || !isFormValues(value.values)) return draft;
  const rows = value.values[itemsField];
  if (!isValueRows(rows)) return draft;
  const values = { ...value.values, [itemsField]: rows.slice(count) };
  // Folds are saved by row number, and the rows have moved.
  return { ...draft, value: { ...value, values, folded: [] } };
}

export interface SubmitRequest {
  readonly draft: string;
  readonly writes: () => Promise<Writes>;
  /** The requests, sent one after another until one is not confirmed. */
  readonly requests: readonly WriteRequest[];
  /** The user's override of the duplicate guard, or null if there is none. */
  readonly override: Override | null;
  /**
   * The last entry of an earlier send of the draft, or null. Those of its entries that wait for an
   * approval are sent.
   */
  readonly sentAs?: number | null;
  /** Returns the reason why nothing can be sent, or null. It is called before each request. */
  readonly refusal: () => string | null;
  /** Called when a request is in the journal, before it is sent. It must not throw. */
  readonly onRecorded?: (journalId: number) => void;
  /** Called at the end of a form that sent something, before the end is shown. Must not throw. */
  readonly onEnd: (end: FormEnd) => void;
}

/** Sends a form as a task. Never rejects. Returns null if the draft is already being sent. */
export function sendForm(
  tasks: SessionTasks,
  form: SubmitRequest,
): Promise<Finished<FormTask>> | null {
  const { requests, refusal, sentAs = null } = form;
  const override = form.override ?? undefined;
  const sendOne = async (context: WriteContext, id: number, stop: AbortSignal) => {
    const ended = await startEntry(tasks, id, "sending", async ({ signal, onEvent }) => {
      const stopEither = AbortSignal.any([stop, signal]);
      const result = await sendIntent(context, id, { signal: stopEither, onEvent });
      return { outcome: result.outcome, results: [result] };
    });
    if (ended?.kind === "failed") throw ended.error;
    const [result] = ended?.end.results ?? [];
    if (result === undefined) throw new Error(`Entry ${id} is being sent elsewhere.`);
    return result;
  };
  return tasks.forms.start(form.draft, { entries: [] }, async ({ stop, update }) => {
    const ids: number[] = [];
    let results: readonly WriteResult[] = [];
    let failure: FormEnd["failure"] = null;
    try {
      const { context } = await form.writes();
      const earlier = override === undefined ? waitingUpTo(context, sentAs) : [];
      const waiting = waitingEntries(context, earlier);
      for (const request of requests) {
        // Canceling a request also cancels the requests after it.
        if (results.length > 0 && stop.aborted) break;
        const id =
          waiting(request) ??
          (await recordWrite(context, request, { override, refusal, signal: stop }));
        form.onRecorded?.(id);
        ids.push(id);
        update(() => ({ entries: [...ids] }));
        const result = await sendOne(context, id, stop);
        results = [...results, result];
        // A second person is asked about all requests together.
        if (result.outcome !== "confirmed" && unapprovedIn(result) === null) break;
      }
      results = await withRequests(context, results);
    } catch (error) {
      failure = { error };
    }
    const [first, ...others] = results;
    if (first === undefined) throw failure?.error;
    const end: FormEnd = { results: [first, ...others], failure };
    // The draft is settled on disk before the end is shown.
    form.onEnd(end);
    return end;
  });
}

export type Submission =
  /** The entry is being recorded. No request can have been sent. */
  | { readonly kind: "recording" }
  | {
      readonly kind: "sending";
      readonly journalId: number;
    }
  | ({ readonly kind: "ended" } & FormEnd)
  /** No request has a result: the guard barred the first one, or the journal failed. */
  | { readonly kind: "failed"; readonly error: unknown };

export function submissionOf(task: FormTask): Submission {
  const journalId = task.progress.entries.at(-1) ?? null;
  switch (task.kind) {
    case "running":
      return journalId === null ? { kind: "recording" } : { kind: "sending", journalId };
    case "ended":
      return { kind: "ended", ...task.end };
    case "failed":
      return { kind: "failed", error: task.error };
  }
}
