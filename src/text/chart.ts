/** Draws bars, column charts and ages with block characters. */
import { dayMs, hourMs, minuteMs } from "./durations.ts";

const FROM_LEFT = [
  "",
  "\u258f",
  "\u258e",
  "\u258d",
  "\u258c",
  "\u258b",
  "\u258a",
  "\u2589",
] as const;
const FROM_BOTTOM = [
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
 * Returns the step of a scale from 0 to `steps` for a value from 0 to 1. Only 0 has the step 0, and
 * only 1 has the last step.
 */
function stepOf(fraction: number, steps: number): number {
  if (steps === 0 || !(fraction > 0)) return 0;
  if (fraction >= 1) return steps;
  const rounded = Math.round(fraction * steps);
  return Math.max(Math.min(1, steps - 1), Math.min(steps - 1, rounded));
}

/**
 * Draws a progress bar of `width` cells: `███▌░░`. Only 1 fills the bar, and only 0 leaves it
 * empty.
 */
export function bar(fraction: number, width: number): string {
  const cells = Math.max(0, Math.floor(width));
  const eighths = stepOf(fraction, cells * 8);
  const filled = Math.floor(eighths / 8);
  const partCell = FROM_LEFT[eighths % 8] ?? "";
  const empty = cells - filled - (partCell === "" ? 0 : 1);
  return "\u2588".repeat(filled) + partCell + "\u2591".repeat(empty);
}

/**
 * Draws a progress bar of `width` cells as a line that never touches the rows around it: `━━━╸──`.
 * Only 1 fills the bar, and only 0 leaves it empty.
 */
export function lineBar(fraction: number, width: number): string {
  const cells = Math.max(0, Math.floor(width));
  const halves = stepOf(fraction, cells * 2);
  const half = halves % 2;
  const filled = (halves - half) / 2;
  return "\u2501".repeat(filled) + "\u2578".repeat(half) + "\u2500".repeat(cells - filled - half);
}

function chartValues(values: readonly number[]): { amounts: number[]; max: number } {
  let max = 0;
  const amounts = values.map((value) => {
    const amount = Number.isFinite(value) && value > 0 ? value : 0;
    if (amount > max) max = amount;
    return amount;
  });
  return { amounts, max };
}

function heightOf(amount: number, max: number, steps: number): number {
  return amount === 0 ? 0 : Math.max(1, Math.round((amount / max) * steps));
}

/**
 * Returns a column chart, one cell per value, as `height` lines from the top, scaled so that the
 * greatest value fills the height. Negative values and values that are not numbers count as 0.
 */
export function columnChart(values: readonly number[], height: number): string[] {
  const rows = Math.max(0, Math.floor(height));
  const { amounts, max } = chartValues(values);
  const stepsPerRow = FROM_BOTTOM.length - 1;
  const heights = amounts.map((amount) => heightOf(amount, max, rows * stepsPerRow));
  return Array.from({ length: rows }, (_, fromTop) => {
    const stepsBelow = (rows - 1 - fromTop) * stepsPerRow;
    return heights
      .map((height) => FROM_BOTTOM[Math.max(0, Math.min(stepsPerRow, height - stepsBelow))])
      .join("");
  });
}

/** Returns a chart of one line, one cell per value. The greatest value fills its cell. 0 is `·`. */
export function sparkline(values: readonly number[]): string {
  const { amounts, max } = chartValues(values);
  return amounts
    .map((amount) =>
      amount === 0 ? "·" : FROM_BOTTOM[heightOf(amount, max, FROM_BOTTOM.length - 1)],
    )
    .join("");
}

const AGE_STEPS_MS = [minuteMs, 10 * minuteMs, hourMs, dayMs, 7 * dayMs];

/** Draws an age as one to five rising cells. Returns an empty text below one minute. */
export function ageSteps(ms: number): string {
  return "▁▂▃▅▇".slice(0, AGE_STEPS_MS.filter((age) => ms >= age).length);
}
