import { dayMs, hourMs, minuteMs } from "../../text/durations.ts";

/** How fast accounts have been created, from counts of equal steps of time. */

/** The spans before now whose rates count, shortest first. */
const spans: readonly number[] = [hourMs, dayMs, 7 * dayMs];

/** Accounts created per step of time before a moment. */
export interface CreatedHistory {
  /** Milliseconds of a step: five minutes of a young migration, else an hour. */
  readonly stepMs: number;
  /** Accounts per step, the step that ends at the moment first. */
  readonly counts: Float64Array;
  /** Milliseconds since the first account was created; may reach further back than the counts. */
  readonly ageMs: number;
}

/** How fast accounts were created in one span of time. */
export interface CreationRate {
  readonly perHour: number;
  /** Accounts counted, and the milliseconds in which they were created. */
  readonly count: number;
  readonly windowMs: number;
}

/** A history as sums, so that the accounts of any span are one subtraction. */
export interface SummedHistory {
  readonly stepMs: number;
  readonly ageMs: number;
  /** `sums[n]`: accounts created in the last n steps. */
  readonly sums: Float64Array;
}

export function summed({ counts, stepMs, ageMs }: CreatedHistory): SummedHistory {
  const sums = new Float64Array(counts.length + 1);
  for (let step = 0; step < counts.length; step++) {
    sums[step + 1] = (sums[step] as number) + (counts[step] as number);
  }
  return { stepMs, ageMs, sums };
}

/**
 * The rates of the last hour, 24 hours and seven days, as they were `before` steps ago. A migration
 * younger than a span is not slower for it: the span ends at its age, and of equal spans there is one.
 */
export function ratesOf(history: SummedHistory, before = 0): CreationRate[] {
  const { stepMs, sums } = history;
  const age = Math.max(history.ageMs - before * stepMs, minuteMs);
  const rates: CreationRate[] = [];
  for (const span of spans) {
    const windowMs = Math.min(span, age);
    if (windowMs <= (rates.at(-1)?.windowMs ?? 0)) break;
    const last = sums.length - 1;
    const end = Math.min(last, before + Math.round(span / stepMs));
    const count = (sums[end] as number) - (sums[Math.min(last, before)] as number);
    rates.push({ perHour: (count * hourMs) / windowMs, count, windowMs });
  }
  return rates;
}
