/** Work on several journal entries at a time, each as a task of the session. */
import { isAppError } from "../errors/app-error.ts";
import { count, plural } from "../text/numbers.ts";
import type { ActivityOutcome } from "../writes/activity.ts";
import type { GuardOverride } from "../writes/guard.ts";
import type { Operation } from "../writes/kinds/kind.ts";
import { planResend, resend } from "../writes/resend.ts";
import { entryOf, type SubmitOptions, type WriteContext } from "../writes/submit.ts";
import { planVerification, type VerifyPlan, verify } from "../writes/verify.ts";
import { Contents } from "../writes/words/contents.ts";
import type { Here } from "./app.ts";
import { passGate } from "./gate.ts";
import { discardSettled, failureWords } from "./journal-actions.ts";
import { type EntryEnd, type EntryWork, startEntry } from "./tasks.ts";

/** Number of entries that are worked on at a time, as at the start of a bulk run. */
const together = 4;

/** Entries read from the journal at a time. */
const readTogether = 200;

/** Work on each of several entries. */
interface ManyWork {
  readonly ids: readonly number[];
  /** Entries that the question was about and that are not worked on. */
  readonly leftOut: number;
  /** For example `Verifying`. */
  readonly doing: EntryWork;
  /** For example `Verified`. */
  readonly done: string;
  readonly work: (id: number, options: SubmitOptions) => Promise<EntryEnd>;
}

/** Starts the work and reports the result of all entries in one line. Ctrl-C cancels the rest. */
function workOn(here: Here, many: ManyWork): void {
  const { notices, inFlight } = here.app;
  const stop = new AbortController();
  const remove = inFlight.add(() => stop.abort());
  void workOnAll(here, many, stop.signal)
    .then((ends) => notices.announce(...endsWords(ends, many)))
    .finally(remove);
}

/** `2 entries` */
const entriesText = (n: number) => plural(n, "entry", "entries");

/**
 * The end of one entry, or null if it failed, was canceled, or is in progress elsewhere in the
 * console.
 */
type End = ActivityOutcome | null;

async function workOnAll(
  here: Here,
  { ids, doing, work }: ManyWork,
  signal: AbortSignal,
): Promise<readonly End[]> {
  const { tasks } = here.session;
  const ends: End[] = [];
  const waiting = ids.values();
  const one = async (id: number): Promise<End> => {
    const cancel = () => tasks.entries.cancel(id);
    signal.addEventListener("abort", cancel);
    const end = await startEntry(tasks, id, doing, (options) => work(id, options));
    signal.removeEventListener("abort", cancel);
    if (end?.kind !== "ended") return null;
    const { outcome } = end.end;
    discardSettled(here, id, outcome);
    return outcome;
  };
  const some = async () => {
    for (const id of waiting) ends.push(signal.aborted ? null : await one(id));
  };
  await Promise.all(Array.from({ length: together }, some));
  return ends;
}

function endsWords(
  ends: readonly End[],
  { leftOut, done }: ManyWork,
): readonly [words: string, tone: "ok" | "waiting"] {
  const of = (wanted: (end: End) => boolean, words: string) => {
    const n = ends.filter(wanted).length;
    return n === 0 ? [] : [`${count(n)} ${words}`];
  };
  const others: readonly ActivityOutcome[] = ["unknown", "rejected", "retryable", "unsent"];
  const parts = [
    ...others.flatMap((outcome) => of((end) => end === outcome, outcome)),
    ...of((end) => end === null, `not ${done.toLowerCase()}`),
    ...(leftOut === 0 ? [] : [`${count(leftOut)} left out`]),
    ...of((end) => end === "confirmed", "confirmed"),
  ];
  const isWell = ends.every((end) => end === "confirmed");
  return [`${done} ${entriesText(ends.length)}: ${parts.join(", ")}.`, isWell ? "ok" : "waiting"];
}

/** The effect of sending several entries again. */
interface ResendAll {
  readonly ids: readonly number[];
  readonly leftOut: number;
  /** The entries that might take effect twice: the service would not recognize the repetition. */
  readonly inDoubt: ReadonlySet<number>;
}

/**
 * Only entries that the retry table lets be sent again: retryable ones, without those that the
 * duplicate guard holds back. Rejects with a journal error.
 */
async function planAll(context: WriteContext, ids: readonly number[]): Promise<ResendAll> {
  const wanted: number[] = [];
  const inDoubt = new Set<number>();
  for (const [at, id] of ids.entries()) {
    // Each plan reads the journal; keys must be heard in between.
    if (at % readTogether === 0) await new Promise((resolve) => setImmediate(resolve));
    if (entryOf(context, id).state !== "retryable") continue;
    const { kind } = planResend(context, id);
    if (kind !== "safe" && kind !== "may-land-twice") continue;
    wanted.push(id);
    if (kind === "may-land-twice") inDoubt.add(id);
  }
  return { ids: wanted, leftOut: ids.length - wanted.length, inDoubt };
}

/** The items and the money of entries of one operation, read from their stored bytes. */
function contentsOf(context: WriteContext, operation: Operation, ids: readonly number[]): Contents {
  const contents = new Contents(operation);
  for (const id of ids) {
    const { body } = entryOf(context, id);
    if (body !== null) contents.addBody(body);
  }
  return contents;
}

/** The effect of verifying several entries. */
interface ManyPlan {
  /** Entries that are only checked at the service, without sending anything. */
  readonly reads: readonly number[];
  /** Sent again with the service's own check. */
  readonly sends: readonly number[];
  /** Left out: they cannot be read back, or their outcome is known. */
  readonly leftOut: number;
}

/** Sorts entries by the plan of their verification. Throws a journal error. */
function planMany(context: WriteContext, ids: readonly number[]): ManyPlan {
  const plans = ids.map((id) => ({ id, kind: planOf(context, id) }));
  const of = (...kinds: readonly VerifyPlan["kind"][]) =>
    plans.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
  return {
    reads: of("look-up"),
    sends: of("checked-resend", "by-item"),
    leftOut: of("impossible").length,
  };
}

function planOf(context: WriteContext, id: number): VerifyPlan["kind"] {
  try {
    return planVerification(context, id).kind;
  } catch (error) {
    // Another process may have found it out in the meantime.
    if (isAppError(error, "write")) return "impossible";
    throw error;
  }
}

/** Actions on several entries, each after one question; one notice reports all ends. */
interface ManyActions {
  /** Sends entries of one operation again, unchanged. */
  readonly resend: (ids: readonly number[]) => void;
  readonly verify: (ids: readonly number[]) => void;
}

/** Returns the actions on several entries. */
export function manyEntries(here: Here): ManyActions {
  const { app, session } = here;
  const { notices, lock } = app;
  const begin = (doing: string, act: (context: WriteContext) => Promise<void> | void) => {
    session
      .writes()
      .then(({ context }) => act(context))
      .catch((error: unknown) => notices.show(failureWords(error, doing), "bad"));
  };
  const resendAll = async (context: WriteContext, ids: readonly number[]) => {
    const { ids: wanted, leftOut, inDoubt: doubtful } = await planAll(context, ids);
    const inDoubt = doubtful.size > 0;
    const [first] = wanted;
    if (first === undefined) {
      notices.explain("None of them can be sent again unchanged; export and fix them.");
      return;
    }
    const { operation } = entryOf(context, first);
    const contents = contentsOf(context, operation, wanted);
    const workWith =
      (again: GuardOverride | null) => async (id: number, options: SubmitOptions) => {
        // The reason is for the entries in doubt, and no override for the others.
        const given = again === null || !doubtful.has(id) ? {} : { again };
        const result = await resend(context, id, { ...options, ...given });
        return { outcome: result.outcome, result };
      };
    passGate(
      here,
      {
        ...{ operation, inDoubt, target: null, rows: wanted.length, sum: contents.sum },
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
        const work = workWith(again);
        workOn(here, { ids: wanted, leftOut, doing: "Sending again", done: "Sent", work });
      },
    );
  };
  const verifyAll = (context: WriteContext, ids: readonly number[]) => {
    const { reads, sends, leftOut } = planMany(context, ids);
    const wanted = [...reads, ...sends];
    const work = (id: number, options: SubmitOptions) => verify(context, id, options);
    const go = () =>
      workOn(here, { ids: wanted, leftOut, doing: "Verifying", done: "Verified", work });
    if (wanted.length === 0) {
      notices.explain("None of them can be verified: open one to see where to check.");
    } else if (sends.length === 0) {
      if (lock.stands()) go();
    } else {
      passGate(
        here,
        {
          // The service adds each item once, so nothing is in doubt and no amount counts.
          ...{ operation: "notes create", inDoubt: false, target: null },
          ...{ rows: wanted.length, sum: null },
          doing: `Verify ${entriesText(wanted.length)}`,
          detail: joined(
            `The same bytes of ${entriesText(sends.length)} are sent again; the service adds each item once.`,
            reads.length === 0 ? "" : `${entriesText(reads.length)} only checked at the service.`,
            leftOut === 0 ? "" : `${entriesText(leftOut)} left out: they cannot be verified.`,
          ),
          yes: "Yes, verify them",
          reason: null,
        },
        go,
      );
    }
  };
  return {
    resend: (ids) => begin("sending entries again", (context) => resendAll(context, ids)),
    verify: (ids) => begin("verifying entries", (context) => verifyAll(context, ids)),
  };
}

/** Sentences in a row, without the empty ones. */
function joined(...sentences: readonly string[]): string {
  return sentences.filter((part) => part !== "").join(" ");
}
