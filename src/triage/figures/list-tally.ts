/** Counts the accounts of a list while it arrives, for the figures of a supplier. */
import { isPendingRow } from "../../accounts/columns.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import { dayMs, hourMs } from "../../text/durations.ts";
import { RecentCreations } from "../forecast/forecast.ts";
import { bucketsFor, type CreatedChart } from "./chart.ts";
import { type Figures, figuresFrom } from "./figures.ts";
import { latestPlausibleCreation, NewestAccounts } from "./newest.ts";

export const chartHours = 6;

export interface ListFigures extends Figures {
  /** Imported accounts in each of the last hours before the list began, oldest first. */
  readonly lastHours: readonly number[];
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

  /** Returns the figures, with a chart of at most `buckets` columns of a day or longer. */
  figures(buckets: number): ListFigures {
    const figures = figuresFrom({
      total: this.#total,
      pending: this.#pending,
      ahead: this.#ahead,
      recent: this.#recent,
      earliest: this.#earliest,
      created: this.#latest >= this.#earliest ? this.#chart(buckets) : null,
      newest: this.#newest.read(),
      longest: [],
      isTruncated: false,
    });
    return { ...figures, lastHours: [...this.#hours] };
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
