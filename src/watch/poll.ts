import type { Clock } from "../api/clock.ts";
import { isServiceError } from "../api/errors.ts";
import { retryAfterOf } from "../api/retry.ts";

/** What polling has to tell. Times are epoch milliseconds. */
export type PollEvent<T> =
  | { readonly kind: "looking"; readonly at: number }
  | { readonly kind: "answer"; readonly at: number; readonly value: T; readonly nextAt: number }
  | {
      readonly kind: "failed";
      readonly at: number;
      readonly error: unknown;
      readonly nextAt: number;
    };

export interface PollOptions<T> {
  readonly look: (signal: AbortSignal) => Promise<T>;
  /** Asked again after each look where it is a function: it may depend on how many are watched. */
  readonly intervalMs: number | (() => number);
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds to wait before the first look (default none). */
  readonly firstAfterMs?: number;
  /** From 0 to 1; spreads looks so that many watchers do not ask at once. */
  readonly random?: () => number;
}

/** Whether the service refused the credentials: asking again with them does not help. */
export function isRefusal(error: unknown): boolean {
  return isServiceError(error, "unauthorized") || isServiceError(error, "credentials");
}

/** The longest wait between two looks at a service that fails. */
const longestBackOffMs = 60_000;
/** Looks are moved by up to this share of the interval. */
const jitter = 0.1;

/**
 * Looks again and again until the signal is aborted, which ends it without an error. After failures
 * the wait doubles up to a minute (never below the interval); a 429's Retry-After is kept to. A 404
 * is the caller's to judge: it comes as `failed`, without a back-off.
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
    yield { kind: "looking", at: clock.now() };
    if (signal.aborted) return;
    const spread = () =>
      (typeof intervalMs === "number" ? intervalMs : intervalMs()) *
      (1 + jitter * (2 * random() - 1));
    try {
      const value = await untilAborted(options.look(signal), signal);
      if (signal.aborted) return;
      failures = 0;
      wait = spread();
      const at = clock.now();
      yield { kind: "answer", at, value, nextAt: at + wait };
    } catch (error) {
      if (signal.aborted || isServiceError(error, "cancelled")) return;
      const absent = isServiceError(error, "not-found");
      failures = absent ? 0 : failures + 1;
      wait = waitAfter(error, failures, spread());
      const at = clock.now();
      yield { kind: "failed", at, error, nextAt: at + wait };
    }
  }
}

/** A look that does not heed the signal must not hold up the end; what it says later is dropped. */
function untilAborted<T>(look: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    look.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
    if (signal.aborted) onAbort();
  });
}

function waitAfter(error: unknown, failures: number, spread: number): number {
  const asked = isServiceError(error) ? (retryAfterOf(error) ?? 0) : 0;
  const backedOff = Math.min(longestBackOffMs, spread * 2 ** Math.max(0, failures - 1));
  return Math.max(spread, backedOff, asked);
}
