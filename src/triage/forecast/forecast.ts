/** When the pending accounts may be imported: a range, as wide as past forecasts were wrong. */

import { hourMs } from "../../text/durations.ts";
import { type CreatedHistory, type CreationRate, ratesOf, summed } from "./rates.ts";
import { isEnough, isUnusual, replay } from "./replay.ts";
import { roundDown, roundUp, unitOf, unitWithin } from "./round.ts";

const farthestMs = 10 * 365.25 * 24 * hourMs;
/** Where the latest finish is this many times as far as the soonest, a range says nothing. */
const widest = 20;

/**
 * Why there is no forecast:
 * - `nothing-pending`: every account listed is imported
 * - `no-creation-times`: no account has a readable creation time
 * - `standstill`: none was created in the longest span
 * - `too-few`: fewer than twenty were
 * - `too-far`: at the present rates more than ten years
 * - `too-uneven`: the past differs too much for a range that says anything
 * - `not-all-kept`: more accounts came than memory allows, so that no rate is known
 */
export type NoForecast =
  | "nothing-pending"
  | "no-creation-times"
  | "standstill"
  | "too-few"
  | "too-far"
  | "too-uneven"
  | "not-all-kept";

/** When the pending accounts may all be imported, in milliseconds from now, rounded to what is known. */
export interface FinishRange {
  readonly kind: "range";
  /** 0: at any moment. */
  readonly soonestMs: number;
  readonly latestMs: number;
  /** The spans, in milliseconds, whose rates it comes from, shortest first. */
  readonly spansMs: readonly number[];
}

export type Forecast = FinishRange | { readonly kind: "none"; readonly reason: NoForecast };

/**
 * The forecast for `pending` accounts, from the rates of the last hour, day and week. Forecasts from
 * each rate are replayed at earlier moments; the rate whose forecasts came closest decides, and its
 * range holds eight of ten of them. `history` is null while no creation time is known.
 */
export function forecastOf(pending: number, history: CreatedHistory | null): Forecast {
  if (pending === 0) return none("nothing-pending");
  if (history === null) return none("no-creation-times");
  const sums = summed(history);
  const rates = ratesOf(sums);
  if (rates.every(({ count }) => count === 0)) return none("standstill");
  const enough = rates.filter(isEnough);
  if (enough.length === 0) return none("too-few");
  if (enough.every((rate) => timeAt(rate, pending) > farthestMs)) return none("too-far");
  const ranges = rates.flatMap((rate, span) => {
    if (!isEnough(rate)) return [];
    const leftMs = timeAt(rate, pending);
    const { early, late, tested } = replay(sums, span, leftMs);
    const range = { soonestMs: leftMs * early, latestMs: leftMs * late };
    return [{ ...range, span, leftMs, windowMs: rate.windowMs, isTested: tested > 0 }];
  });
  const tested = ranges.filter(({ isTested }) => isTested);
  // Without a past that shows which rate to trust, all of them count.
  const deciding =
    tested.length > 0
      ? [tested.reduce((best, one) => (widthOf(one) < widthOf(best) ? one : best))]
      : ranges;
  const [best] = deciding;
  // A pace that the past did not have, as on the first day of a wave, is not in any replay.
  const unusual = ranges.filter(
    ({ span, leftMs }) =>
      best !== undefined &&
      span !== best.span &&
      isUnusual(sums, { of: span, beside: best.span }, best.leftMs / leftMs),
  );
  const lefts = unusual.map(({ leftMs }) => leftMs);
  const soonestMs = Math.min(...deciding.map((range) => range.soonestMs), ...lefts);
  const latestMs = Math.max(...deciding.map((range) => range.latestMs), ...lefts);
  if (latestMs > soonestMs * widest) return none("too-uneven");
  const unit = unitOf(latestMs);
  return {
    kind: "range",
    soonestMs: roundDown(soonestMs, unitWithin(unit, soonestMs)),
    latestMs: roundUp(latestMs, unit),
    spansMs: [...new Set([...deciding, ...unusual].map(({ windowMs }) => windowMs))].sort(
      (a, b) => a - b,
    ),
  };
}

function timeAt({ perHour }: CreationRate, pending: number): number {
  return (pending / perHour) * hourMs;
}

function widthOf(range: { readonly soonestMs: number; readonly latestMs: number }): number {
  return range.latestMs / range.soonestMs;
}

function none(reason: NoForecast): Forecast {
  return { kind: "none", reason };
}
