/** Repeats a check at an interval, and waits longer after failures. */
import type { Clock } from "../api/clock.ts";
import { untilAborted } from "../api/deadline.ts";
import { isServiceError } from "../api/errors.ts";
import { spreadMs, waitAfter } from "./pace.ts";

/** An event of polling. Times are epoch milliseconds. */
export type PollEvent<T> =
  | { readonly kind: "checking"; readonly at: number }
  | { readonly kind: "answer"; readonly at: number; readonly value: T; readonly nextAt: number }
  | {
      readonly kind: "failed";
      readonly at: number;
      readonly error: unknown;
      readonly nextAt: number;
    };

export interface PollOptions<T> {
  readonly check: (signal: AbortSignal) => Promise<T>;
  /**
   * The interval in milliseconds. A function is called after each check, because the interval can
   * depend on the number of watched subjects.
   */
  readonly intervalMs: number | (() => number);
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly firstAfterMs?: number;
  /** Returns a number from 0 to 1 that spreads many watchers' checks. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Returns true for an error of the credentials. A further check with them would fail, too. */
export function isCredentialError(error: unknown): boolean {
  return isServiceError(error, "unauthorized") || isServiceError(error, "credentials");
}

/**
 * Checks again and again until the signal is aborted, and then ends without an error. After
 * failures the wait doubles up to a minute, and is never below the interval or a 429's Retry-After.
 * A 404 is reported as `failed` without a back-off, because the caller judges it.
 */
export async function* poll<T>(options: PollOptions<T>): AsyncGenerator<PollEvent<T>, void, void> {
  const { clock, signal, intervalMs, random = Math.random } = options;
  let failures = 0;
  let wait = options.firstAfterMs ?? 0;
  while (!signal.aborted) {
    if (wait > 0) {
      try {
        await clock.sleep(wait, signal);
      } catch {
        return;
      }
    }
    yield { kind: "checking", at: clock.now() };
    if (signal.aborted) return;
    const spread = () =>
      spreadMs(typeof intervalMs === "number" ? intervalMs : intervalMs(), random());
    try {
      // A check that ignores the signal must not delay the end. Its late result is dropped.
      const value = await untilAborted(options.check(signal), signal);
      if (signal.aborted) return;
      failures = 0;
      wait = spread();
      const at = clock.now();
      yield { kind: "answer", at, value, nextAt: at + wait };
    } catch (error) {
      if (signal.aborted || isServiceError(error, "cancelled")) return;
      const isNotFound = isServiceError(error, "not-found");
      failures = isNotFound ? 0 : failures + 1;
      wait = waitAfter(error, failures, spread());
      const at = clock.now();
      yield { kind: "failed", at, error, nextAt: at + wait };
    }
  }
}
