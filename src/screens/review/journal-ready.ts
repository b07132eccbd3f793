import { useEffect, useState } from "react";
import { useKeysWaitForJournal } from "../../hooks/keys-wait.ts";
import { useSession } from "../../hooks/session.tsx";
import { askGuard, type GuardFinding, mostSevere } from "../../writes/guard.ts";
import { JournalError } from "../../writes/journal/journal-error.ts";
import type { Writes } from "../../writes/open-writes.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";

/** Whether the journal is open, and what it knows of this write. */
export type JournalReady =
  | { readonly kind: "opening" }
  | { readonly kind: "ready"; readonly finding: GuardFinding }
  | { readonly kind: "failed"; readonly error: unknown };

/** Opens the journal, and asks it about these writes. */
export function useJournalReady(parts: readonly PreparedWrite[]): JournalReady {
  const session = useSession();
  const [ready, setReady] = useState<JournalReady>({ kind: "opening" });
  useKeysWaitForJournal(ready.kind === "opening");
  useEffect(() => {
    let left = false;
    void session
      .writes()
      .then((writes): JournalReady => ({ kind: "ready", finding: findingOf(writes, parts) }))
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

/** The most severe finding of the duplicate guard for these writes. Throws JournalError. */
function findingOf({ context }: Writes, parts: readonly PreparedWrite[]): GuardFinding {
  const { baseUrl } = context.service;
  return context.journal.read((rows) =>
    mostSevere(parts.map((write) => askGuard(rows, { baseUrl, write }, null))),
  );
}

/** Why nothing can be sent for want of a journal; null when there is one. */
export function journalWords(ready: JournalReady): string | null {
  switch (ready.kind) {
    case "ready":
      return null;
    // It is not sent automatically afterwards: the journal may know a reason not to.
    case "opening":
      return "Opening the journal; nothing is sent before it is open…";
    case "failed": {
      const { error } = ready;
      const why = error instanceof Error ? error.message : String(error);
      const remedy =
        error instanceof JournalError && error.remedy ? ` To fix it: ${error.remedy}` : "";
      return `Nothing can be sent without a journal: ${why}${remedy}`;
    }
  }
}
