/** Computes and runs the waits of a write: before a resend, and for the service's rate limit. */
import type { Clock } from "../../api/clock.ts";
import type { Wait } from "../decide.ts";
import { report, type SendOptions, type WriteContext } from "./events.ts";

const firstBackOffMs = 500;
const longestBackOffMs = 8000;

/**
 * Returns the wait before resend `n` (from 1) in milliseconds. The wait doubles with each resend.
 * `random` (0 to 1) spreads it from half to all of its length.
 */
export function backOffMs(n: number, random: number): number {
  const most = Math.min(longestBackOffMs, firstBackOffMs * 2 ** (n - 1));
  return Math.round(most * (0.5 + random / 2));
}

/** Returns the time at which a write continues, in epoch milliseconds. */
export function resumeAt(
  wait: Wait,
  endedAt: number,
  n: number,
  settleMs: number,
  random: number,
): number {
  const floor = wait.kind === "settle" ? settleMs : 0;
  return endedAt + Math.max(wait.ms, floor, wait.kind === "as-asked" ? 0 : backOffMs(n, random));
}

interface Countdown {
  /** Resolves when the countdown is over or was skipped. Rejects with the signal's reason. */
  readonly over: Promise<void>;
  readonly skip: () => void;
}

/** Sleeps until an instant of the clock. `skip` ends the sleep early. */
export function countdown(clock: Clock, until: number, signal: AbortSignal): Countdown {
  const skipped = new AbortController();
  const either = AbortSignal.any([signal, skipped.signal]);
  const over = clock.sleep(Math.max(0, until - clock.now()), either).catch((reason: unknown) => {
    if (signal.aborted || !skipped.signal.aborted) throw reason;
  });
  return { over, skip: () => skipped.abort() };
}

/**
 * Waits for the service's rate limit and reports the wait. Resolves with the elapsed milliseconds,
 * also after an abort, or with null if the wait would exceed `mostMs`.
 */
export async function takeTurn(
  { service, clock }: WriteContext,
  {
    id,
    isFirst,
    mostMs,
  }: { readonly id: number; readonly isFirst: boolean; readonly mostMs: number },
  options: SendOptions,
): Promise<number | null> {
  const before = isFirst ? "send" : "resend";
  const wait = { kind: "waiting", journalId: id, why: "as-asked", before, skip: null } as const;
  const began = clock.now();
  try {
    return await service.rateLimit.pass(mostMs, options.signal, (until) =>
      report(options, { ...wait, until }),
    );
  } catch (error) {
    if (!options.signal.aborted) throw error;
    return clock.now() - began;
  }
}
