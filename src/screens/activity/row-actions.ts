import { useCallback } from "react";
import { errorLine } from "../../errors/error-words.ts";
import { bodyShape } from "../../forms/fields.ts";
import { emptyForm, foldKey } from "../../forms/form-values.ts";
import { forms, isFormKind } from "../../forms/forms.ts";
import { parseJson } from "../../forms/parse-json.ts";
import { toValues } from "../../forms/to-values.ts";
import { useAnswers } from "../../hooks/answers.ts";
import { useApp, useHere, useSession, useWriteLock } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import type { Actions } from "../../keys/scopes.ts";
import { firstFolds, targetFields } from "../../session/draft-form.ts";
import { type EntryRef, journalActions } from "../../session/journal-actions.ts";
import { skipWait } from "../../session/tasks.ts";
import { newDraftId, type SavedDraft } from "../../settings/saved-drafts.ts";
import type { ActivityOutcome, ActivityRow } from "../../writes/activity.ts";
import { type ActivityDetail, bodyText, showActivity } from "../../writes/activity-detail.ts";
import { closable } from "../../writes/close.ts";
import { isOperation, kindOf } from "../../writes/kinds/kinds.ts";
import { isSkippable } from "../../writes/send/events.ts";

const resendable: readonly ActivityOutcome[] = ["unsent", "rejected", "retryable", "unknown"];

/**
 * The keys of a journal entry; those that cannot work now say why.
 * `onImpossible` is called where verifying turns out to be.
 */
export function useRowActions(
  row: (EntryRef & Pick<ActivityRow, "outcome" | "operation">) | null,
  onImpossible?: (id: number) => void,
): Actions {
  const here = useHere();
  const { tasks } = here.session;
  const entries = useStore(tasks.entries.all);
  const acts = journalActions(here, onImpossible);
  const locked = useWriteLock();
  const editAsNew = useEditAsNew();
  const { key } = here.app;
  const answers = useAnswers(row?.journal_id);
  if (row === null) return {};
  const { outcome, operation, journal_id: id } = row;
  const task = entries.get(id);
  const busy = task?.kind === "running" ? `It is being sent; ${key("cancel")} cancels.` : null;
  const only = (allowed: readonly ActivityOutcome[], words: string) =>
    allowed.includes(outcome) ? null : words;
  return {
    verify: {
      run: () => acts.verify(row),
      answers,
      disabled:
        busy ??
        only(["unknown"], "Its outcome is known: there is nothing to verify.") ??
        notReadable(operation),
    },
    resend: {
      run: () => acts.resend(row),
      answers,
      disabled: busy ?? only(resendable, `It is ${outcome}; it cannot be sent again.`) ?? locked,
    },
    "close-write": {
      run: () => acts.close(row),
      disabled:
        busy ??
        only(closable, "Only an unknown, rejected, retryable or unsent entry can be closed."),
    },
    edit: {
      label: "edit as new",
      footer: 24,
      run: () => editAsNew(id),
      disabled: busy ?? (outcome === "sending" ? "It is being sent." : null),
    },
    ...(task?.kind === "running" && isSkippable(task.progress.events.at(-1))
      ? { "cut-short": () => skipWait(tasks, id) }
      : {}),
  };
}

/** Why an entry of this operation cannot be verified, where to look first; null when it can be. */
function notReadable(operation: string): string | null {
  if (!isOperation(operation)) return null;
  const { readBack } = kindOf(operation);
  return readBack.by === "nothing" ? `Look at ${readBack.where}; it cannot be read back.` : null;
}

type Filled = Omit<SavedDraft, "id" | "profile" | "updatedAt">;

/** Opens the form of an entry's operation as a new draft that is filled with the entry's payload. */
function useEditAsNew(): (entry: number) => void {
  const session = useSession();
  const { formDrafts, clock, notices, navigation } = useApp();
  return useCallback(
    (entry) => {
      const open = async () => {
        const { journal } = (await session.writes()).context;
        const filled = draftOf(showActivity(journal, entry), bodyText(journal, entry));
        if (typeof filled === "string") {
          notices.show(filled, "waiting");
          return;
        }
        const id = newDraftId();
        const profile = session.profile.name;
        formDrafts.save({ ...filled, id, profile, updatedAt: clock.now() });
        navigation.push({ kind: "compose", draft: id });
      };
      open().catch((error: unknown) =>
        notices.show(errorLine(error, { doing: "opening the draft" }), "bad"),
      );
    },
    [session, formDrafts, clock, navigation, notices],
  );
}

/** A draft with an entry's payload, or why there can be none, in words. */
export function draftOf(detail: ActivityDetail, body: string | null): Filled | string {
  const { journal_id: id, operation, import_supplier: supplier } = detail;
  const kind = operation.replace(/ create$/u, "");
  if (!isFormKind(kind)) return `There is no form for ${operation}.`;
  if (body === null) return `The body of entry ${id} has been purged from the journal.`;
  const form = forms[kind];
  const account = detail.external_account_number ?? null;
  const given = targetFields(form, { supplier, account });
  const parsed = parseJson(form, body);
  const read = parsed.ok ? toValues(form, parsed.body) : null;
  const query = Object.entries(detail.query).map(([name, value]): [string, boolean] => [
    name,
    value === "true",
  ]);
  return {
    kind,
    supplier,
    account,
    value: {
      values: { ...(read?.values ?? emptyForm(form).values), ...given },
      folded: firstFolds(bodyShape(form).fields, []).map(foldKey),
    },
    query: Object.fromEntries(query),
    refusals: [],
    fromEntry: id,
    // What the form cannot hold waits beside it, as after an editor: nothing is left out unseen.
    ...(read !== null && read.unfit.length === 0 ? {} : { edited: body }),
  };
}
