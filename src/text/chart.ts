/** Draws bars, column charts and ages with block characters. */
import { dayMs, hourMs, minuteMs } from "./durations.ts";

/** The characters for eighths of a cell, filled from the left and from the bottom. */
const LEFT = ["", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"] as const;
const LOWER = [
  " ",
  "\u2581",
  "\u2582",
  "\u2583",
  "\u2584",
  "\u2585",
  "\u2586",
  "\u2587",
  "\u2588",
] as const;

/**
 * Returns the step of a scale for a value from 0 to 1. Only 0 has the first step, and only 1 has
 * the last.
 */
function level(fraction: number, steps: number): number {
  if (steps === 0 || !(fraction > 0)) return 0;
  if (fraction >= 1) return steps;
  const rounded = Math.round(fraction * steps);
  return Math.max(Math.min(1, steps - 1), Math.min(steps - 1, rounded));
}

/** Draws a progress bar of `width` cells: `███▌░░`. Only 1 fills it, and only 0 leaves it empty. */
export function bar(fraction: number, width: number): string {
  const cells = Math.max(0, Math.floor(width));
  const eighths = level(fraction, cells * 8);
  const filled = Math.floor(eighths / 8);
  const part = LEFT[eighths % 8] ?? "";
  const rest = cells - filled - (part === "" ? 0 : 1);
  return "\u2588".repeat(filled) + part + "\u2591".repeat(rest);
}

function amounts(values: readonly number[]): { amounts: number[]; most: number } {
  let most = 0;
  const clean = values.map((value) => {
    const amount = Number.isFinite(value) && value > 0 ? value : 0;
    if (amount > most) most = amount;
    return amount;
  });
  return { amounts: clean, most };
}

/** Returns the height in steps. Any value above 0 has at least one. */
function heightOf(amount: number, most: number, steps: number): number {
  return amount === 0 ? 0 : Math.max(1, Math.round((amount / most) * steps));
}

/**
 * Returns a column chart, one cell per value, as `height` lines from the top, scaled so that the
 * greatest value fills the height. Negative values and values that are not numbers count as 0.
 */
export function columns(values: readonly number[], height: number): string[] {
  const rows = Math.max(0, Math.floor(height));
  const { amounts: heights, most } = amounts(values);
  const perRow = LOWER.length - 1;
  const steps = heights.map((amount) => heightOf(amount, most, rows * perRow));
  return Array.from({ length: rows }, (_, fromTop) => {
    const below = (rows - 1 - fromTop) * perRow;
    return steps
      .map((step) => {
        const here = Math.max(0, Math.min(perRow, step - below));
        return LOWER[here];
      })
      .join("");
  });
}

/**
 * Returns a chart of one line, one cell per value. 0 has a separate sign. The greatest value fills
 * the line.
 */
export function spark(values: readonly number[]): string {
  const { amounts: heights, most } = amounts(values);
  return heights
    .map((amount) => (amount === 0 ? "·" : LOWER[heightOf(amount, most, LOWER.length - 1)]))
    .join("");
}

/** The ages in milliseconds from which the bar of an age has one more cell. */
const AGES = [minuteMs, 10 * minuteMs, hourMs, dayMs, 7 * dayMs];

/**
 * Draws an age as one to five rising cells, by minutes, hours and days. Returns an empty text below
 * one minute.
 */
export function ageSteps(ms: number): string {
  return "▁▂▃▅▇".slice(0, AGES.filter((age) => ms >= age).length);
}
