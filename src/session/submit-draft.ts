import { errorLine } from "../errors/error-words.ts";
import type { SavedDraft } from "../state/drafts.ts";
import { plural } from "../text/numbers.ts";
import type { GuardOverride } from "../writes/guard.ts";
import type { WriteRequest } from "../writes/prepare.ts";
import type { WriteResult } from "../writes/submit.ts";
import { noticeTone } from "../writes/words/outcomes.ts";
import type { Here } from "./app.ts";
import { leftAfterSending } from "./draft-form.ts";
import { sendForm } from "./send-form.ts";

/** A draft that is to be sent. */
export interface DraftToSubmit {
  readonly draft: string;
  /** Sent one after another, until one is not confirmed. */
  readonly requests: readonly WriteRequest[];
  /** The operator's way past the duplicate guard. */
  readonly again: GuardOverride | null;
  /**
   * Returns the draft without its confirmed items and with its refusals, or null if nothing is left
   * of it.
   */
  readonly settle: (draft: SavedDraft, results: readonly WriteResult[]) => SavedDraft | null;
}

/**
 * Sends a draft through the one write path. Then the draft is removed if everything is confirmed,
 * or else the rest of it is saved. This does not depend on the screen.
 */
export function submitDraft(
  { app, session }: Here,
  { draft: id, requests, again, settle }: DraftToSubmit,
): void {
  const { formDrafts, notices, inFlight } = app;
  let sent = formDrafts.find(id);
  // What was typed while it was under way is another form, and is left alone.
  const asSent = () => {
    const draft = formDrafts.find(id);
    return draft !== null && draft.updatedAt === sent?.updatedAt ? draft : null;
  };
  const keepRest = (results: readonly WriteResult[]) => {
    const draft = asSent();
    if (draft === null) return;
    const rest = settle(draft, results) ?? leftAfterSending(draft);
    if (rest === null) formDrafts.remove(id, draft);
    else if (rest !== draft) formDrafts.save(rest);
  };
  // Ctrl-C reaches it from every screen: leaving one with a write under way ends nothing.
  const forget = inFlight.add(() => session.tasks.forms.cancel(id));
  const over = sendForm(session.tasks, {
    draft: id,
    writes: session.writes,
    requests,
    again,
    onRecorded(journalId) {
      const draft = asSent();
      if (draft === null) return;
      try {
        sent = formDrafts.save({ ...draft, sentAs: journalId }).draft;
      } catch {
        // Only the mark is missing: the draft itself is there.
      }
    },
    onEnd(end) {
      const last = end.results.at(-1) ?? end.results[0];
      if (last.error !== null || last.httpStatus !== null) session.report(last.error);
      try {
        keepRest(end.results);
        notices.announce(endWords(end.results, last), noticeTone(last.outcome), {
          place: { kind: "review", draft: id },
          isShownThere: true,
        });
      } catch (error) {
        notices.announce(errorLine(error, { doing: "saving the draft" }), "bad");
      }
    },
  });
  if (over === null) forget();
  else void over.then(forget);
}

function endWords(results: readonly WriteResult[], last: WriteResult): string {
  const before = results.length - 1;
  const confirmed = before === 0 ? "" : `${plural(before, "request")} confirmed; `;
  return `${confirmed}Journal entry ${last.journalId}: ${last.outcome}.`;
}
