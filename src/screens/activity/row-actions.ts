import { useSession } from "../../hooks/session.tsx";
import { useStore } from "../../hooks/store.ts";
import { type Actable, useWriteActs } from "../../hooks/write-acts.ts";
import { useWriteLock } from "../../hooks/write-lock.ts";
import type { Actions } from "../../keys/scopes.ts";
import type { ActivityOutcome } from "../../writes/activity.ts";

const resendable: readonly ActivityOutcome[] = ["unsent", "rejected", "retryable", "unknown"];
const closable: readonly ActivityOutcome[] = ["unknown", "retryable", "unsent"];

/**
 * What can be done with a journalled write, as keys; those that make no sense now say why.
 * `onImpossible` is called where verifying turns out to be.
 */
export function useRowActions(
  row: (Actable & { readonly outcome: ActivityOutcome }) | null,
  onImpossible?: (id: number) => void,
): Actions {
  const { running } = useSession();
  const progress = useStore(running.progress);
  const acts = useWriteActs(onImpossible);
  const locked = useWriteLock();
  if (row === null) return {};
  const { outcome, journal_id: id } = row;
  const now = progress.get(id);
  const busy = now?.kind === "running" ? "It is under way; Ctrl-C cancels it." : null;
  const only = (allowed: readonly ActivityOutcome[], words: string) =>
    allowed.includes(outcome) ? null : words;
  return {
    verify: {
      run: () => acts.verify(row),
      disabled: busy ?? only(["unknown"], "Its outcome is known; there is nothing to verify."),
    },
    resend: {
      run: () => acts.resend(row),
      disabled: busy ?? only(resendable, `It is ${outcome}; it is not sent again.`) ?? locked,
    },
    "close-write": {
      run: () => acts.close(row),
      disabled:
        busy ??
        only(closable, "Only an unknown, retryable or unsent write is closed with a reason."),
    },
    ...(now?.kind === "running" && now.event?.kind === "waiting"
      ? { "cut-short": { run: () => running.skip(id) } }
      : {}),
  };
}
