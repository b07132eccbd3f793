import { type CreationRate, rateSpans, ratesOf } from "../forecast/rates.ts";
import { latestCreation } from "./creation-time.ts";

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
