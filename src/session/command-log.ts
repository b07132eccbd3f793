/** Logs the actions of the console as the command lines that do the same. */
import type { Clock } from "../api/clock.ts";
import { createStore, type Store } from "./store.ts";

export const maxLogEntries = 1_000;

type LoggedKind = "read" | "write" | "export";

export interface LoggedEnd {
  readonly text: string;
  readonly tone: "plain" | "ok" | "waiting" | "bad";
  readonly detail?: string;
}

export interface LoggedCommand {
  readonly id: number;
  readonly kind: LoggedKind;
  /**
   * A `supplyline` command, a request if no command can express it, or a comment of the shell. It
   * has no body and no secret.
   */
  readonly line: string;
  readonly startedAt: number;
  /** Duration in milliseconds, or null while the command runs. */
  readonly tookMs: number | null;
  readonly end: LoggedEnd | null;
  readonly times: number;
}

/**
 * The log of the console's actions with one profile since the profile was opened, newest last. It
 * is limited to {@link maxLogEntries} commands.
 */
export interface CommandLog {
  readonly entries: Store<readonly LoggedCommand[]>;
  /**
   * Logs the start of an action. The returned function logs its end, once. A repeated read with the
   * same end increases the count of its line, unless something was sent or exported in between.
   */
  begin(kind: LoggedKind, line: string): (end: LoggedEnd) => void;
}

export function createCommandLog(clock: Pick<Clock, "now">): CommandLog {
  const entries = createStore<readonly LoggedCommand[]>([]);
  let lastId = 0;
  return {
    entries,
    begin(kind, line) {
      lastId += 1;
      const id = lastId;
      const started: LoggedCommand = {
        id,
        kind,
        line,
        startedAt: clock.now(),
        tookMs: null,
        end: null,
        times: 1,
      };
      entries.set(withinLimit([...entries.get(), started]));
      return (end) => {
        const { startedAt } = started;
        const ended = { ...started, end, tookMs: Math.max(0, clock.now() - startedAt) };
        entries.set(withEnd(entries.get(), ended));
      };
    },
  };
}

/** Returns the log with the end of an entry. A dropped entry is not added again. */
function withEnd(before: readonly LoggedCommand[], ended: LoggedCommand): readonly LoggedCommand[] {
  const at = before.findIndex(({ id, end }) => id === ended.id && end === null);
  if (at < 0) return before;
  const earlier = ended.kind === "read" ? earlierRead(before, ended, at) : -1;
  const times = ended.times + (before[earlier]?.times ?? 0);
  return before
    .map((entry, index) => (index === at ? { ...ended, times } : entry))
    .filter((_, index) => index !== earlier);
}

/**
 * Returns the index of an earlier read with the same line and the same end, or -1 if there is none
 * or if something else than a read follows it.
 */
function earlierRead(all: readonly LoggedCommand[], ended: LoggedCommand, from: number): number {
  for (let index = from - 1; index >= 0; index--) {
    const entry = all[index];
    if (entry === undefined || entry.kind !== "read") return -1;
    if (entry.line === ended.line && entry.end !== null && entry.end.text === ended.end?.text) {
      return index;
    }
  }
  return -1;
}

function withinLimit(all: readonly LoggedCommand[]): readonly LoggedCommand[] {
  if (all.length <= maxLogEntries) return all;
  const oldest = Math.max(
    0,
    all.findIndex(({ kind }) => kind === "read"),
  );
  return all.toSpliced(oldest, 1);
}
