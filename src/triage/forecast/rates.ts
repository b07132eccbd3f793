/** Counts recent creations of accounts, and computes their rates. */
import { dayMs, hourMs, minuteMs } from "../../text/durations.ts";
import { latestCreation } from "../figures/newest.ts";

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

/** Counts the accounts created recently, for the rates of the last hour, day and week. */
export class RecentCreations {
  readonly #now: number;
  readonly #counts = rateSpans.map(() => 0);

  /** `now` is in epoch milliseconds. */
  constructor(now: number) {
    this.#now = now;
  }

  /**
   * Counts an account created at a time in epoch milliseconds. Ignores a time too far in the
   * future.
   */
  add(time: number): void {
    const before = this.#now - time;
    if (time > latestCreation(this.#now)) return;
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
