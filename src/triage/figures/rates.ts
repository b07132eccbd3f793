import { dayMs, hourMs, minuteMs } from "../../text/durations.ts";
import { type CreatedHistory, type CreationRate, ratesOf, summed } from "../forecast/rates.ts";
import { latestCreation } from "./creation-time.ts";

/** Up to this age a migration is counted in five minutes: its first hours are all there is to judge by. */
const young = { stepMs: 5 * minuteMs, reachMs: 2 * dayMs };
/** Creations longer ago than half a year say nothing about the present. */
const grown = { stepMs: hourMs, reachMs: 182 * dayMs };

/** Counts the accounts created lately, one creation time after the other. */
export class RecentCreations {
  readonly #now: number;
  readonly #minutes = new Float64Array(young.reachMs / young.stepMs);
  readonly #hours = new Float64Array(grown.reachMs / grown.stepMs);

  /** `now` in epoch milliseconds. */
  constructor(now: number) {
    this.#now = now;
  }

  /** `count` accounts created at a time in epoch milliseconds; a time that is too far ahead counts nowhere. */
  add(time: number, count = 1): void {
    const before = this.#now - time;
    if (before >= grown.reachMs || time > latestCreation(this.#now)) return;
    const hour = before <= 0 ? 0 : Math.floor(before / grown.stepMs);
    this.#hours[hour] = (this.#hours[hour] as number) + count;
    if (before >= young.reachMs) return;
    const minute = before <= 0 ? 0 : Math.floor(before / young.stepMs);
    this.#minutes[minute] = (this.#minutes[minute] as number) + count;
  }

  /** The counts of a migration whose first account was created at `earliest` (epoch milliseconds). */
  history(earliest: number): CreatedHistory {
    const ageMs = this.#now - earliest;
    const isYoung = ageMs < young.reachMs;
    const { stepMs } = isYoung ? young : grown;
    const steps = Math.max(1, Math.floor(ageMs / stepMs) + 1);
    // A history stays as it was when more accounts are counted.
    return { stepMs, ageMs, counts: (isYoung ? this.#minutes : this.#hours).slice(0, steps) };
  }

  /** The rates of the last hour, 24 hours and seven days, of a migration as for `history`. */
  rates(earliest: number): readonly CreationRate[] {
    return ratesOf(summed(this.history(earliest)));
  }
}
