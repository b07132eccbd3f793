/** Work on several journal entries at a time, each as a task of the session. */
import { useCallback } from "react";
import { type EntryEnd, type EntryWork, type SessionTasks, startEntry } from "../session/tasks.ts";
import { count, plural } from "../text/numbers.ts";
import type { ActivityOutcome } from "../writes/activity.ts";
import type { SubmitOptions } from "../writes/submit.ts";
import { useInFlight } from "./in-flight.tsx";
import { useNotices } from "./notices.tsx";
import { useSession } from "./session.tsx";

/** Entries worked on at a time: as many as a bulk run begins with. */
const together = 4;

/** What is done to each of several entries. */
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

/** Starts the work and reports how all of it ended in one line; Ctrl-C cancels what is left. */
export function useManyEntries(): (many: ManyWork) => void {
  const { tasks } = useSession();
  const notices = useNotices();
  const inFlight = useInFlight();
  return useCallback(
    (many) => {
      const stop = new AbortController();
      const remove = inFlight.add(() => stop.abort());
      void workOnAll(tasks, many, stop.signal)
        .then((ends) => notices.announce(...endsWords(ends, many)))
        .finally(remove);
    },
    [tasks, notices, inFlight],
  );
}

/** `2 entries` */
export const entriesText = (n: number) => plural(n, "entry", "entries");

/** How one of them ended; null when it failed, was canceled, or is under way elsewhere here. */
type End = ActivityOutcome | null;

async function workOnAll(
  tasks: SessionTasks,
  { ids, doing, work }: ManyWork,
  signal: AbortSignal,
): Promise<readonly End[]> {
  const ends: End[] = [];
  const waiting = ids.values();
  const one = async (id: number): Promise<End> => {
    const cancel = () => tasks.entries.cancel(id);
    signal.addEventListener("abort", cancel);
    const end = await startEntry(tasks, id, doing, (options) => work(id, options));
    signal.removeEventListener("abort", cancel);
    if (end?.kind !== "ended") return null;
    const { outcome } = end.end;
    return outcome === "intent" ? "unsent" : outcome;
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
