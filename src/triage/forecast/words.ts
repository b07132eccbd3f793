/** Describes forecasts and rates in words, in the same way for every screen, command and report. */

import { dayMs, formatDuration, hourMs } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import type { CreationRate, FinishRange, Forecast, NoForecast } from "./forecast.ts";
import { type Unit, unitOf, unitWithin } from "./forecast.ts";

/** Describes a range: `2 to 10 days`, `8 h to 3 days`, `up to 3 min`. */
export function rangeWords(range: FinishRange): string {
  const unit = unitOf(range.latestMs);
  const to = withUnit(range.latestMs, unit);
  if (range.soonestMs === 0) return `up to ${to}`;
  const other = unitWithin(unit, range.soonestMs);
  const from = other === unit ? amountOf(range.soonestMs, unit) : withUnit(range.soonestMs, other);
  return `${from} to ${to}`;
}

/** Formats a range for a table: `2–10 d`, `8 h–3 d`, `≤ 3 min`. */
export function shortRange(range: FinishRange): string {
  const unit = unitOf(range.latestMs);
  const to = `${amountOf(range.latestMs, unit)} ${unit.short}`;
  if (range.soonestMs === 0) return `≤ ${to}`;
  const other = unitWithin(unit, range.soonestMs);
  const from = amountOf(range.soonestMs, other);
  return `${from}${other === unit ? "" : ` ${other.short}`}–${to}`;
}

/**
 * Describes a forecast as a clause without a full stop: the range with its rates, or the reason why
 * there is none. Returns an empty text if nothing is pending.
 */
export function forecastWords(forecast: Forecast): string {
  return forecast.kind === "range"
    ? `${rangeWords(forecast)} left at ${spansWords(forecast)}`
    : noForecast[forecast.reason];
}

/**
 * Names the rates of a forecast: `the rate of the last hour`, `the rates of the last hour and 24
 * h`.
 */
function spansWords({ spansMs }: FinishRange): string {
  const names = spansMs.map(spanText);
  const last = names.at(-1) ?? "";
  const before = names.slice(0, -1).join(", ");
  return before === ""
    ? `the rate of the last ${last}`
    : `the rates of the last ${before} and ${last}`;
}

const noForecast: Readonly<Record<NoForecast, string>> = {
  "nothing-pending": "",
  "no-creation-times": "finish not known: no creation times",
  standstill: "finish not known: none imported in 7 days",
  "too-few": "finish not known: too few imported lately",
  "too-far": "more than ten years left at these rates",
  "too-uneven": "finish not known: the rates differ too much",
  "not-all-kept": "finish not known: not all accounts are stored",
};

function amountOf(ms: number, unit: Unit): number {
  return Math.round((2 * ms) / unit.ms) / 2;
}

function withUnit(ms: number, unit: Unit): string {
  const amount = amountOf(ms, unit);
  return `${amount} ${amount === 1 ? unit.singular : unit.plural}`;
}

/** Formats a rate with its span: `412/h last hour`, `2.0 a day last 7 d`. */
export function rateWords(rate: CreationRate): string {
  const [words = ""] = ratesWords([rate]);
  return words;
}

/** Describes rates with their spans, all of them in one unit, so that they can be compared. */
export function ratesWords(rates: readonly CreationRate[]): readonly string[] {
  const fastest = Math.max(0, ...rates.map(({ perHour }) => perHour));
  const isPerDay = fastest > 0 && fastest < 1;
  return rates.map(({ perHour, windowMs }) => {
    const rate = isPerDay ? `${amountText(perHour * 24)} a day` : `${amountText(perHour)}/h`;
    return `${rate} last ${spanText(windowMs)}`;
  });
}

/**
 * Formats a rate in at most six cells, with its significant digits: `412`, `3.5`, `12k`, `<0.1`.
 */
export function amountText(rate: number): string {
  if (rate === 0) return "0";
  if (rate >= 100_000) return `${count(rate / 1_000)}k`;
  if (rate >= 10) return count(Math.round(rate));
  return rate < 0.05 ? "<0.1" : rate.toFixed(1);
}

/**
 * Returns the rates that a forecast is based on, or the first two rates if there is no forecast.
 */
export function ratesBehind(
  forecast: Forecast,
  rates: readonly CreationRate[],
): readonly CreationRate[] {
  if (forecast.kind === "none") return rates.slice(0, 2);
  return rates.filter(({ windowMs }) => forecast.spansMs.includes(windowMs));
}

/**
 * Describes a forecast that is shown next to its rates, or the reason why there is none. Returns an
 * empty text if nothing is pending.
 */
export function leftWords(forecast: Forecast): string {
  return forecast.kind === "range"
    ? `${shortRange(forecast)} left at these rates`
    : noForecast[forecast.reason];
}

function spanText(windowMs: number): string {
  return windowMs === hourMs ? "hour" : windowMs === dayMs ? "24 h" : formatDuration(windowMs);
}
