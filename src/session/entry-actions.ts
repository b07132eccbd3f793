/** Verifies, resends and closes journal entries as tasks of the session. */
import { isAppError } from "../errors/app-error.ts";
import { errorWords, oneLine } from "../errors/error-words.ts";
import { discardSent } from "../state/drafts.ts";
import type { ActivityOutcome } from "../writes/activity.ts";
import { close } from "../writes/close-entry.ts";
import { type Closing, type TookEffect, tookEffectAnswers } from "../writes/journal/entry.ts";
import type { Override } from "../writes/journal/override.ts";
import { numberOf } from "../writes/kinds/kind.ts";
import { isRejectedStill } from "../writes/open-entries.ts";
import { bodyFacts } from "../writes/prepare.ts";
import { doubtOf, findingsOf, planResend, resend, resendWords } from "../writes/resend.ts";
import type { SendOptions, WriteContext } from "../writes/send/events.ts";
import { entryOf } from "../writes/submit.ts";
import { unapprovedIn, withRequests } from "../writes/team/request-approval.ts";
import { planVerification, verify, verifyWords } from "../writes/verify.ts";
import { unapprovedWords } from "../writes/words/approvals.ts";
import { writeWords } from "../writes/words/contents.ts";
import { closedWords, noticeTone, outcomeWords } from "../writes/words/outcomes.ts";
import type { Here } from "./app.ts";
import { passGate } from "./gate.ts";
import { askLater } from "./late-questions.ts";
import { logClosing } from "./logged-work.ts";
import {
  type EntryEnd,
  type EntryTask,
  type EntryWork,
  type Finished,
  startEntry,
} from "./tasks.ts";

/**
 * Verifies an entry. Asks first if the verification sends something. `onImpossible` is called if the
 * entry cannot be verified, and can show more than a notice has room for.
 */
export function verifyEntry(here: Here, id: number, onImpossible: (id: number) => void): void {
  withJournal(here, `verifying entry ${id}`, (context, isHere) => {
    const { notices, lock } = here.app;
    const plan = planVerification(context, id);
    const start = () => void workOn(here, context, verificationOf(context, id));
    if (plan.kind === "impossible") {
      notices.explain(plan.why);
      onImpossible(id);
    } else if (plan.kind === "look-up") {
      if (lock.isProfileUnchanged()) start();
    } else if (isHere()) {
      const { contents, ...facts } = questionFacts(context, id);
      const doing = `Verify entry ${id} by sending it again: ${contents}`;
      const words = { doing, detail: verifyWords(plan), yes: "Yes, verify it" };
      passGate(here, { ...facts, ...words, inDoubt: false, reason: null }, start);
    }
  });
}

export function resendEntry(here: Here, id: number): void {
  withJournal(here, `resending entry ${id}`, (context, isHere) => {
    const plan = planResend(context, id);
    if (plan.kind === "impossible") {
      here.app.notices.show(plan.error.message, "waiting");
      return;
    }
    if (!isHere()) return;
    const inDoubt = doubtOf(plan) !== null;
    const { contents, ...facts } = questionFacts(context, id);
    const doing = `Send entry ${id} again unchanged: ${contents}`;
    const words = { doing, detail: resendWords(plan), yes: "Yes, send it again" };
    const passes = findingsOf(plan);
    const reason = inDoubt ? { passes, hint: "Why it is sent anyway.", without: null } : null;
    passGate(here, { ...facts, ...words, inDoubt, reason }, (override) => {
      void workOn(here, context, resendOf(context, id, override));
    });
  });
}

const closingChoices: Readonly<Record<TookEffect, { readonly label: string; hint: string }>> = {
  unknown: { label: "Not known", hint: "Items that might have taken effect stay held back." },
  yes: { label: "It took effect", hint: "It counts as confirmed, by you." },
  no: { label: "It had no effect", hint: "Its items can be sent again." },
};

export function closeEntry(here: Here, id: number): void {
  const hint = "How you know. The journal stores it; nothing is sent.";
  askClosing(here, { entry: String(id), hint }, (closing) =>
    withJournal(here, `closing entry ${id}`, (context) => closeWith(here, context, id, closing)),
  );
}

/** Closes a rejected entry whose corrected form was confirmed as the entry `by`. */
export function closeCorrected(here: Here, id: number, by: number): void {
  withJournal(here, `closing entry ${id}`, async (context) => {
    if (!isRejectedStill(context.journal, id)) return;
    const reason = `Corrected, and confirmed as entry ${by}.`;
    await closeWith(here, context, id, { tookEffect: "no", reason });
  });
}

async function closeWith(
  here: Here,
  { journal, clock }: WriteContext,
  id: number,
  closing: Closing,
): Promise<void> {
  const work = close(journal, id, closing, clock.now());
  const profile = await loggedClosing(here, String(id), closing, work);
  discardDraft(here, id, () => profile);
  announceEnd(here, id, "closed", "ok");
}

/** Asks if an entry took effect and for a reason. `hint` is shown beside the reason. */
export function askClosing(
  { app }: Here,
  { entry, hint }: { readonly entry: string; readonly hint: string },
  onClosing: (closing: Closing) => void,
): void {
  const askReason = (tookEffect: TookEffect) =>
    app.overlays.prompt({
      title: `Close entry ${entry}: ${closedWords[tookEffect].short}`,
      label: "Reason",
      hint,
      onSubmit: (reason) => {
        if (reason === "") return "Closing needs a reason.";
        onClosing({ reason, tookEffect });
        return null;
      },
    });
  const choices = tookEffectAnswers.map((tookEffect) => ({
    ...closingChoices[tookEffect],
    run: () => askReason(tookEffect),
  }));
  app.overlays.choose(`Close entry ${entry}: did it take effect?`, choices);
}

/** Logs the closing of an entry with its end. Rejects as `work` does. */
export async function loggedClosing<T>(
  { session }: Here,
  entry: string,
  closing: Closing,
  work: Promise<T>,
): Promise<T> {
  const logEnd = logClosing(session, entry, closing);
  try {
    const result = await work;
    logEnd({ text: "closed", tone: "ok" });
    return result;
  } catch (error) {
    logEnd({ text: "failed", tone: "bad" });
    throw error;
  }
}

export interface Work {
  readonly id: number;
  readonly doing: Exclude<EntryWork, "sending">;
  /** True if it sends the entry again. False if it only reads. */
  readonly sends: boolean;
  /** The reason to resend an entry in doubt, or null for other entries, which need none. */
  readonly reason: string | null;
  readonly run: (options: SendOptions) => Promise<EntryEnd>;
}

export function verificationOf(context: WriteContext, id: number): Work {
  const sends = planVerification(context, id).kind !== "look-up";
  const run = (options: SendOptions) => verify(context, id, options);
  return { id, doing: "Verifying", sends, reason: null, run };
}

export function resendOf(context: WriteContext, id: number, override: Override | null): Work {
  return {
    id,
    doing: "Sending again",
    sends: true,
    reason: override?.reason ?? null,
    async run(options) {
      const sent = await resend(context, id, { ...options, override: override ?? undefined });
      return { outcome: sent.outcome, results: [sent] };
    },
  };
}

/** Returns the work on one entry, which asks a second person where the team asks for two. */
function asking(context: WriteContext, work: Work): Work {
  const run: Work["run"] = async (options) => {
    const { outcome, results } = await work.run(options);
    return { outcome, results: await withRequests(context, results) };
  };
  return { ...work, run };
}

/**
 * Opens the journal, and passes its context to `act`, with a function that returns false if the user
 * has gone elsewhere, where no question may open. A notice reports a failure of `doing`.
 */
export function withJournal(
  { app, session }: Here,
  doing: string,
  act: (context: WriteContext, isHere: () => boolean) => void | Promise<void>,
): void {
  askLater(app, async (isHere) => act((await session.writes()).context, isHere)).catch(
    (error: unknown) => app.notices.show(failureWords(error, doing), "bad"),
  );
}

/**
 * Verifies or resends an entry, and discards its draft if the entry is settled afterward. Reads the
 * profile and the lock again first, because the entries before it can have taken a while. Returns
 * null if a task is already working on the entry.
 */
export async function carryOut(
  here: Here,
  context: WriteContext,
  { id, doing, sends, reason, run }: Work,
): Promise<Finished<EntryTask> | null> {
  const { lock } = here.app;
  const refusal = sends ? lock.refusal : lock.check;
  const work = (options: SendOptions) => run({ ...options, refusal });
  const end = await startEntry(here.session.tasks, id, doing, work, reason);
  const outcome = end?.kind === "ended" ? end.end.outcome : null;
  if (outcome === "confirmed" || outcome === "closed")
    discardDraft(here, id, () => entryOf(context, id).profile);
  return end;
}

async function workOn(here: Here, context: WriteContext, work: Work): Promise<void> {
  const { app, session } = here;
  const { notices, inFlight } = app;
  const { id, doing } = work;
  const remove = inFlight.add(() => session.tasks.entries.cancel(id));
  const end = await carryOut(here, context, asking(context, work));
  remove();
  if (end === null) notices.explain(`Entry ${id} is being sent or verified already.`);
  else if (end.kind === "ended") {
    const unapproved = end.end.results.map(unapprovedIn).find((one) => one !== null) ?? null;
    if (unapproved === null) announceEnd(here, id, end.end.outcome);
    else notices.announce(`Entry ${id}: ${unapprovedWords(unapproved)}`, "waiting");
  } else notices.announce(failureWords(end.error, doing), "bad");
}

function announceEnd(
  { app }: Here,
  id: number,
  outcome: ActivityOutcome,
  tone = noticeTone(outcome),
): void {
  app.notices.announce(`Entry ${id}: ${outcomeWords[outcome].label}`, tone, {
    place: { kind: "write", id: String(id) },
    isShownThere: true,
  });
}

/**
 * Discards the draft of a settled entry, so that it is not offered as a new form. The draft belongs
 * to the profile of the entry, which is not always the open profile.
 */
function discardDraft({ app }: Here, id: number, profileOf: () => string): void {
  try {
    discardSent(app.formDrafts, profileOf(), id);
  } catch (error) {
    app.notices.show(failureWords(error, `discarding the draft of entry ${id}`), "bad");
  }
}

export function failureWords(error: unknown, doing: string): string {
  const words = errorWords(error, { doing });
  // The remedy names options of commands, but the console has keys.
  return oneLine(isAppError(error) ? { ...words, remedy: null } : words);
}

/**
 * Returns the facts of an entry for the gate's question. An entry counts as one row, whatever its
 * number of items. Throws a write error.
 */
function questionFacts(context: WriteContext, id: number) {
  const { operation, body, target } = entryOf(context, id);
  const facts = bodyFacts(operation, body ?? new Uint8Array());
  const contents = writeWords({ operation, facts });
  return { operation, target: numberOf(target), rows: 1, sum: null, contents };
}
