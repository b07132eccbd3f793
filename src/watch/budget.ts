import type { Clock } from "../api/clock.ts";

/** How much may be asked of the service by everything that is watched together. */
export interface BudgetLimits {
  readonly perSecond: number;
  /** Looks that may start at once after a quiet time. */
  readonly burst: number;
  /** Looks under way at a time. */
  readonly inFlight: number;
}

/**
 * Eight a second: a hundred things are looked at every twelve seconds, which is soon enough for
 * imports that take minutes, and costs neither side anything to speak of.
 */
const usualLimits: BudgetLimits = { perSecond: 8, burst: 8, inFlight: 8 };

/** Requests shared out among many watchers, first come, first served. */
export interface Budget {
  /**
   * Makes a look when there is room for it. Rejects with the signal's reason when it is aborted
   * first; an aborted look gives its room back at once, whether it heeds the signal or not.
   */
  spend<T>(look: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The interval that so many can be looked at, in milliseconds: never below the one asked for. */
  intervalFor(watched: number, askedMs: number): number;
}

/** A budget of its own; nothing ticks while nobody waits. */
export function createBudget(clock: Clock, limits: BudgetLimits = usualLimits): Budget {
  const spacing = 1_000 / limits.perSecond;
  const credit = (limits.burst - 1) * spacing;
  const waiting = new Set<() => void>();
  let running = 0;
  /** Up to when the looks made so far have used up the rate. */
  let paidUntil = Number.NEGATIVE_INFINITY;
  let alarm: AbortController | null = null;

  const startNext = () => {
    for (const start of waiting) {
      if (running >= limits.inFlight) return;
      const now = clock.now();
      // A clock that was set back must not hold everybody up.
      if (paidUntil - now > credit + spacing) paidUntil = now;
      const wait = paidUntil - now - credit;
      if (wait > 0) {
        startNextAfter(wait);
        return;
      }
      paidUntil = Math.max(paidUntil, now) + spacing;
      waiting.delete(start);
      running++;
      start();
    }
  };
  const startNextAfter = (ms: number) => {
    if (alarm) return;
    const mine = new AbortController();
    alarm = mine;
    clock.sleep(ms, mine.signal).then(
      () => {
        alarm = null;
        startNext();
      },
      () => {},
    );
  };
  const leave = (start: () => void) => {
    if (!waiting.delete(start) || waiting.size > 0) return;
    alarm?.abort();
    alarm = null;
  };
  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        leave(start);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.add(start);
      startNext();
    });

  return {
    intervalFor: (watched, askedMs) => Math.max(askedMs, watched * spacing),
    async spend(look, signal) {
      await turn(signal);
      let held = true;
      const releaseSlot = () => {
        if (!held) return;
        held = false;
        signal.removeEventListener("abort", releaseSlot);
        running--;
        startNext();
      };
      signal.addEventListener("abort", releaseSlot, { once: true });
      try {
        signal.throwIfAborted();
        return await look(signal);
      } finally {
        releaseSlot();
      }
    },
  };
}
