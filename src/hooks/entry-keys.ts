/** The keys of a journal entry: verify, resend, close, edit and skip the wait. */

import type { Actions } from "../keys/scopes.ts";
import { editAsNew } from "../session/edit-as-new.ts";
import { closeEntry, resendEntry, verifyEntry } from "../session/entry-actions.ts";
import { skipWait } from "../session/tasks.ts";
import type { ActivityOutcome, ActivityRow } from "../writes/activity.ts";
import { isOperation, kindOf } from "../writes/kinds/kinds.ts";
import { openOutcomes } from "../writes/open-entries.ts";
import { isSkippable } from "../writes/send/events.ts";
import { useHere, useWriteLock } from "./app.tsx";
import { useStore } from "./context.ts";
import { useIsQuestionDrawn } from "./in-flight.tsx";

const resendable: readonly ActivityOutcome[] = ["unsent", "rejected", "retryable", "unknown"];

/**
 * Returns the keys of a journal entry. A key that cannot be used has the reason. `onImpossible` is
 * called if the entry cannot be verified.
 */
export function useEntryKeys(
  row: Pick<ActivityRow, "journal_id" | "outcome" | "operation"> | null,
  onImpossible: (id: number) => void = () => {},
): Actions {
  const here = useHere();
  const { tasks } = here.session;
  const entries = useStore(tasks.entries.all);
  const locked = useWriteLock();
  const { key } = here.app;
  const isQuestionDrawn = useIsQuestionDrawn(row?.journal_id);
  if (row === null) return {};
  const { outcome, operation, journal_id: id } = row;
  const task = entries.get(id);
  const busy = task?.kind === "running" ? `It is being sent; ${key("cancel")} cancels.` : null;
  const last = task?.kind === "running" ? task.progress.events.at(-1) : undefined;
  const unless = (allowed: readonly ActivityOutcome[], reason: string) =>
    allowed.includes(outcome) ? null : reason;
  return {
    verify: {
      run: () => verifyEntry(here, id, onImpossible),
      isQuestionDrawn,
      disabled:
        busy ??
        unless(["unknown"], "Its outcome is known: there is nothing to verify.") ??
        notReadable(operation),
    },
    resend: {
      isMain: outcome === "retryable",
      run: () => resendEntry(here, id),
      isQuestionDrawn,
      disabled: busy ?? unless(resendable, `It is ${outcome}; it cannot be sent again.`) ?? locked,
    },
    "close-write": {
      run: () => closeEntry(here, id),
      disabled:
        busy ??
        unless(openOutcomes, "Only an unknown, rejected, retryable or unsent entry can be closed."),
    },
    edit: {
      label: outcome === "rejected" ? "correct" : "edit as new",
      isMain: outcome === "rejected",
      footer: 24,
      run: () => editAsNew(here, id),
      disabled: busy ?? (outcome === "sending" ? "It is being sent." : null),
    },
    ...(last?.kind === "waiting"
      ? {
          "cut-short": {
            run: () => skipWait(tasks, id),
            disabled: isSkippable(last)
              ? null
              : "The service asked for this wait; it is not skipped.",
          },
        }
      : {}),
  };
}

/**
 * Returns the reason why entries of this operation cannot be verified, with the place where the
 * user can check, or null if they can be verified.
 */
function notReadable(operation: string): string | null {
  if (!isOperation(operation)) return null;
  const { readBack } = kindOf(operation);
  return readBack.by === "nothing" ? `Look at ${readBack.where}; it cannot be read back.` : null;
}
