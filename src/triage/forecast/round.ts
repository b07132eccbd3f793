/** Rounds spans of time to the precision of a forecast, and names their units. */
import { dayMs, hourMs, minuteMs } from "../../text/durations.ts";

const monthMs = (365.25 / 12) * dayMs;

export interface Unit {
  readonly ms: number;
  /** Maximum number of this unit in a span that is written in it. */
  readonly most: number;
  readonly one: string;
  readonly many: string;
  readonly short: string;
}

const years: Unit = {
  ms: 12 * monthMs,
  most: Number.POSITIVE_INFINITY,
  one: "year",
  many: "years",
  short: "y",
};
const units: readonly Unit[] = [
  { ms: minuteMs, most: 90, one: "min", many: "min", short: "min" },
  { ms: hourMs, most: 50, one: "h", many: "h", short: "h" },
  { ms: dayMs, most: 60, one: "day", many: "days", short: "d" },
  { ms: monthMs, most: 25, one: "month", many: "months", short: "mo" },
  years,
];

/** Returns the unit in which a range that ends after `ms` is written. */
export function unitOf(ms: number): Unit {
  return units.find((unit) => ms <= unit.most * unit.ms) ?? years;
}

/**
 * Returns the greatest unit that is not greater than `unit` and not longer than `ms`, else the
 * smallest unit.
 */
export function unitWithin(unit: Unit, ms: number): Unit {
  return units.findLast((one) => one.ms <= unit.ms && one.ms <= ms) ?? (units[0] as Unit);
}

/**
 * Rounds down to a simple number of units: halves up to 3 (except minutes), ones up to 10, fives up
 * to 50, then tens.
 */
export function roundDown(ms: number, unit: Unit): number {
  const amount = ms / unit.ms;
  return Math.floor(amount / roundingStep(amount, unit)) * roundingStep(amount, unit) * unit.ms;
}

/** Rounds up to a simple number of units, as {@link roundDown} does. */
export function roundUp(ms: number, unit: Unit): number {
  const amount = ms / unit.ms;
  return Math.ceil(amount / roundingStep(amount, unit)) * roundingStep(amount, unit) * unit.ms;
}

/** Returns the step, in units, to which an amount is rounded. */
function roundingStep(amount: number, unit: Unit): number {
  if (amount <= 3 && unit.ms > minuteMs) return 0.5;
  return amount <= 10 ? 1 : amount <= 50 ? 5 : 10;
}
