import { useCallback, useEffect, useState } from "react";
import { errorWords, oneLine } from "../../errors/error-words.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useCancellable, useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { askGuard, type GuardFinding, mostSevere, sameIdsOf } from "../../writes/guard.ts";
import type { Writes } from "../../writes/open-writes.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { writeServiceOf } from "../../writes/send/events.ts";
import { validateSupplyPoint } from "../../writes/validate.ts";
import { sameIdWords } from "../../writes/words/guard.ts";

/** The state of the service's validation of a supply point (INTERFACE 4.5). */
export type ValidationState =
  | { readonly kind: "none" }
  | { readonly kind: "asking"; readonly stop: AbortController }
  | { readonly kind: "passed"; readonly raw: string }
  | { readonly kind: "failed"; readonly error: unknown };

/** The state without a validation in progress. */
const idle = { abort: () => {} };

/** Sends a body to the service's validation. Nothing is created or recorded in the journal. */
export function useSubmitValidation(body: Uint8Array): {
  readonly state: ValidationState;
  validate(onFailed: (error: unknown) => void): void;
} {
  const { clock } = useApp();
  const session = useSession();
  const [seen, setSeen] = useState<{ body: Uint8Array; state: ValidationState } | null>(null);
  // Another body has not been validated, whatever the result for this one.
  const state: ValidationState = seen?.body === body ? seen.state : { kind: "none" };
  const stop = state.kind === "asking" ? state.stop : idle;
  useCancellable(
    state.kind === "asking",
    useCallback(() => stop.abort(), [stop]),
  );
  // The screen is closed: no one waits for the answer.
  useEffect(() => () => stop.abort(), [stop]);
  return {
    state,
    validate(onFailed) {
      if (state.kind === "asking") return;
      const asking = new AbortController();
      setSeen({ body, state: { kind: "asking", stop: asking } });
      const service = writeServiceOf(session.service);
      validateSupplyPoint({ service, clock, random: Math.random }, body, {
        signal: asking.signal,
      }).then(
        ({ body: raw }) => {
          session.report(null);
          setSeen({ body, state: { kind: "passed", raw } });
        },
        (error: unknown) => {
          session.report(error);
          setSeen({ body, state: { kind: "failed", error } });
          onFailed(error);
        },
      );
    },
  };
}

/** The state of the journal, and its findings about this write. */
export type JournalReady =
  | { readonly kind: "opening" }
  | {
      readonly kind: "ready";
      readonly finding: GuardFinding;
      /**
       * A sentence about IDs that were used before with other content, or null if there are none.
       */
      readonly sameIds: string | null;
    }
  | { readonly kind: "failed"; readonly error: unknown };

/** Opens the journal, and checks a write and the parts that it is sent in. */
export function useJournalReady(
  write: PreparedWrite,
  parts: readonly PreparedWrite[],
): JournalReady {
  const session = useSession();
  const [ready, setReady] = useState<JournalReady>({ kind: "opening" });
  useKeysWaitForJournal(ready.kind === "opening");
  useEffect(() => {
    let left = false;
    void session
      .writes()
      .then((writes): JournalReady => ({ kind: "ready", ...askedAbout(writes, write, parts) }))
      .catch((error: unknown): JournalReady => ({ kind: "failed", error }))
      .then((next) => {
        if (!left) setReady(next);
      });
    return () => {
      left = true;
    };
  }, [session, write, parts]);
  return ready;
}

/** Asks the duplicate guard; the whole write names its items best. Throws a journal error. */
function askedAbout({ context }: Writes, write: PreparedWrite, parts: readonly PreparedWrite[]) {
  const { baseUrl } = context.service;
  return context.journal.read((rows) => ({
    finding: mostSevere(
      [...new Set([write, ...parts])].map((one) => askGuard(rows, { baseUrl, write: one }, null)),
    ),
    sameIds: sameIdWords(sameIdsOf(rows, { baseUrl, write }), write.facts.labels),
  }));
}

/** Returns the reason why nothing can be sent without a journal, or null if it is open. */
export function journalWords(ready: JournalReady): string | null {
  switch (ready.kind) {
    case "ready":
      return null;
    // It is not sent automatically afterwards: the journal may know a reason not to.
    case "opening":
      return "Opening the journal; nothing is sent before it is open…";
    case "failed": {
      const { error } = ready;
      const words = { ...errorWords(error, { doing: "opening the journal" }), remedy: null };
      return `Nothing can be sent without a journal: ${oneLine(words)}`;
    }
  }
}
