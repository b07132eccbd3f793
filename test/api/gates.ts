/** Rate limits as services, gateways and proxies keep them, by the moments at which requests arrive. */
import type { FakeClock } from "../helpers/clock.ts";

/** Seconds or text for Retry-After; null for a refusal without one. */
type RetryAfter = string | null;

/** Takes in the arrival of a request: null if it is accepted, otherwise the refusal. */
export type Gate = (at: number) => { readonly retryAfter: RetryAfter } | null;

/** Accepts a request `gapMs` after the one that it accepted before. */
export function gapGate(gapMs: number, retryAfter: RetryAfter): Gate {
  let freeAt = 0;
  return (at) => {
    if (at < freeAt) return { retryAfter };
    freeAt = at + gapMs;
    return null;
  };
}

/** A bucket of `most` requests that is filled again by `perSecond`, as nginx and many gateways keep. */
export function bucketGate(perSecond: number, most: number, retryAfter: RetryAfter): Gate {
  let left = most;
  let seenAt = 0;
  return (at) => {
    left = Math.min(most, left + ((at - seenAt) * perSecond) / 1000);
    seenAt = at;
    if (left < 1) return { retryAfter };
    left -= 1;
    return null;
  };
}

/** Counts the requests of a sliding period, refused ones as well, as haproxy does. */
export function countingGate(most: number, periodMs: number, retryAfter: RetryAfter): Gate {
  let begun = 0;
  let now = 0;
  let before = 0;
  return (at) => {
    const periods = Math.floor((at - begun) / periodMs);
    if (periods > 0) {
      before = periods === 1 ? now : 0;
      now = 0;
      begun += periods * periodMs;
    }
    now += 1;
    const rate = now + (before * (periodMs - (at - begun))) / periodMs;
    return rate > most ? { retryAfter } : null;
  };
}

/** Refuses one of `of` requests at random, whatever the rate, as a service that sheds load does. */
export function randomGate(of: number, retryAfter: RetryAfter): Gate {
  let state = 7;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31 < 1 / of ? { retryAfter } : null;
  };
}

/** The observations of a gate. */
interface Log {
  accepted: number;
  refused: number;
  /** Requests that arrived inside a pause that was asked for before they left. */
  inside: number;
}

/**
 * Counts what a gate does. A request is inside a pause if it arrives more than `latencyMs` after a
 * refusal with a Retry-After, and before the end of that.
 */
export function logged(gate: Gate, latencyMs: number) {
  const log: Log = { accepted: 0, refused: 0, inside: 0 };
  const pauses: { readonly from: number; readonly until: number }[] = [];
  return {
    log,
    gate: (at: number) => {
      if (pauses.some(({ from, until }) => at > from + latencyMs && at < until)) log.inside += 1;
      const refusal = gate(at);
      if (refusal === null) log.accepted += 1;
      else {
        log.refused += 1;
        const seconds = Number(refusal.retryAfter ?? Number.NaN);
        if (seconds > 0) pauses.push({ from: at, until: at + seconds * 1000 });
      }
      return refusal;
    },
  };
}

/** Turns of the event loop in which a request over loopback is answered, its connection included. */
const turns = 30;
const mostSteps = 10_000;

/** Moves a clock in steps of `stepMs` until `work` has ended; requests take no longer than a step. */
export async function drive<T>(clock: FakeClock, work: Promise<T>, stepMs: number): Promise<T> {
  let isEnded = false;
  const end = () => {
    isEnded = true;
  };
  work.then(end, end);
  // The first request loads it, which takes longer than a step.
  await import("../../src/api/connections.ts");
  for (let step = 0; step < mostSteps; step++) {
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    if (isEnded) return work;
    await clock.advance(stepMs);
  }
  throw new Error(`The work has not ended after ${mostSteps} steps.`);
}
