import { type Clock, systemClock } from "../../src/api/clock.ts";
import { longestWait } from "./longest-wait.ts";

/** A clock whose limits are its sleeps, and whose running time is its time if none is given. */
export function clockOf({
  now,
  sleep,
  elapsed = now,
}: Pick<Clock, "now" | "sleep"> & Partial<Pick<Clock, "elapsed">>): Clock {
  return { now, elapsed, sleep, limit: sleep };
}

/** A clock that stands still until it is moved by hand. */
export interface FakeClock extends Clock {
  /** Sets the time of day back or forward by `ms`. No sleeper wakes, and the running time stays. */
  set(ms: number): void;
  /**
   * Moves time on by `ms`, waking each sleeper at its own moment, in order, and letting what it does
   * next happen before time goes on: one that goes back to sleep within the span wakes again.
   */
  advance(ms: number): Promise<void>;
  /** The number of sleepers. */
  pending(): number;
  /** Resolves once at least `count` (1 by default) are asleep. */
  untilSleeping(count?: number): Promise<void>;
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

interface Watcher {
  readonly count: number;
  readonly resolve: () => void;
}

/** Lets everything that is ready to run do so, answers from a loopback server's buffers included. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets requests to a server of this process, and its answers, arrive before time goes on. */
export async function exchanges(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await settle();
}

/** A clock that starts at `start` (epoch milliseconds or an ISO instant). */
export function fakeClock(start: number | string = "2026-01-15T09:00:00Z"): FakeClock {
  /** The running time. */
  let now = typeof start === "string" ? Date.parse(start) : start;
  let setMs = 0;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<Watcher>();

  const tellWatchers = () => {
    for (const watcher of [...watchers]) {
      if (sleepers.size >= watcher.count) watcher.resolve();
    }
  };
  /** The first to wake by `limit`; of two due together the one that fell asleep first. */
  const nextDue = (limit: number) => {
    let first: Sleeper | null = null;
    for (const sleeper of sleepers) {
      if (sleeper.due <= limit && (!first || sleeper.due < first.due)) first = sleeper;
    }
    return first;
  };

  const sleep: Clock["sleep"] = (ms, signal) => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (ms <= 0) return settle();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const forget = () => {
      sleepers.delete(sleeper);
      signal?.removeEventListener("abort", onAbort);
    };
    const onAbort = () => {
      forget();
      reject(signal?.reason);
    };
    const sleeper: Sleeper = {
      // Whole milliseconds, as the machine's: a rest too small to move time on would never be over.
      due: now + Math.ceil(ms),
      wake: () => {
        forget();
        resolve();
      },
    };
    sleepers.add(sleeper);
    signal?.addEventListener("abort", onAbort, { once: true });
    tellWatchers();
    return promise;
  };

  return {
    ...clockOf({ now: () => now + setMs, elapsed: () => now, sleep }),
    set: (ms) => {
      setMs += ms;
    },
    pending: () => sleepers.size,
    advance: async (ms) => {
      const target = now + ms;
      await settle();
      for (let next = nextDue(target); next; next = nextDue(target)) {
        now = Math.max(now, next.due);
        next.wake();
        await settle();
      }
      now = target;
    },
    untilSleeping: (count = 1) => {
      if (sleepers.size >= count) return Promise.resolve();
      const failure = new Error();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        watchers.delete(watcher);
        failure.message = `waited for ${count} to be asleep; ${sleepers.size} are`;
        reject(failure);
      }, longestWait);
      const watcher: Watcher = {
        count,
        resolve: () => {
          clearTimeout(timer);
          watchers.delete(watcher);
          resolve();
        },
      };
      watchers.add(watcher);
      return promise;
    },
  };
}

/** The time of a clock after which nothing is going to settle any more, in milliseconds. */
const neverMs = 2 * 3_600_000;

/**
 * Moves a clock on in steps, while real answers come in between, until something is settled. Where no
 * answer comes, a step can be long. Rejects after two hours of the clock, because no run waits for as long.
 */
export async function passing<T>(clock: FakeClock, settling: Promise<T>, stepMs = 50): Promise<T> {
  const began = clock.elapsed();
  let settled = false;
  const noting = settling.finally(() => {
    settled = true;
  });
  noting.catch(() => {});
  while (!settled) {
    await clock.advance(stepMs);
    // What is on the wire has its moment before time goes on.
    await exchanges();
    if (clock.elapsed() - began > neverMs) throw new Error("nothing has settled in two hours");
  }
  return noting;
}

/** The time that passes in one step of a fast clock, and the real time of a step. */
const fastStepMs = 100;
const stepTakesMs = 2;

/**
 * A clock on which time passes by itself, about fifty times as fast, while someone sleeps. It goes
 * in steps of the event loop: however busy the machine, an answer from this process overtakes the
 * deadline that waits for it.
 */
export function fastClock(start: number | string = Date.now()): Clock {
  const clock = fakeClock(start);
  let passes = false;
  const pass = async () => {
    while (clock.pending() > 0) {
      await new Promise((resolve) => setTimeout(resolve, stepTakesMs).unref());
      await clock.advance(fastStepMs);
    }
    passes = false;
  };
  return clockOf({
    now: clock.now,
    sleep: (ms, signal) => {
      const slept = clock.sleep(ms, signal);
      if (!passes) {
        passes = true;
        void pass();
      }
      return slept;
    },
  });
}

/** The factor by which a hurried clock is faster than the machine's. */
const haste = 100;

/**
 * A clock on which pauses of up to `longest` milliseconds take a hundredth of their time: retries and
 * settling cost a test nothing. Longer ones are time limits, and real.
 */
export function hurriedClock(longest = 20_000): Clock {
  let skipped = 0;
  return clockOf({
    now: () => systemClock.now() + skipped,
    sleep: async (ms, signal) => {
      const isLimit = ms > longest;
      await systemClock.sleep(isLimit ? ms : ms / haste, signal);
      if (!isLimit) skipped += Math.round(ms - ms / haste);
    },
  });
}
