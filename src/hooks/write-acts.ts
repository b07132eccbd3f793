import { useMemo } from "react";
import { describeError, oneLine } from "../text/describe-error.ts";
import type { ActivityRow } from "../writes/activity.ts";
import { close } from "../writes/close.ts";
import type { State } from "../writes/journal/entry.ts";
import { JournalError } from "../writes/journal/journal-error.ts";
import type { Writes } from "../writes/open-writes.ts";
import { planResend, type ResendPlan, resend } from "../writes/resend.ts";
import type { WriteResult } from "../writes/submit.ts";
import { planVerification, type VerifyPlan, verify } from "../writes/verify.ts";
import { WriteError } from "../writes/write-error.ts";
import { useInFlight } from "./in-flight.tsx";
import { useNotices } from "./notices.tsx";
import { useOverlays } from "./overlay.tsx";
import type { RunOptions } from "./running-writes.ts";
import { useSession } from "./session.tsx";
import { useUnlessLocked, useWriteLock } from "./write-lock.ts";

/** The entry's outcome, and the result of what was last sent or looked up. */
interface Came {
  readonly outcome: State;
  readonly result: WriteResult | null;
}

/** A journalled write that something is done with. */
export type Actable = Pick<
  ActivityRow,
  "journal_id" | "external_account_number" | "external_identifier"
>;

/** What an operator can do with a journalled write; each asks first where it sends anything. */
export interface WriteActs {
  verify(row: Actable): void;
  resend(row: Actable): void;
  close(row: Actable): void;
}

/** What verifying will do, to be read before it is done. */
export function verifyWords(plan: VerifyPlan): string {
  switch (plan.kind) {
    case "look-up":
      return "Verifying only reads: it looks for the supply point's import at the service. If it is there, that confirms it.";
    case "checked-resend":
      return "Verifying sends the same bytes again: what is there already the service reports as existing, and what is not there it adds. It lands once either way.";
    case "by-item":
      return `Verifying sends each of ${plan.positions.length} open items in a request of its own; what is there already the service reports as existing.`;
    case "impossible":
      return plan.why;
  }
}

/** What sending an entry again would mean. */
export function resendWords(plan: ResendPlan): string {
  switch (plan.kind) {
    case "safe":
      return "The same bytes are sent again. It cannot land twice: it has not landed, or the service recognises what is there already.";
    case "may-land-twice":
      return "It may have landed already, and the service would not notice that: sent again, it may be there twice. Look at the account first.";
    case "refused-before":
      return `The service has refused this form with 400 (entry ${plan.by}). Say why the same bytes are sent all the same.`;
    case "impossible":
      return plan.error.message;
  }
}

/** Any failure of the journal or of a run, on one line. */
export function failureWords(error: unknown, doing: string): string {
  if (error instanceof JournalError && error.mend) {
    return `${error.message} This mends it: ${error.mend}`;
  }
  if (error instanceof JournalError || error instanceof WriteError) return error.message;
  return oneLine(describeError(error, { doing }));
}

/**
 * Verify, resend and close, with the questions that come before them. `onImpossible` may show more
 * than a notice can hold when a write cannot be verified.
 */
export function useWriteActs(onImpossible?: (id: number) => void): WriteActs {
  const session = useSession();
  const overlays = useOverlays();
  const notices = useNotices();
  const inFlight = useInFlight();
  const locked = useWriteLock();
  const unlessLocked = useUnlessLocked();
  return useMemo(() => {
    const { running } = session;
    const production = session.profile.environment === "production";
    const withWrites = (doing: string, act: (writes: Writes) => void | Promise<void>) => {
      session
        .writes()
        .then(act)
        .catch((error: unknown) => notices.show(failureWords(error, doing), "bad"));
    };
    const start = (id: number, doing: string, work: (options: RunOptions) => Promise<Came>) => {
      let outcome: State = "unknown";
      const over = running.start(id, doing, async (options) => {
        const came = await work(options);
        outcome = came.outcome;
        return came.result;
      });
      if (over === null) {
        notices.show(`Write ${id} is under way already.`, "waiting");
        return;
      }
      const remove = inFlight.add(() => running.cancel(id));
      over.then((end) => {
        remove();
        if (end.kind === "failed") notices.announce(failureWords(end.error, doing), "bad");
        else
          notices.announce(`Write ${id}: ${outcome}`, outcome === "confirmed" ? "ok" : "waiting");
      });
    };
    return {
      verify: ({ journal_id: id }) =>
        withWrites(`verifying write ${id}`, ({ context }) => {
          const plan = planVerification(context, id);
          const go = () => start(id, "Verifying", (options) => verify(context, id, options));
          if (plan.kind === "impossible") {
            notices.show(plan.why, "waiting");
            onImpossible?.(id);
          } else if (plan.kind === "look-up") go();
          else if (locked !== null) notices.show(locked, "waiting");
          else {
            overlays.open({
              kind: "confirm",
              question: `Verify write ${id}?`,
              detail: verifyWords(plan),
              yes: "Yes, verify it",
              onYes: () => unlessLocked(go),
            });
          }
        }),
      resend: (row) => {
        const id = row.journal_id;
        if (locked !== null) {
          notices.show(locked, "waiting");
          return;
        }
        withWrites(`sending write ${id} again`, ({ context }) => {
          const plan = planResend(context, id);
          const go = (reason?: string) =>
            start(id, "Sending again", async (options) => {
              const again = reason === undefined ? {} : { again: { reason } };
              const result = await resend(context, id, { ...options, ...again });
              return { outcome: result.outcome, result };
            });
          const number = row.external_account_number ?? row.external_identifier ?? "";
          if (plan.kind === "impossible") notices.show(plan.error.message, "waiting");
          else if (production || plan.kind === "refused-before") {
            overlays.open({
              kind: "prompt",
              title: `Send write ${id} again unchanged?`,
              ...typedConfirmation(plan, production ? number : null),
              initial: "",
              onSubmit: (typed) => {
                const read = readConfirmation(plan, production ? number : null, typed);
                if (read.kind === "problem") return read.words;
                unlessLocked(() => go(read.reason));
                return null;
              },
            });
          } else {
            overlays.open({
              kind: "confirm",
              question:
                plan.kind === "may-land-twice"
                  ? `Send write ${id} again, although it may land twice?`
                  : `Send write ${id} again unchanged?`,
              detail: resendWords(plan),
              yes: "Yes, send it again",
              onYes: () => unlessLocked(() => go()),
            });
          }
        });
      },
      close: ({ journal_id: id }) =>
        overlays.open({
          kind: "prompt",
          title: `Close write ${id}`,
          label: "Reason",
          hint: "How you know what became of it; kept in the journal. Nothing is sent.",
          initial: "",
          onSubmit: (reason) => {
            if (reason === "") return "Closing takes a reason.";
            withWrites(`closing write ${id}`, async ({ context }) => {
              await close(context.journal, id, reason, context.clock.now());
              notices.show(`Write ${id}: closed`, "ok");
            });
            return null;
          },
        }),
    };
  }, [session, overlays, notices, inFlight, locked, unlessLocked, onImpossible]);
}

/** What is to be typed before it is sent: the number on production, the reason after a 400. */
function typedConfirmation(
  plan: ResendPlan,
  number: string | null,
): { readonly label: string; readonly hint: string } {
  const words = resendWords(plan);
  if (number === null) return { label: "Reason", hint: words };
  return plan.kind === "refused-before"
    ? { label: "Number and reason", hint: `${words} Type ${number} and then the reason.` }
    : { label: "Number", hint: `${words} Type ${number} to send it.` };
}

type Confirmation =
  | { readonly kind: "problem"; readonly words: string }
  | { readonly kind: "confirmed"; readonly reason?: string };

function readConfirmation(plan: ResendPlan, number: string | null, typed: string): Confirmation {
  const rest =
    number === null ? typed : typed.startsWith(number) ? typed.slice(number.length) : null;
  if (rest === null) return { kind: "problem", words: `That is not ${number}; nothing was sent.` };
  if (plan.kind !== "refused-before") {
    return rest === ""
      ? { kind: "confirmed" }
      : { kind: "problem", words: `That is not ${number}; nothing was sent.` };
  }
  const apart = number === null || /^\s/u.test(rest);
  const reason = rest.trim();
  return reason === "" || !apart
    ? { kind: "problem", words: "It takes a reason; nothing was sent." }
    : { kind: "confirmed", reason };
}
