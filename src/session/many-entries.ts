/** Verifies and resends several journal entries, with one question and one notice for all of them. */
import { count, plural } from "../text/numbers.ts";
import type { ActivityOutcome } from "../writes/activity.ts";
import { olderJournalError } from "../writes/older-journal.ts";
import { findingsOf, planResend, resendableEntries } from "../writes/resend.ts";
import type { WriteContext, WriteResult } from "../writes/send/events.ts";
import { entryOf } from "../writes/submit.ts";
import { unapprovedIn, withRequests } from "../writes/team/request-approval.ts";
import { verifiableEntries } from "../writes/verify.ts";
import { unapprovedWords } from "../writes/words/approvals.ts";
import { Contents } from "../writes/words/contents.ts";
import type { Here } from "./app.ts";
import {
  carryOut,
  failureWords,
  resendOf,
  verificationOf,
  type Work,
  withJournal,
} from "./entry-actions.ts";
import { passGate } from "./gate.ts";

const maxTogether = 4;

export function verifyEntries(here: Here, ids: readonly number[]): void {
  withJournal(here, "verifying entries", (context, isHere) => {
    const { notices, lock } = here.app;
    const { reads, sends, leftOut } = verifiableEntries(context, ids);
    const works = [...reads, ...sends].map((id) => verificationOf(context, id));
    const start = () => void workOnAll(here, context, works, leftOut);
    if (works.length === 0) {
      notices.explain("None of them can be verified: open one to see where to check.");
      return;
    }
    if (sends.length === 0) {
      if (lock.isProfileUnchanged()) start();
      return;
    }
    const send = {
      // The service adds each item once, so there is no doubt and no sum to confirm.
      operation: "notes create" as const,
      inDoubt: false,
      reason: null,
      target: null,
      rows: works.length,
      sum: null,
      doing: `Verify ${entriesText(works.length)}`,
      detail: joined(
        `The same bytes of ${entriesText(sends.length)} are sent again; the service adds each item once.`,
        reads.length === 0 ? "" : `${entriesText(reads.length)} only checked at the service.`,
        leftOut === 0 ? "" : `${entriesText(leftOut)} left out: they cannot be verified.`,
      ),
      yes: "Yes, verify them",
    };
    if (isHere()) passGate(here, send, start);
  });
}

/**
 * Resends entries of one operation unchanged. Asks first. `rejected` are the rejected ones that the
 * service would accept now.
 */
export function resendEntries(
  here: Here,
  ids: readonly number[],
  rejected: ReadonlySet<number> = new Set(),
): void {
  withJournal(here, "sending entries again", async (context, isHere) => {
    const older = olderJournalError(context.journal);
    if (older !== null) {
      here.app.notices.explain(older.message);
      return;
    }
    const resendable = await resendableEntries(context, ids, rejected);
    const { ids: wanted, leftOut, inDoubt: doubtful } = resendable;
    const [first] = wanted;
    if (first === undefined) {
      here.app.notices.explain("None of them can be sent again unchanged; export and fix them.");
      return;
    }
    const inDoubt = doubtful.size > 0;
    const plans = wanted.map((id) => planResend(context, id));
    const mightRepeat = inDoubt || plans.some(({ kind }) => kind === "overrides");
    const passes = plans.flatMap(findingsOf);
    const { operation } = entryOf(context, first);
    const contents = new Contents(operation);
    for (const id of wanted) {
      const { body } = entryOf(context, id);
      if (body !== null) contents.addBody(body);
    }
    const send = {
      operation,
      inDoubt,
      target: null,
      rows: wanted.length,
      sum: contents.sum,
      doing: `Send ${contents.words()} in ${entriesText(wanted.length)} again`,
      detail: joined(
        mightRepeat
          ? "They or the same items might have taken effect; sent again, they might take effect twice."
          : "The same bytes are sent again. They cannot take effect twice.",
        leftOut === 0 ? "" : `${entriesText(leftOut)} cannot be sent again unchanged.`,
      ),
      yes: "Yes, send them again",
      reason: inDoubt ? { passes, hint: "Why they are sent anyway.", without: null } : null,
    };
    if (!isHere()) return;
    passGate(here, send, (override) => {
      const overrideOf = (id: number) => (doubtful.has(id) ? override : null);
      const works = wanted.map((id) => resendOf(context, id, overrideOf(id)));
      void workOnAll(here, context, works, leftOut);
    });
  });
}

/**
 * The end of one entry: its outcome, `waiting` if no second person has approved it, or null if it failed,
 * was canceled, or is already in progress.
 */
type End = ActivityOutcome | "waiting" | null;

/** Verifies or resends entries, at most `maxTogether` at a time. `leftOut` have no work. */
async function workOnAll(
  here: Here,
  context: WriteContext,
  works: readonly Work[],
  leftOut: number,
): Promise<void> {
  const { app, session } = here;
  const running = new Set<number>();
  let isStopped = false;
  const remove = app.inFlight.add(() => {
    isStopped = true;
    for (const id of running) session.tasks.entries.cancel(id);
  });
  const ends: End[] = [];
  const unapproved: WriteResult[] = [];
  const waiting = works.values();
  let refused: string | null = null;
  const worker = async () => {
    for (const work of waiting) {
      // After a change of the profile or the lock, nothing more is sent, even if it is undone.
      refused ??= work.sends ? app.lock.refusal() : app.lock.check();
      if (isStopped || refused !== null) {
        ends.push(null);
        continue;
      }
      running.add(work.id);
      const end = await carryOut(here, context, work);
      running.delete(work.id);
      const results = end?.kind === "ended" ? end.end.results : [];
      const theirs = results.filter((result) => unapprovedIn(result) !== null);
      unapproved.push(...theirs);
      const outcome = end?.kind === "ended" ? end.end.outcome : null;
      ends.push(theirs.length === 0 ? outcome : "waiting");
    }
  };
  await Promise.all(Array.from({ length: maxTogether }, worker));
  remove();
  const { words: asked, hasFailed } = await askTogether(context, unapproved);
  const done = works[0]?.doing === "Verifying" ? "Verified" : "Sent";
  const isAllConfirmed = ends.every((end) => end === "confirmed");
  const words = joined(refused ?? "", endsWords(done, ends, leftOut), asked);
  const isBad = refused !== null || hasFailed;
  app.notices.announce(words, isBad ? "bad" : isAllConfirmed ? "ok" : "waiting");
}

/** Asks a second person about all entries together, and describes the requests, or the failure. */
async function askTogether(
  context: WriteContext,
  results: readonly WriteResult[],
): Promise<{ readonly words: string; readonly hasFailed: boolean }> {
  try {
    const asked = (await withRequests(context, results)).map(unapprovedIn);
    const sentences = asked.map((one) => (one === null ? "" : unapprovedWords(one)));
    return { words: joined(...new Set(sentences)), hasFailed: false };
  } catch (error) {
    return { words: failureWords(error, "asking a second person"), hasFailed: true };
  }
}

function endsWords(done: "Verified" | "Sent", ends: readonly End[], leftOut: number): string {
  const countOf = (wanted: End, words: string) => {
    const n = ends.filter((end) => end === wanted).length;
    return n === 0 ? [] : [`${count(n)} ${words}`];
  };
  const others: readonly ActivityOutcome[] = ["unknown", "rejected", "retryable", "unsent"];
  const parts = [
    ...others.flatMap((outcome) => countOf(outcome, outcome)),
    ...countOf("waiting", "for a second person"),
    ...countOf(null, `not ${done.toLowerCase()}`),
    ...(leftOut === 0 ? [] : [`${count(leftOut)} left out`]),
    ...countOf("confirmed", "confirmed"),
  ];
  return `${done} ${entriesText(ends.length)}: ${parts.join(", ")}.`;
}

const entriesText = (n: number) => plural(n, "entry", "entries");

function joined(...sentences: readonly string[]): string {
  return sentences.filter((part) => part !== "").join(" ");
}
