/** Limits the rate of the requests that all watching shares. */
import type { Clock } from "../api/clock.ts";
import { statusLimits } from "./pace.ts";

/** The limits on the requests of all watched subjects together. */
interface BudgetLimits {
  readonly perSecond: number;
  /** Number of checks that can start at once after a quiet time. */
  readonly burst: number;
  /** Maximum number of checks in flight. */
  readonly inFlight: number;
}

/** A rate limit that many watchers share, first come, first served. */
export interface Budget {
  /**
   * Runs a check when there is room for it. Rejects with the signal's reason if it is aborted
   * first. An aborted check frees its slot at once, even if it ignores the signal.
   */
  spend<T>(check: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Creates a separate budget. No timer runs while no check waits. */
export function createBudget(clock: Clock, limits: BudgetLimits = statusLimits): Budget {
  const spacing = 1_000 / limits.perSecond;
  const credit = (limits.burst - 1) * spacing;
  const waiting = new Set<() => void>();
  let running = 0;
  /** The epoch milliseconds until which the started checks have used up the rate. */
  let paidUntil = Number.NEGATIVE_INFINITY;
  let alarm: AbortController | null = null;

  const startNext = () => {
    for (const start of waiting) {
      if (running >= limits.inFlight) return;
      const now = clock.now();
      // A clock that was set back must not block everything.
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
  const slot = (signal: AbortSignal) =>
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
    async spend(check, signal) {
      await slot(signal);
      let isHeld = true;
      const releaseSlot = () => {
        if (!isHeld) return;
        isHeld = false;
        signal.removeEventListener("abort", releaseSlot);
        running--;
        startNext();
      };
      signal.addEventListener("abort", releaseSlot, { once: true });
      try {
        signal.throwIfAborted();
        return await check(signal);
      } finally {
        releaseSlot();
      }
    },
  };
}
