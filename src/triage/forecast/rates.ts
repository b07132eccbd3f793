/** Computes the rates at which accounts were created. */
import { dayMs, hourMs, minuteMs } from "../../text/durations.ts";

/** The spans before now that have a rate, shortest first. */
export const rateSpans: readonly number[] = [hourMs, dayMs, 7 * dayMs];

/** The rate at which accounts were created in one span of time. */
export interface CreationRate {
  readonly perHour: number;
  /** Number of accounts, and the span in which they were created. */
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
