/**
 * Stores the observed states of accounts and other subjects, and reads their timelines. States wait
 * in memory for a short time, so that many share a commit.
 */
import type { Clock } from "../../api/clock.ts";
import { type Row, type Rows, text } from "../../sqlite/rows.ts";
import { keyOf, observe, type Transition, type WatchSubject } from "../../watch/timeline.ts";

/**
 * Maximum number of stored subjects. Subjects that were not seen for the longest time are deleted
 * first.
 */
const maxSubjects = 20_000;

export interface StoredCheck {
  readonly subject: WatchSubject;
  readonly state: string;
  readonly at: number;
}

/** Returns the stored timeline of a subject, oldest first. It is empty before the first check. */
export function timelineOf(rows: Rows, origin: string, subject: WatchSubject): Transition[] {
  const row = rows.get(
    "SELECT timeline FROM sighting WHERE origin = ? AND subject = ?",
    origin,
    keyOf(subject),
  );
  return row === undefined ? [] : readTimeline(row);
}

const maxImports = 500;

/**
 * Returns the durations, in milliseconds, of the imports of a supplier's accounts whose start and
 * end were observed, latest first.
 */
export function importTimes(rows: Rows, origin: string, supplier: string): number[] {
  // The accounts of a supplier are a range of keys: from the comma after the supplier to the next
  // character after a comma.
  const key = JSON.stringify(["account", supplier]).slice(0, -1);
  const found = rows.all(
    `SELECT timeline FROM sighting WHERE origin = ? AND subject >= ? AND subject < ?
     AND timeline LIKE '%"COMPLETED"%' ORDER BY at DESC LIMIT ?`,
    ...[origin, `${key},`, `${key}-`, maxImports],
  );
  return found.flatMap((row) => {
    const timeline = readTimeline(row);
    const end = timeline.findIndex(({ state }) => state === "COMPLETED");
    const started = timeline[end - 1];
    const completed = timeline[end];
    // The start of an import is unknown if the first check found the import in progress.
    if (end < 2 || started?.state !== "IN_PROGRESS" || completed === undefined) return [];
    return [completed.firstSeenAt - started.firstSeenAt];
  });
}

function readTimeline(row: Row): Transition[] {
  const timeline: unknown = JSON.parse(text(row, "timeline"));
  return Array.isArray(timeline) ? timeline.filter(isTransition) : [];
}

function isTransition(value: Partial<Transition> | null): value is Transition {
  return (
    typeof value?.state === "string" &&
    typeof value.firstSeenAt === "number" &&
    typeof value.lastSeenAt === "number"
  );
}

/** Adds observed states, oldest first, inside a commit. */
export function addChecks(rows: Rows, origin: string, checks: readonly StoredCheck[]): void {
  for (const { subject, state, at } of checks) {
    const timeline = timelineOf(rows, origin, subject);
    // Another process might have recorded a later state.
    if ((timeline.at(-1)?.lastSeenAt ?? at) > at) continue;
    const next = JSON.stringify(observe(timeline, { state }, at));
    rows.replace("sighting", { origin, subject: keyOf(subject), at, timeline: next });
  }
  rows.run(
    "DELETE FROM sighting WHERE at < (SELECT at FROM sighting ORDER BY at DESC LIMIT 1 OFFSET ?)",
    maxSubjects,
  );
}

/** Milliseconds from the first unchanged state until all unchanged states are stored together. */
const unchangedDelayMs = 10_000;
/**
 * Maximum number of subjects whose latest state is cached. A subject without a cached state counts
 * as changed.
 */
const maxKnown = 10_000;

export class CheckBuffer {
  readonly #clock: Clock;
  readonly #storeAll: (checks: readonly StoredCheck[]) => Promise<void>;
  readonly #life = new AbortController();
  #waiting: StoredCheck[] = [];
  readonly #states = new Map<string, string>();

  /** `storeAll` must not reject. */
  constructor(clock: Clock, storeAll: (checks: readonly StoredCheck[]) => Promise<void>) {
    this.#clock = clock;
    this.#storeAll = storeAll;
  }

  add(check: StoredCheck): void {
    const key = keyOf(check.subject);
    const isKnown = this.#states.get(key) === check.state;
    if (this.#states.size >= maxKnown) this.#states.clear();
    this.#states.set(key, check.state);
    this.#waiting.push(check);
    const store = () => void this.store();
    // A new state is stored at once. New states of one turn of the event loop share a commit.
    if (!isKnown) setImmediate(store);
    else if (this.#waiting.length === 1)
      this.#clock.sleep(unchangedDelayMs, this.#life.signal).then(store, () => {});
  }

  /** Stores the waiting states. Never rejects. */
  async store(): Promise<void> {
    const checks = this.#waiting;
    this.#waiting = [];
    if (checks.length > 0) await this.#storeAll(checks);
  }

  async close(): Promise<void> {
    await this.store();
    this.#life.abort();
  }
}
