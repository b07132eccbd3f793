/** Limits the rate of the requests that all watching shares. */
import type { Clock } from "../api/clock.ts";
import { statusLimits } from "./pace.ts";

interface BudgetLimits {
  readonly perSecond: number;
  /** Number of checks that can start at once after a quiet time. */
  readonly burst: number;
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

export function createBudget(clock: Clock, limits: BudgetLimits = statusLimits): Budget {
  const spacingMs = 1_000 / limits.perSecond;
  const burstMs = (limits.burst - 1) * spacingMs;
  const waiting = new Set<() => void>();
  let running = 0;
  /** The time until which the started checks use up the rate, by the running time. */
  let rateUsedUntil = Number.NEGATIVE_INFINITY;
  let timer: AbortController | null = null;

  const startNext = () => {
    for (const start of waiting) {
      if (running >= limits.inFlight) return;
      const now = clock.elapsed();
      const wait = rateUsedUntil - now - burstMs;
      if (wait > 0) {
        startNextAfter(wait);
        return;
      }
      rateUsedUntil = Math.max(rateUsedUntil, now) + spacingMs;
      waiting.delete(start);
      running++;
      start();
    }
  };
  const startNextAfter = (ms: number) => {
    if (timer) return;
    const controller = new AbortController();
    timer = controller;
    clock.sleep(ms, controller.signal).then(
      () => {
        timer = null;
        startNext();
      },
      () => {},
    );
  };
  const stopWaiting = (start: () => void) => {
    if (!waiting.delete(start) || waiting.size > 0) return;
    timer?.abort();
    timer = null;
  };
  const slot = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        stopWaiting(start);
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
      let hasSlot = true;
      const releaseSlot = () => {
        if (!hasSlot) return;
        hasSlot = false;
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
