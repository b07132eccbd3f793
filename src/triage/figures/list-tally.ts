/** Counts the accounts of a list while it arrives, for the figures of a supplier. */
import { isPendingRow } from "../../accounts/columns.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import { dayMs, hourMs } from "../../text/durations.ts";
import type { CreationRate } from "../forecast/forecast.ts";
import { type Forecast, forecastOf, RecentCreations } from "../forecast/forecast.ts";
import { bucketsFor, type CreatedChart } from "./chart.ts";
import { latestPlausibleCreation, type NewAccount, NewestAccounts } from "./newest.ts";

export const chartHours = 6;

export interface ListFigures {
  readonly total: number;
  readonly imported: number;
  readonly pending: number;
  /** Imported accounts in each of the last hours before the list began, oldest first. */
  readonly lastHours: readonly number[];
  /** Accounts created per day, or per week and longer, or null if no creation time is known. */
  readonly created: CreatedChart | null;
  readonly newest: readonly NewAccount[];
  /**
   * Number of accounts with a creation time too far in the future. They are in no chart, no rate,
   * and not among the newest.
   */
  readonly ahead: number;
  readonly rates: readonly CreationRate[];
  readonly finish: Forecast;
}

export class ListTally {
  readonly #now: number;
  readonly #latestPlausible: number;
  readonly #zoneOffsetMs: number;
  readonly #recent: RecentCreations;
  readonly #newest: NewestAccounts;
  readonly #hours = new Array<number>(chartHours).fill(0);
  readonly #days = new Map<number, number>();
  #total = 0;
  #ahead = 0;
  #pending = 0;
  #earliest = Number.POSITIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;

  /**
   * `now` (epoch milliseconds) is the time of the request. The zone offset decides when a day
   * begins.
   */
  constructor(options: {
    readonly now: number;
    /** Milliseconds east of UTC. */
    readonly zoneOffsetMs: number;
    readonly newest: number;
  }) {
    this.#now = options.now;
    this.#latestPlausible = latestPlausibleCreation(options.now);
    this.#zoneOffsetMs = options.zoneOffsetMs;
    this.#recent = new RecentCreations(options.now);
    this.#newest = new NewestAccounts(options.newest, this.#latestPlausible);
  }

  get total(): number {
    return this.#total;
  }

  take(batch: AccountBatch): void {
    let { minimumTime } = this.#newest;
    for (let row = 0; row < batch.count; row++) {
      if (isPendingRow(batch, row)) this.#pending += 1;
      const time = batch.createdAt[row] as number;
      if (!(time <= this.#latestPlausible)) {
        if (time > this.#latestPlausible) this.#ahead += 1;
        continue;
      }
      this.#addTime(time);
      if (time >= minimumTime) {
        this.#newest.take(batch, row, time, this.#total + row);
        ({ minimumTime } = this.#newest);
      }
    }
    this.#total += batch.count;
    this.#newest.read();
  }

  figures(buckets: number): ListFigures {
    const isDated = this.#latest >= this.#earliest;
    const rates = isDated ? this.#recent.rates(this.#earliest) : [];
    return {
      total: this.#total,
      imported: this.#total - this.#pending,
      pending: this.#pending,
      lastHours: [...this.#hours],
      created: isDated ? this.#chart(buckets) : null,
      newest: this.#newest.read(),
      ahead: this.#ahead,
      rates,
      finish: forecastOf(this.#pending, rates),
    };
  }

  #addTime(time: number): void {
    if (time < this.#earliest) this.#earliest = time;
    if (time > this.#latest) this.#latest = time;
    this.#recent.add(time);
    const day = Math.floor((time + this.#zoneOffsetMs) / dayMs);
    this.#days.set(day, (this.#days.get(day) ?? 0) + 1);
    const before = this.#now - time;
    if (before >= chartHours * hourMs) return;
    // A creation time slightly in the future counts for the current hour.
    const hour = chartHours - 1 - Math.max(0, Math.floor(before / hourMs));
    this.#hours[hour] = (this.#hours[hour] as number) + 1;
  }

  #chart(maxCount: number): CreatedChart {
    const end = this.#pending > 0 ? Math.max(this.#latest, this.#now) : this.#latest;
    const zone = this.#zoneOffsetMs;
    const { startMs, bucketMs, count } = bucketsFor(this.#earliest, end, {
      maxCount,
      zoneOffsetMs: zone,
      minBucketMs: dayMs,
    });
    const counts = new Array<number>(count).fill(0);
    for (const [day, created] of this.#days) {
      const bucket = Math.floor((day * dayMs - zone - startMs) / bucketMs);
      counts[bucket] = (counts[bucket] ?? 0) + created;
    }
    return { startMs, bucketMs, counts };
  }
}
