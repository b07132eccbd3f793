import { hourMs } from "../../text/durations.ts";
import { type CreationRate, ratesOf, type SummedHistory } from "./rates.ts";

/** From this number of creations on, a rate is worth a forecast. */
const fewest = 20;
/** The share of past forecasts that may lie outside the range at either end. */
const tail = 0.07;
/** A forecast that was never tested may be wrong by this factor, in both directions. */
const untested = 1.5;
/** Forecasts over longer times than were tested are wrong by more: the factor to this power of the times. */
const growth = 0.3;
/** Past forecasts that do not overlap, of which two halve the doubt. */
const halving = 0.5;

/** A rate that carries a forecast. */
export function isEnough({ count }: CreationRate): boolean {
  return count >= fewest;
}

/** How long work took in the past, as multiples of the time forecast for it. */
export interface Accuracy {
  /** The multiple that one forecast in ten came below, and the one that one in ten exceeded. */
  readonly early: number;
  readonly late: number;
  /** How many forecasts were tested that do not overlap. */
  readonly tested: number;
}

/**
 * Replays forecasts over `horizonMs` at each earlier step, from the rate of one span (0: hour, 1: day,
 * 2: week): how long did the accounts really take that this rate promised for the horizon?
 * In a history too short for the horizon, forecasts over a shorter time are replayed, and what is not
 * known about the longer one widens the range.
 */
export function replay(history: SummedHistory, span: number, horizonMs: number): Accuracy {
  const { stepMs, sums } = history;
  const steps = sums.length - 1;
  const replayedMs = Math.min(horizonMs, (steps * stepMs) / 2.5);
  // Of later moments only the forecasts that came true early would be known.
  const from = Math.max(1, Math.ceil(replayedMs / stepMs));
  const multiples: number[] = [];
  for (let before = from; before < steps; before++) {
    const rate = ratesOf(history, before)[span];
    if (rate === undefined || !isEnough(rate)) continue;
    const promised = (replayedMs / hourMs) * rate.perHour;
    multiples.push(timeTaken(history, before, promised) / replayedMs);
  }
  const tested = multiples.length === 0 ? 0 : ((steps - from) * stepMs) / replayedMs;
  multiples.sort((one, other) => one - other);
  const longer = (horizonMs / replayedMs) ** growth;
  const doubt = untested ** (longer / Math.sqrt(1 + tested / halving));
  return {
    early: Math.min(1, at(multiples, tail)) ** longer / doubt,
    late: Math.max(1, at(multiples, 1 - tail)) ** longer * doubt,
    tested,
  };
}

/**
 * Whether the rates of two spans differ now as they hardly ever did: by this factor or more, in this
 * direction, in fewer than one of fifty earlier steps.
 */
export function isUnusual(
  history: SummedHistory,
  spans: { readonly of: number; readonly beside: number },
  factor: number,
): boolean {
  const steps = history.sums.length - 1;
  let seen = 0;
  let like = 0;
  for (let before = 1; before < steps; before++) {
    const rates = ratesOf(history, before);
    const [of, beside] = [rates[spans.of], rates[spans.beside]];
    if (of === undefined || beside === undefined || !isEnough(beside)) continue;
    seen += 1;
    const earlier = of.perHour / beside.perHour;
    if (factor > 1 ? earlier >= factor : earlier <= factor) like += 1;
  }
  return like * 50 < Math.max(1, seen);
}

/**
 * Milliseconds from `before` steps ago until `amount` more accounts were created; where they are not
 * created yet, the time since.
 */
function timeTaken({ stepMs, sums }: SummedHistory, before: number, amount: number): number {
  const goal = (sums[before] as number) - amount;
  if (goal <= 0) return before * stepMs;
  let low = 0;
  let high = before;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sums[middle] as number) <= goal) low = middle;
    else high = middle;
  }
  const [less, more] = [sums[low] as number, sums[high] as number];
  const part = more > less ? (goal - less) / (more - less) : 0;
  return (before - low - part) * stepMs;
}

/** The value that this share of sorted values does not exceed; 1 of none. */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))] ?? 1;
}
