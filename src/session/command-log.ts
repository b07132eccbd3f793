import type { Clock } from "../api/clock.ts";
import { createStore, type Store } from "./store.ts";

/** The most entries of the log; beyond, the oldest reads leave first. */
export const mostLogged = 1_000;

/** What happened to the service, or to a file. */
type LoggedKind = "read" | "write" | "export";

/** How something ended, in a word or two: an HTTP status, an outcome, a size. */
export interface LoggedEnd {
  readonly text: string;
  readonly tone: "plain" | "ok" | "waiting" | "bad";
  /** Where the rest is, as a sentence. */
  readonly detail?: string;
}

/** One thing that the console did, as the line that does the same. */
export interface LoggedCommand {
  readonly id: number;
  readonly kind: LoggedKind;
  /**
   * A `supplyline` command, a request where no command can name it, or a comment of the shell. It
   * has no body and no secret.
   */
  readonly line: string;
  /** Epoch milliseconds, of the last time where there were several. */
  readonly startedAt: number;
  /** Null while it runs. */
  readonly tookMs: number | null;
  readonly end: LoggedEnd | null;
  /** How often it was done with this end. */
  readonly times: number;
}

/** What the console did with one profile since it was opened, newest last, in bounded memory. */
export interface CommandLog {
  readonly entries: Store<readonly LoggedCommand[]>;
  /**
   * Logs the start of something; the returned function logs its end, once. A read that ends as it
   * did before counts up its line, unless something was sent or exported in between.
   */
  begin(kind: LoggedKind, line: string): (end: LoggedEnd) => void;
}

/** An empty log. */
export function createCommandLog(clock: Pick<Clock, "now">): CommandLog {
  const entries = createStore<readonly LoggedCommand[]>([]);
  let lastId = 0;
  return {
    entries,
    begin(kind, line) {
      lastId += 1;
      const id = lastId;
      const begun: LoggedCommand = {
        ...{ id, kind, line, startedAt: clock.now(), tookMs: null, end: null, times: 1 },
      };
      entries.set(bounded([...entries.get(), begun]));
      return (end) => {
        const { startedAt } = begun;
        const ended = { ...begun, end, tookMs: Math.max(0, clock.now() - startedAt) };
        entries.set(withEnd(entries.get(), ended));
      };
    },
  };
}

/** The log with an entry that has ended; one that has left the log meanwhile stays out of it. */
function withEnd(before: readonly LoggedCommand[], ended: LoggedCommand): readonly LoggedCommand[] {
  const at = before.findIndex(({ id, end }) => id === ended.id && end === null);
  if (at < 0) return before;
  const earlier = ended.kind === "read" ? earlierRead(before, ended, at) : -1;
  const times = ended.times + (before[earlier]?.times ?? 0);
  return before
    .map((one, place) => (place === at ? { ...ended, times } : one))
    .filter((_, place) => place !== earlier);
}

/** Where the same read with the same end is, with nothing but reads in between; -1 for nowhere. */
function earlierRead(all: readonly LoggedCommand[], ended: LoggedCommand, from: number): number {
  for (let place = from - 1; place >= 0; place--) {
    const one = all[place];
    if (one === undefined || one.kind !== "read") return -1;
    if (one.line === ended.line && one.end !== null && one.end.text === ended.end?.text) {
      return place;
    }
  }
  return -1;
}

function bounded(all: readonly LoggedCommand[]): readonly LoggedCommand[] {
  if (all.length <= mostLogged) return all;
  const oldest = Math.max(
    0,
    all.findIndex(({ kind }) => kind === "read"),
  );
  return all.toSpliced(oldest, 1);
}
