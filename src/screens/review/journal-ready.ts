import { useEffect, useLayoutEffect, useState } from "react";
import { useConsole } from "../../hooks/console.tsx";
import { type SentBefore, sentBefore } from "../../hooks/sent-before.ts";
import { useSession } from "../../hooks/session.tsx";
import { JournalError } from "../../writes/journal/journal-error.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";

/** So long do keys wait for the journal, in milliseconds: a hand that waits for the screen is slower. */
const keysWaitMs = 500;

/** Whether there is a journal to put a write on record in, and what it knows of this one. */
export type JournalReady =
  | { readonly kind: "opening" }
  | { readonly kind: "ready"; readonly before: SentBefore }
  | { readonly kind: "failed"; readonly error: unknown };

/** Opens the journal, and asks it about these writes. */
export function useJournalReady(parts: readonly PreparedWrite[]): JournalReady {
  const session = useSession();
  const [ready, setReady] = useState<JournalReady>({ kind: "opening" });
  useKeysWaitWhile(ready.kind === "opening");
  useEffect(() => {
    let left = false;
    session
      .writes()
      .then((writes): JournalReady => ({ kind: "ready", before: sentBefore(writes, parts) }))
      .catch((error: unknown): JournalReady => ({ kind: "failed", error }))
      .then((next) => {
        if (!left) setReady(next);
      });
    return () => {
      left = true;
    };
  }, [session, parts]);
  return ready;
}

/**
 * A key that is typed ahead of the journal waits for it, so that it is not lost; what the journal knows
 * of the write is then asked about all the same. A journal that takes long keeps no key back.
 */
function useKeysWaitWhile(opening: boolean): void {
  const { holdKeys, clock } = useConsole();
  useLayoutEffect(() => {
    if (!opening) return;
    const letGo = holdKeys();
    const over = new AbortController();
    clock.sleep(keysWaitMs, over.signal).then(letGo, () => {});
    return () => {
      over.abort();
      letGo();
    };
  }, [opening, holdKeys, clock]);
}

/** Why nothing can be sent for want of a journal; null when there is one. */
export function journalWords(ready: JournalReady): string | null {
  switch (ready.kind) {
    case "ready":
      return null;
    // It is not sent by itself afterwards: what the journal knows of it may be a reason not to.
    case "opening":
      return "Opening the journal; nothing is sent before it is open and says what it knows…";
    case "failed": {
      const { error } = ready;
      const why = error instanceof Error ? error.message : String(error);
      const mend =
        error instanceof JournalError && error.mend ? ` This mends it: ${error.mend}` : "";
      return `Nothing can be sent without a journal: ${why}${mend}`;
    }
  }
}
