import { type EntryRef, useJournalActions } from "../../hooks/journal-actions.ts";
import { useKeyWords } from "../../hooks/keys.tsx";
import { useWriteLock } from "../../hooks/lock.tsx";
import { useSession } from "../../hooks/session.tsx";
import { useStore } from "../../hooks/store.ts";
import type { Actions } from "../../keys/scopes.ts";
import { skipWait } from "../../session/tasks.ts";
import type { ActivityOutcome, ActivityRow } from "../../writes/activity.ts";
import { isOperation, kindOf } from "../../writes/kinds/kinds.ts";
import { useEditAsNew } from "./edit-as-new.ts";

const resendable: readonly ActivityOutcome[] = ["unsent", "rejected", "retryable", "unknown"];
const closable: readonly ActivityOutcome[] = ["unknown", "retryable", "unsent"];

/**
 * The keys of a journal entry; those that cannot work now say why.
 * `onImpossible` is called where verifying turns out to be.
 */
export function useRowActions(
  row: (EntryRef & Pick<ActivityRow, "outcome" | "operation">) | null,
  onImpossible?: (id: number) => void,
): Actions {
  const { tasks } = useSession();
  const entries = useStore(tasks.entries.all);
  const acts = useJournalActions(onImpossible);
  const locked = useWriteLock();
  const editAsNew = useEditAsNew();
  const key = useKeyWords();
  if (row === null) return {};
  const { outcome, operation, journal_id: id } = row;
  const task = entries.get(id);
  const busy = task?.kind === "running" ? `It is being sent; ${key("cancel")} cancels.` : null;
  const only = (allowed: readonly ActivityOutcome[], words: string) =>
    allowed.includes(outcome) ? null : words;
  return {
    verify: {
      run: () => acts.verify(row),
      disabled:
        busy ??
        only(["unknown"], "Its outcome is known: there is nothing to verify.") ??
        notReadable(operation),
    },
    resend: {
      run: () => acts.resend(row),
      disabled: busy ?? only(resendable, `It is ${outcome}; it cannot be sent again.`) ?? locked,
    },
    "close-write": {
      run: () => acts.close(row),
      disabled: busy ?? only(closable, "Only an unknown, retryable or unsent entry can be closed."),
    },
    edit: {
      label: "edit as new",
      run: () => editAsNew(id),
      disabled: busy ?? (outcome === "sending" ? "It is being sent." : null),
    },
    ...(task?.kind === "running" && task.progress.events.at(-1)?.kind === "waiting"
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
