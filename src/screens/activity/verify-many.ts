import { useCallback } from "react";
import { placeWords, useConfirm } from "../../hooks/confirm.ts";
import { useInFlight } from "../../hooks/in-flight.tsx";
import { failureWords } from "../../hooks/journal-actions.ts";
import { useUnlessLocked, useWriteLock } from "../../hooks/lock.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import { useProfileStands } from "../../hooks/profile-check.ts";
import { useSession } from "../../hooks/session.tsx";
import { type SessionTasks, startEntry } from "../../session/tasks.ts";
import type { Profile } from "../../settings/profile.ts";
import { count, plural } from "../../text/numbers.ts";
import type { ActivityOutcome } from "../../writes/activity.ts";
import { type Confirmation, confirmationOf } from "../../writes/confirmation.ts";
import type { WriteContext } from "../../writes/submit.ts";
import { planVerification, type VerifyPlan, verify } from "../../writes/verify.ts";
import { WriteError } from "../../writes/write-error.ts";

/** Entries verified at a time: as many as a bulk run begins with. */
const together = 4;

/** What verifying several entries would do. */
interface ManyPlan {
  /** Only checked at the service: nothing is sent. */
  readonly reads: readonly number[];
  /** Sent again with the service's own check. */
  readonly sends: readonly number[];
  /** Left out: they cannot be read back, or their outcome is known. */
  readonly leftOut: number;
}

/** Sorts entries by what verifying each would do. Throws JournalError. */
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
    if (error instanceof WriteError) return "impossible";
    throw error;
  }
}

/** Verifies several entries after one question, and reports how all of them ended in one line. */
export function useVerifyMany(): (ids: readonly number[]) => void {
  const session = useSession();
  const confirm = useConfirm();
  const stands = useProfileStands();
  const notices = useNotices();
  const inFlight = useInFlight();
  const locked = useWriteLock();
  const unlessLocked = useUnlessLocked();
  return useCallback(
    (ids) => {
      if (!stands()) return;
      const begin = async () => {
        const { context } = await session.writes();
        const { reads, sends, leftOut } = planMany(context, ids);
        const wanted = [...reads, ...sends];
        const go = () => {
          const stop = new AbortController();
          const remove = inFlight.add(() => stop.abort());
          void verifyAll(context, session.tasks, wanted, stop.signal)
            .then((ends) => notices.show(...endsWords(ends, leftOut)))
            .finally(remove);
        };
        if (wanted.length === 0) {
          notices.show("None of them can be verified: open one to see where to check.", "waiting");
        } else if (sends.length === 0) go();
        else if (locked !== null) notices.show(locked, "waiting");
        else {
          confirm(
            {
              asked: askedFor(session.profile.environment),
              title: `Verify ${entries(wanted.length)} ${placeWords(session)}`,
              detail: detailWords(reads.length, sends.length, leftOut),
              yes: "Yes, verify them",
              target: "",
              rows: wanted.length,
              sum: null,
              reason: null,
            },
            () => unlessLocked(go),
          );
        }
      };
      begin().catch((error: unknown) =>
        notices.show(failureWords(error, "verifying entries"), "bad"),
      );
    },
    [session, confirm, stands, notices, inFlight, locked, unlessLocked],
  );
}

const entries = (n: number) => plural(n, "entry", "entries");

function detailWords(reads: number, sends: number, leftOut: number): string {
  return [
    `The same bytes of ${entries(sends)} are sent again; the service adds each item once.`,
    reads === 0 ? "" : `${entries(reads)} only checked at the service.`,
    leftOut === 0 ? "" : `${entries(leftOut)} left out: they cannot be verified.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** As for any write of many rows: nothing of it is in doubt, the service adds each item once. */
function askedFor(environment: Profile["environment"]): Confirmation {
  return confirmationOf({ environment, operation: "notes create", rows: "many", inDoubt: false });
}

/** How one of them ended; null when it failed, was canceled, or is under way elsewhere here. */
type End = ActivityOutcome | null;

async function verifyAll(
  context: WriteContext,
  tasks: SessionTasks,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<readonly End[]> {
  const ends: End[] = [];
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      ends.push(signal.aborted ? null : await verifyOne(context, tasks, id, signal));
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return ends;
}

async function verifyOne(
  context: WriteContext,
  tasks: SessionTasks,
  id: number,
  signal: AbortSignal,
): Promise<End> {
  const cancel = () => tasks.entries.cancel(id);
  signal.addEventListener("abort", cancel);
  const end = await startEntry(tasks, id, "Verifying", (options) => verify(context, id, options));
  signal.removeEventListener("abort", cancel);
  if (end?.kind !== "ended") return null;
  const { outcome } = end.end;
  return outcome === "intent" ? "unsent" : outcome;
}

function endsWords(
  ends: readonly End[],
  leftOut: number,
): readonly [words: string, tone: "ok" | "waiting"] {
  const of = (wanted: (end: End) => boolean, words: string) => {
    const n = ends.filter(wanted).length;
    return n === 0 ? [] : [`${count(n)} ${words}`];
  };
  const others: readonly ActivityOutcome[] = ["unknown", "rejected", "retryable", "unsent"];
  const parts = [
    ...others.flatMap((outcome) => of((end) => end === outcome, outcome)),
    ...of((end) => end === null, "not verified"),
    ...(leftOut === 0 ? [] : [`${count(leftOut)} left out`]),
    ...of((end) => end === "confirmed", "confirmed"),
  ];
  const isWell = ends.every((end) => end === "confirmed");
  return [`Verified ${entries(ends.length)}: ${parts.join(", ")}.`, isWell ? "ok" : "waiting"];
}
