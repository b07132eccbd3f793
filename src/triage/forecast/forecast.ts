/**
 * Forecasts the time at which all pending accounts are imported, as a range from the rates of the
 * last hour, day and week.
 */
import { dayMs, hourMs, minuteMs } from "../../text/durations.ts";
import { latestPlausibleCreation } from "../figures/newest.ts";

/** The spans before now that have a rate, shortest first. */
export const rateSpans: readonly number[] = [hourMs, dayMs, 7 * dayMs];

export interface CreationRate {
  readonly perHour: number;
  readonly count: number;
  readonly windowMs: number;
}

/**
 * Returns the rates of the last hour, 24 hours and seven days of a migration of this age. `counts`
 * are the numbers of accounts created in each of {@link rateSpans}. If the migration is younger
 * than a span, its age replaces the span. Equal spans have only one rate.
 */
export function ratesOf(counts: readonly number[], ageMs: number): readonly CreationRate[] {
  const age = Math.max(ageMs, minuteMs);
  return rateSpans
    .filter((_, at) => at === 0 || (rateSpans[at - 1] as number) < age)
    .map((span, at) => {
      const count = counts[at] ?? 0;
      const windowMs = Math.min(span, age);
      return { perHour: (count * hourMs) / windowMs, count, windowMs };
    });
}

export class RecentCreations {
  readonly #now: number;
  readonly #counts = rateSpans.map(() => 0);

  constructor(now: number) {
    this.#now = now;
  }

  /**
   * Counts an account created at a time in epoch milliseconds. Ignores a time too far in the
   * future.
   */
  add(time: number): void {
    const before = this.#now - time;
    if (time > latestPlausibleCreation(this.#now)) return;
    for (let at = rateSpans.length - 1; at >= 0 && before < (rateSpans[at] as number); at--)
      this.#counts[at] = (this.#counts[at] as number) + 1;
  }

  /**
   * Returns the rates of a migration whose first account was created at `earliest` (epoch
   * milliseconds).
   */
  rates(earliest: number): readonly CreationRate[] {
    return ratesOf(this.#counts, this.#now - earliest);
  }
}

const minCount = 20;
/** Uncertainty of a count of accounts, in multiples of its square root. */
const deviations = 2;
const farthestMs = 10 * 365.25 * 24 * hourMs;
const maxRangeRatio = 20;

/**
 * The reason why there is no forecast:
 * - `nothing-pending`: every listed account is imported
 * - `no-creation-times`: no account has a readable creation time
 * - `standstill`: no account was created in the longest span
 * - `too-few`: fewer than twenty accounts were created
 * - `too-far`: the finish is more than ten years away at the present rates
 * - `too-uneven`: the rates differ too much for a useful range
 * - `not-all-kept`: not all accounts are in memory, so no rate is known
 */
export type NoForecast =
  | "nothing-pending"
  | "no-creation-times"
  | "standstill"
  | "too-few"
  | "too-far"
  | "too-uneven"
  | "not-all-kept";

/**
 * The range of time in which all pending accounts will be imported, in milliseconds from now. It is
 * rounded to its accuracy.
 */
export interface FinishRange {
  readonly kind: "range";
  readonly soonestMs: number;
  readonly latestMs: number;
  /** The spans, in milliseconds, of the rates that the range is based on, shortest first. */
  readonly spansMs: readonly number[];
}

export type Forecast = FinishRange | { readonly kind: "none"; readonly reason: NoForecast };

/**
 * Returns the forecast for `pending` accounts: the range between the fastest and the slowest rate
 * with enough accounts, widened by the uncertainty of each count. `rates` are empty if no creation
 * time is known.
 */
export function forecastOf(pending: number, rates: readonly CreationRate[]): Forecast {
  if (pending === 0) return none("nothing-pending");
  if (rates.length === 0) return none("no-creation-times");
  if (rates.every(({ count }) => count === 0)) return none("standstill");
  const from = rates.filter(({ count }) => count >= minCount);
  if (from.length === 0) return none("too-few");
  if (from.every((rate) => timeAt(rate, pending, 0) > farthestMs)) return none("too-far");
  const soonestMs = Math.min(...from.map((rate) => timeAt(rate, pending, deviations)));
  const latestMs = Math.max(...from.map((rate) => timeAt(rate, pending, -deviations)));
  if (latestMs > soonestMs * maxRangeRatio) return none("too-uneven");
  const unit = unitOf(latestMs);
  return {
    kind: "range",
    soonestMs: roundDown(soonestMs, unitWithin(unit, soonestMs)),
    latestMs: roundUp(latestMs, unit),
    spansMs: from.map(({ windowMs }) => windowMs),
  };
}

/**
 * Returns the milliseconds for `pending` accounts at a rate whose count is `higherBy` standard
 * deviations higher.
 */
function timeAt({ perHour, count }: CreationRate, pending: number, higherBy: number): number {
  return (pending / (perHour * (1 + higherBy / Math.sqrt(count)))) * hourMs;
}

function none(reason: NoForecast): Forecast {
  return { kind: "none", reason };
}

const monthMs = (365.25 / 12) * dayMs;

export interface Unit {
  readonly ms: number;
  readonly maxAmount: number;
  readonly singular: string;
  readonly plural: string;
  readonly short: string;
}

const years: Unit = {
  ms: 12 * monthMs,
  maxAmount: Number.POSITIVE_INFINITY,
  singular: "year",
  plural: "years",
  short: "y",
};
const units: readonly Unit[] = [
  { ms: minuteMs, maxAmount: 90, singular: "min", plural: "min", short: "min" },
  { ms: hourMs, maxAmount: 50, singular: "h", plural: "h", short: "h" },
  { ms: dayMs, maxAmount: 60, singular: "day", plural: "days", short: "d" },
  { ms: monthMs, maxAmount: 25, singular: "month", plural: "months", short: "mo" },
  years,
];

export function unitOf(ms: number): Unit {
  return units.find((unit) => ms <= unit.maxAmount * unit.ms) ?? years;
}

/** Returns the greatest unit up to `unit` that is not longer than `ms`, or the smallest. */
export function unitWithin(unit: Unit, ms: number): Unit {
  return units.findLast((other) => other.ms <= unit.ms && other.ms <= ms) ?? (units[0] as Unit);
}

/**
 * Rounds down to a simple number of units: halves up to 3 (except minutes), ones up to 10, fives up
 * to 50, then tens.
 */
export function roundDown(ms: number, unit: Unit): number {
  const amount = ms / unit.ms;
  return Math.floor(amount / roundingStep(amount, unit)) * roundingStep(amount, unit) * unit.ms;
}

export function roundUp(ms: number, unit: Unit): number {
  const amount = ms / unit.ms;
  return Math.ceil(amount / roundingStep(amount, unit)) * roundingStep(amount, unit) * unit.ms;
}

function roundingStep(amount: number, unit: Unit): number {
  if (amount <= 3 && unit.ms > minuteMs) return 0.5;
  return amount <= 10 ? 1 : amount <= 50 ? 5 : 10;
}
