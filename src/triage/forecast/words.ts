/** Forecasts in words, one way for every screen, command and report. */

import { dayMs, formatDuration, hourMs } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import type { FinishRange, Forecast, NoForecast } from "./forecast.ts";
import type { CreationRate } from "./rates.ts";
import { type Unit, unitOf, unitWithin } from "./round.ts";

/** A range in words: `2 to 10 days`, `8 h to 3 days`, `up to 3 min`. */
export function rangeWords(range: FinishRange): string {
  const unit = unitOf(range.latestMs);
  const to = named(range.latestMs, unit);
  if (range.soonestMs === 0) return `up to ${to}`;
  const other = unitWithin(unit, range.soonestMs);
  const from = other === unit ? amountOf(range.soonestMs, unit) : named(range.soonestMs, other);
  return `${from} to ${to}`;
}

/** A range for a table: `2–10 d`, `8 h–3 d`, `≤ 3 min`; with `-` and `<=` in ASCII. */
export function shortRange(range: FinishRange, ascii: boolean): string {
  const unit = unitOf(range.latestMs);
  const to = `${amountOf(range.latestMs, unit)} ${unit.short}`;
  if (range.soonestMs === 0) return `${ascii ? "<=" : "≤"} ${to}`;
  const other = unitWithin(unit, range.soonestMs);
  const from = amountOf(range.soonestMs, other);
  return `${from}${other === unit ? "" : ` ${other.short}`}${ascii ? "-" : "–"}${to}`;
}

/** A forecast as a clause without a full stop: the range with its rates, or why there is none; empty when nothing is pending. */
export function forecastWords(forecast: Forecast): string {
  return forecast.kind === "range"
    ? `${rangeWords(forecast)} left at ${spansWords(forecast)}`
    : noForecast[forecast.reason];
}

/** The rates of a forecast: `the rate of the last hour`, `the rates of the last hour and 24 h`. */
export function spansWords({ spansMs }: FinishRange): string {
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

function named(ms: number, unit: Unit): string {
  const amount = amountOf(ms, unit);
  return `${amount} ${amount === 1 ? unit.one : unit.many}`;
}

/** A rate: `412/h`, `3.5/h`, `2.0 a day`. */
function rateText({ perHour }: CreationRate): string {
  if (perHour === 0) return "0/h";
  if (perHour >= 10) return `${count(Math.round(perHour))}/h`;
  return perHour >= 1 ? `${perHour.toFixed(1)}/h` : `${(perHour * 24).toFixed(1)} a day`;
}

/** A rate with its span: `412/h last hour`. */
export function rateWords(rate: CreationRate): string {
  const { windowMs } = rate;
  return `${rateText(rate)} last ${spanText(windowMs)}`;
}

function spanText(windowMs: number): string {
  return windowMs === hourMs ? "hour" : windowMs === dayMs ? "24 h" : formatDuration(windowMs);
}
