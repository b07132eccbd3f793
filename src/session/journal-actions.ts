import { isAppError } from "../errors/app-error.ts";
import { errorWords, oneLine } from "../errors/error-words.ts";
import { discardSent } from "../state/drafts.ts";
import type { Tone } from "../theme.tsx";
import type { ActivityOutcome, ActivityRow } from "../writes/activity.ts";
import { close } from "../writes/close.ts";
import type { Writes } from "../writes/open-writes.ts";
import { bodyFacts } from "../writes/prepare.ts";
import { doubtOf, planResend, type ResendPlan, resend } from "../writes/resend.ts";
import { entryOf, type WriteContext } from "../writes/submit.ts";
import { planVerification, type VerifyPlan, verify } from "../writes/verify.ts";
import { describeRequests } from "../writes/words/contents.ts";
import { barWords, describeEarlierEntry } from "../writes/words/guard.ts";
import { noticeTone, outcomeWords } from "../writes/words/outcomes.ts";
import type { Here } from "./app.ts";
import { type ConsoleSend, passGate } from "./gate.ts";
import { logClosing } from "./logged-tasks.ts";
import { type EntryWork, startEntry } from "./tasks.ts";

/** The entry that an action is for. */
export type EntryRef = Pick<
  ActivityRow,
  "journal_id" | "external_account_number" | "external_identifier"
>;

/** The actions on an entry. Each action that sends something asks first. */
interface JournalActions {
  verify(row: EntryRef): void;
  resend(row: EntryRef): void;
  close(row: EntryRef): void;
}

/** Describes the verification of an entry. */
export function verifyWords(plan: VerifyPlan): string {
  switch (plan.kind) {
    case "look-up":
      return "Verifying only reads: it looks for the supply point's import at the service. If it is there, that confirms it.";
    case "checked-resend":
      return "Verifying sends the same request again. The service adds only what is missing, so nothing is applied twice.";
    case "by-item":
      return `Verifying sends each of ${plan.positions.length} open items in a separate request; the service reports what already exists.`;
    case "impossible":
      return plan.why;
  }
}

/** Describes the possible effects of resending an entry. */
export function resendWords(plan: ResendPlan): string {
  switch (plan.kind) {
    case "safe":
      return [
        "The same bytes are sent again. It cannot take effect twice: either it had no effect, or the service recognizes what already exists.",
        ...(plan.reported === undefined ? [] : [describeEarlierEntry(plan.reported)]),
      ].join(" ");
    case "may-land-twice":
      return "It might have taken effect, and the service would not recognize it: sent again, it might take effect twice. Check the account first.";
    case "refused-before":
    case "sent-before":
      return barWords(plan);
    case "impossible":
      return plan.error.message;
  }
}

/** A failure of the journal or of a task, on one line. */
export function failureWords(error: unknown, doing: string): string {
  const words = errorWords(error, { doing });
  // It names options of commands, and the console has keys.
  return oneLine(isAppError(error) ? { ...words, remedy: null } : words);
}

/**
 * Discards the draft that an entry came from if the entry is settled: it must not come back as if it
 * were new. A failure is a notice.
 */
export function discardSettled(
  { app: { formDrafts, notices }, session }: Here,
  id: number,
  outcome: ActivityOutcome,
): void {
  if (outcome !== "confirmed" && outcome !== "closed") return;
  try {
    discardSent(formDrafts, session.profile.name, id);
  } catch (error) {
    notices.show(failureWords(error, `discarding the draft of entry ${id}`), "bad");
  }
}

/**
 * Returns the ways to verify, resend and close entries, each with its confirmation. `onImpossible`
 * can show more than a notice has room for if an entry cannot be verified.
 */
export function journalActions(here: Here, onImpossible?: (id: number) => void): JournalActions {
  const { app, session } = here;
  const { formDrafts, notices, inFlight, overlays, lock } = app;
  const { tasks } = session;
  const withWrites = (doing: string, act: (writes: Writes) => void | Promise<void>) => {
    session
      .writes()
      .then(act)
      .catch((error: unknown) => notices.show(failureWords(error, doing), "bad"));
  };
  /** Reports the end of work on an entry, except on its screen, which shows it. */
  const announceEnd = (id: number, outcome: ActivityOutcome, tone: Tone) =>
    notices.announce(`Entry ${id}: ${outcomeWords[outcome].label}`, tone, {
      place: { kind: "write", id: String(id) },
      isShownThere: true,
    });
  const start = (id: number, doing: EntryWork, work: Parameters<typeof startEntry>[3]) => {
    const over = startEntry(tasks, id, doing, work);
    if (over === null) {
      notices.explain(`Entry ${id} is being sent or verified already.`);
      return;
    }
    const remove = inFlight.add(() => tasks.entries.cancel(id));
    void over.then((end) => {
      remove();
      if (end.kind === "failed") {
        notices.announce(failureWords(end.error, doing), "bad");
        return;
      }
      const { outcome } = end.end;
      discardSettled(here, id, outcome);
      announceEnd(id, outcome, noticeTone(outcome));
    });
  };
  return {
    verify: (row) => {
      const id = row.journal_id;
      withWrites(`verifying entry ${id}`, ({ context }) => {
        const plan = planVerification(context, id);
        const go = () => start(id, "Verifying", (options) => verify(context, id, options));
        if (plan.kind === "impossible") {
          notices.explain(plan.why);
          onImpossible?.(id);
          return;
        }
        if (plan.kind === "look-up") {
          if (lock.stands()) go();
          return;
        }
        const toSend = {
          ...toSendOf(context, row),
          inDoubt: false,
          doing: `Verify entry ${id} by sending it again: ${contentsOf(context, id)}`,
          detail: verifyWords(plan),
          yes: "Yes, verify it",
          reason: null,
        };
        passGate(here, toSend, go);
      });
    },
    resend: (row) => {
      const id = row.journal_id;
      withWrites(`resending entry ${id}`, ({ context }) => {
        const plan = planResend(context, id);
        if (plan.kind === "impossible") {
          notices.show(plan.error.message, "waiting");
          return;
        }
        const inDoubt = doubtOf(plan) !== null;
        const toSend = {
          ...toSendOf(context, row),
          inDoubt,
          doing: `Send entry ${id} again unchanged: ${contentsOf(context, id)}`,
          detail: resendWords(plan),
          yes: "Yes, send it again",
          reason: inDoubt ? { hint: "Why it is sent anyway.", without: null } : null,
        };
        passGate(here, toSend, (again) =>
          start(id, "Sending again", async (options) => {
            const given = again === null ? {} : { again };
            const result = await resend(context, id, { ...options, ...given });
            return { outcome: result.outcome, result };
          }),
        );
      });
    },
    close: ({ journal_id: id }) =>
      overlays.prompt({
        title: `Close entry ${id}`,
        label: "Reason",
        hint: "How you know that it is settled. The journal stores it; nothing is sent.",
        onSubmit: (reason) => {
          if (reason === "") return "Closing needs a reason.";
          withWrites(`closing entry ${id}`, async ({ context }) => {
            const logged = logClosing(session, id, reason);
            const profile = await close(context.journal, id, reason, context.clock.now()).catch(
              (error: unknown) => {
                logged({ text: "failed", tone: "bad" });
                throw error;
              },
            );
            logged({ text: "closed", tone: "ok" });
            discardSent(formDrafts, profile, id);
            announceEnd(id, "closed", "ok");
          });
          return null;
        },
      }),
  };
}

/** Returns the contents of an entry in words, from its stored bytes. Throws a write error. */
function contentsOf(context: WriteContext, id: number): string {
  const { operation, body } = entryOf(context, id);
  return describeRequests({ operation, facts: bodyFacts(operation, body ?? new Uint8Array()) });
}

/** Returns an entry as the gate asks about it: it counts as one, whatever its items. */
function toSendOf(
  context: WriteContext,
  { journal_id: id, external_account_number, external_identifier }: EntryRef,
): Pick<ConsoleSend, "operation" | "target" | "rows" | "sum"> {
  const target = external_account_number ?? external_identifier ?? "";
  return { operation: entryOf(context, id).operation, target, rows: 1, sum: null };
}
