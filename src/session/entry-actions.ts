/** Verifies, resends and closes journal entries as tasks of the session. */
import { isAppError } from "../errors/app-error.ts";
import { errorWords, oneLine } from "../errors/error-words.ts";
import { discardSent } from "../state/drafts.ts";
import { count, plural } from "../text/numbers.ts";
import type { ActivityOutcome } from "../writes/activity.ts";
import type { GuardOverride } from "../writes/guard.ts";
import { close } from "../writes/open-entries.ts";
import { bodyFacts } from "../writes/prepare.ts";
import { doubtOf, planResend, resend, resendableEntries, resendWords } from "../writes/resend.ts";
import type { SubmitOptions, WriteContext } from "../writes/send/events.ts";
import { entryOf } from "../writes/submit.ts";
import { planVerification, verifiableEntries, verify, verifyWords } from "../writes/verify.ts";
import { Contents, describeRequests } from "../writes/words/contents.ts";
import { noticeTone, outcomeWords } from "../writes/words/outcomes.ts";
import type { Here } from "./app.ts";
import { passGate } from "./gate.ts";
import { logClosing } from "./logged-work.ts";
import { numberOf } from "./plan.ts";
import { type EntryEnd, type EntryWork, startEntry } from "./tasks.ts";

/** Maximum number of entries in work at a time, as at the start of a bulk run. */
const together = 4;

/** The actions on entries, by journal ID. Each action that sends something asks first. */
interface EntryActions {
  verify(id: number): void;
  resend(id: number): void;
  close(id: number): void;
  /** Verifies several entries. Asks once, and reports all ends in one notice. */
  verifyAll(ids: readonly number[]): void;
  /** Resends entries of one operation unchanged. Asks once, and reports all ends in one notice. */
  resendAll(ids: readonly number[]): void;
}

/** The verification or the resend of entries. */
interface Work {
  readonly doing: Exclude<EntryWork, "sending">;
  readonly work: (id: number, options: SubmitOptions) => Promise<EntryEnd>;
  /** Returns the reason to resend an entry in doubt, or null for other entries, which need none. */
  readonly reasonOf: (id: number) => string | null;
}

/** Work on several entries. `leftOut` is the number of requested entries that are left out. */
interface ManyWork extends Work {
  readonly ids: readonly number[];
  readonly leftOut: number;
}

/**
 * Returns the actions on entries. `onImpossible` is called if an entry cannot be verified, and can
 * show more than a notice has room for.
 */
export function entryActions(here: Here, onImpossible?: (id: number) => void): EntryActions {
  const { app, session } = here;
  const { formDrafts, notices, inFlight, overlays, lock } = app;
  const { tasks } = session;
  const begin = (doing: string, act: (context: WriteContext) => void | Promise<void>) => {
    session
      .writes()
      .then(({ context }) => act(context))
      .catch((error: unknown) => notices.show(failureWords(error, doing), "bad"));
  };
  /** Reports the end of work on an entry, except on its screen, which shows it. */
  const announceEnd = (id: number, outcome: ActivityOutcome, tone = noticeTone(outcome)) =>
    notices.announce(`Entry ${id}: ${outcomeWords[outcome].label}`, tone, {
      place: { kind: "write", id: String(id) },
      isShownThere: true,
    });
  /**
   * Discards the draft of a settled entry, so that it is not offered as a new form. The draft
   * belongs to the profile of the entry, which is not always the open profile.
   */
  const discard = (id: number, profileOf: () => string) => {
    try {
      discardSent(formDrafts, profileOf(), id);
    } catch (error) {
      notices.show(failureWords(error, `discarding the draft of entry ${id}`), "bad");
    }
  };
  const start = async (context: WriteContext, id: number, { doing, work, reasonOf }: Work) => {
    const run = (options: SubmitOptions) => work(id, options);
    const end = await startEntry(tasks, id, doing, run, reasonOf(id));
    const outcome = end?.kind === "ended" ? end.end.outcome : null;
    if (outcome === "confirmed" || outcome === "closed")
      discard(id, () => entryOf(context, id).profile);
    return end;
  };
  const workOn = async (context: WriteContext, id: number, work: Work) => {
    const remove = inFlight.add(() => tasks.entries.cancel(id));
    const end = await start(context, id, work);
    remove();
    if (end === null) notices.explain(`Entry ${id} is being sent or verified already.`);
    else if (end.kind === "ended") announceEnd(id, end.end.outcome);
    else notices.announce(failureWords(end.error, work.doing), "bad");
  };
  const workOnAll = async (context: WriteContext, many: ManyWork) => {
    const stop = new AbortController();
    const { signal } = stop;
    const remove = inFlight.add(() => stop.abort());
    const ends: End[] = [];
    const waiting = many.ids.values();
    const one = async (id: number): Promise<End> => {
      const cancel = () => tasks.entries.cancel(id);
      signal.addEventListener("abort", cancel);
      const end = await start(context, id, many);
      signal.removeEventListener("abort", cancel);
      return end?.kind === "ended" ? end.end.outcome : null;
    };
    const some = async () => {
      for (const id of waiting) ends.push(signal.aborted ? null : await one(id));
    };
    await Promise.all(Array.from({ length: together }, some));
    remove();
    notices.announce(...endsWords(ends, many));
  };
  const verifying = (context: WriteContext): Work => ({
    doing: "Verifying",
    work: (id, options) => verify(context, id, options),
    reasonOf: () => null,
  });
  const resending = (
    context: WriteContext,
    again: GuardOverride | null,
    inDoubt: (id: number) => boolean,
  ): Work => {
    const reasonOf = (id: number) => (again !== null && inDoubt(id) ? again.reason : null);
    return {
      doing: "Sending again",
      reasonOf,
      async work(id, options) {
        const reason = reasonOf(id);
        const given = reason === null ? {} : { again: { reason } };
        const result = await resend(context, id, { ...options, ...given });
        return { outcome: result.outcome, result };
      },
    };
  };
  return {
    verify: (id) =>
      begin(`verifying entry ${id}`, (context) => {
        const plan = planVerification(context, id);
        const go = () => void workOn(context, id, verifying(context));
        if (plan.kind === "impossible") {
          notices.explain(plan.why);
          onImpossible?.(id);
        } else if (plan.kind === "look-up") {
          if (lock.isProfileUnchanged()) go();
        } else {
          const { contents, ...one } = askedAbout(context, id);
          const doing = `Verify entry ${id} by sending it again: ${contents}`;
          const words = { doing, detail: verifyWords(plan), yes: "Yes, verify it" };
          passGate(here, { ...one, ...words, inDoubt: false, reason: null }, go);
        }
      }),
    verifyAll: (ids) =>
      begin("verifying entries", (context) => {
        const { reads, sends, leftOut } = verifiableEntries(context, ids);
        const wanted = [...reads, ...sends];
        const go = () => void workOnAll(context, { ...verifying(context), ids: wanted, leftOut });
        if (wanted.length === 0) {
          notices.explain("None of them can be verified: open one to see where to check.");
          return;
        }
        if (sends.length === 0) {
          if (lock.isProfileUnchanged()) go();
          return;
        }
        passGate(
          here,
          {
            // The service adds each item once, so there is no doubt and no sum to confirm.
            operation: "notes create",
            inDoubt: false,
            reason: null,
            target: null,
            rows: wanted.length,
            sum: null,
            doing: `Verify ${entriesText(wanted.length)}`,
            detail: joined(
              `The same bytes of ${entriesText(sends.length)} are sent again; the service adds each item once.`,
              reads.length === 0 ? "" : `${entriesText(reads.length)} only checked at the service.`,
              leftOut === 0 ? "" : `${entriesText(leftOut)} left out: they cannot be verified.`,
            ),
            yes: "Yes, verify them",
          },
          go,
        );
      }),
    resend: (id) =>
      begin(`resending entry ${id}`, (context) => {
        const plan = planResend(context, id);
        if (plan.kind === "impossible") {
          notices.show(plan.error.message, "waiting");
          return;
        }
        const inDoubt = doubtOf(plan) !== null;
        const { contents, ...one } = askedAbout(context, id);
        const doing = `Send entry ${id} again unchanged: ${contents}`;
        const words = { doing, detail: resendWords(plan), yes: "Yes, send it again" };
        const reason = inDoubt ? { hint: "Why it is sent anyway.", without: null } : null;
        passGate(
          here,
          { ...one, ...words, inDoubt, reason },
          (again) =>
            void workOn(
              context,
              id,
              resending(context, again, () => true),
            ),
        );
      }),
    resendAll: (ids) =>
      begin("sending entries again", async (context) => {
        const { ids: wanted, leftOut, inDoubt: doubtful } = await resendableEntries(context, ids);
        const [first] = wanted;
        if (first === undefined) {
          notices.explain("None of them can be sent again unchanged; export and fix them.");
          return;
        }
        const inDoubt = doubtful.size > 0;
        const { operation } = entryOf(context, first);
        const contents = new Contents(operation);
        for (const id of wanted) {
          const { body } = entryOf(context, id);
          if (body !== null) contents.addBody(body);
        }
        passGate(
          here,
          {
            operation,
            inDoubt,
            target: null,
            rows: wanted.length,
            sum: contents.sum,
            doing: `Send ${contents.words()} in ${entriesText(wanted.length)} again`,
            detail: joined(
              inDoubt
                ? "They might have taken effect; sent again, they might take effect twice."
                : "They had no effect; the same bytes are sent again.",
              leftOut === 0 ? "" : `${entriesText(leftOut)} cannot be sent again unchanged.`,
            ),
            yes: "Yes, send them again",
            reason: inDoubt ? { hint: "Why they are sent anyway.", without: null } : null,
          },
          (again) => {
            const work = resending(context, again, (id) => doubtful.has(id));
            void workOnAll(context, { ...work, ids: wanted, leftOut });
          },
        );
      }),
    close: (id) =>
      overlays.prompt({
        title: `Close entry ${id}`,
        label: "Reason",
        hint: "How you know that it is settled. The journal stores it; nothing is sent.",
        onSubmit: (reason) => {
          if (reason === "") return "Closing needs a reason.";
          begin(`closing entry ${id}`, async ({ journal, clock }) => {
            const logged = logClosing(session, id, reason);
            const profile = await close(journal, id, reason, clock.now()).catch(
              (error: unknown) => {
                logged({ text: "failed", tone: "bad" });
                throw error;
              },
            );
            logged({ text: "closed", tone: "ok" });
            discard(id, () => profile);
            announceEnd(id, "closed", "ok");
          });
          return null;
        },
      }),
  };
}

/** Formats a failure of the journal or of a task on one line. */
export function failureWords(error: unknown, doing: string): string {
  const words = errorWords(error, { doing });
  // The remedy names options of commands, but the console has keys.
  return oneLine(isAppError(error) ? { ...words, remedy: null } : words);
}

/**
 * Returns the facts of an entry for the gate's question. An entry counts as one row, whatever its
 * number of items. Throws a write error.
 */
function askedAbout(context: WriteContext, id: number) {
  const { operation, body, target } = entryOf(context, id);
  const facts = bodyFacts(operation, body ?? new Uint8Array());
  const contents = describeRequests({ operation, facts });
  return { operation, target: numberOf(target), rows: 1, sum: null, contents };
}

/** Formats a number of entries, for example `2 entries`. */
const entriesText = (n: number) => plural(n, "entry", "entries");

/** Joins sentences with spaces, without the empty ones. */
function joined(...sentences: readonly string[]): string {
  return sentences.filter((part) => part !== "").join(" ");
}

/**
 * The end of one entry, or null if it failed, was canceled, or is already in progress in the
 * console.
 */
type End = ActivityOutcome | null;

function endsWords(
  ends: readonly End[],
  { leftOut, doing }: ManyWork,
): readonly [words: string, tone: "ok" | "waiting"] {
  const done = doing === "Verifying" ? "Verified" : "Sent";
  const of = (wanted: End, words: string) => {
    const n = ends.filter((end) => end === wanted).length;
    return n === 0 ? [] : [`${count(n)} ${words}`];
  };
  const others: readonly ActivityOutcome[] = ["unknown", "rejected", "retryable", "unsent"];
  const parts = [
    ...others.flatMap((outcome) => of(outcome, outcome)),
    ...of(null, `not ${done.toLowerCase()}`),
    ...(leftOut === 0 ? [] : [`${count(leftOut)} left out`]),
    ...of("confirmed", "confirmed"),
  ];
  const isWell = ends.every((end) => end === "confirmed");
  return [`${done} ${entriesText(ends.length)}: ${parts.join(", ")}.`, isWell ? "ok" : "waiting"];
}
