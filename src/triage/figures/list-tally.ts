/** Counts the accounts of a list for its figures, while it arrives or from a loaded table. */
import { isPendingRow, type RowColumns } from "../../accounts/columns.ts";
import { dayMs, hourMs } from "../../text/durations.ts";
import { RecentCreations } from "../forecast/forecast.ts";
import { bucketsFor, type CreatedChart } from "./chart.ts";
import { type Figures, figuresFrom, type PendingAccount } from "./figures.ts";
import { latestPlausibleCreation, NewestAccounts } from "./newest.ts";

export const chartHours = 6;

export interface ListFigures extends Figures {
  /** Imported accounts in each of the last hours before the list began, oldest first. */
  readonly lastHours: readonly number[];
}

interface TallyOptions {
  /** The time before which rates count, in epoch milliseconds. */
  readonly now: number;
  /** The time of the list in epoch milliseconds. Default: `now`. */
  readonly listedAt?: number | undefined;
  /** Milliseconds east of UTC, which decides when days and weeks begin. */
  readonly zoneOffsetMs: number;
  readonly newest: number;
  /** The smallest bucket of the chart, a size of {@link bucketsFor}. Default: a day. */
  readonly minBucketMs?: number;
}

/** The facts of a whole list, of which the counted rows can be a part. */
interface WholeList {
  readonly total: number;
  readonly pending: number;
  readonly longest: readonly PendingAccount[];
  /** True if only a part of the list is stored. */
  readonly isTruncated: boolean;
}

export class ListTally {
  readonly #now: number;
  readonly #latestPlausible: number;
  readonly #zoneOffsetMs: number;
  readonly #minBucketMs: number;
  readonly #unitMs: number;
  readonly #recent: RecentCreations;
  readonly #newest: NewestAccounts;
  readonly #hours = new Array<number>(chartHours).fill(0);
  /** The accounts created in each unit of time, by the number of the unit since 1970. */
  readonly #units = new Map<number, number>();
  #total = 0;
  #ahead = 0;
  #pending = 0;
  #earliest = Number.POSITIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;

  constructor({ now, listedAt = now, zoneOffsetMs, newest, minBucketMs = dayMs }: TallyOptions) {
    this.#now = now;
    this.#latestPlausible = latestPlausibleCreation(listedAt);
    this.#zoneOffsetMs = zoneOffsetMs;
    this.#minBucketMs = minBucketMs;
    this.#unitMs = Math.min(minBucketMs, dayMs);
    this.#recent = new RecentCreations(now);
    this.#newest = new NewestAccounts(newest, this.#latestPlausible);
  }

  get total(): number {
    return this.#total;
  }

  /** Counts the first `count` rows of these columns, of which the first is at `first` of the list. */
  take(columns: RowColumns, count: number, first = this.#total): void {
    let { minimumTime } = this.#newest;
    for (let row = 0; row < count; row++) {
      if (isPendingRow(columns, row)) this.#pending += 1;
      const time = columns.createdAt[row] as number;
      if (!(time <= this.#latestPlausible)) {
        if (time > this.#latestPlausible) this.#ahead += 1;
        continue;
      }
      this.#addTime(time);
      if (time >= minimumTime) {
        this.#newest.take(columns, row, time, first + row);
        ({ minimumTime } = this.#newest);
      }
    }
    this.#total += count;
    this.#newest.read();
  }

  /** Returns the figures, with a chart of at most `buckets` columns. */
  figures(
    buckets: number,
    whole: WholeList = {
      total: this.#total,
      pending: this.#pending,
      longest: [],
      isTruncated: false,
    },
  ): ListFigures {
    const figures = figuresFrom({
      ...whole,
      ahead: this.#ahead,
      recent: this.#recent,
      earliest: this.#earliest,
      created: this.#latest >= this.#earliest ? this.#chart(buckets, whole.pending) : null,
      newest: this.#newest.read(),
    });
    return { ...figures, lastHours: [...this.#hours] };
  }

  #addTime(time: number): void {
    if (time < this.#earliest) this.#earliest = time;
    if (time > this.#latest) this.#latest = time;
    this.#recent.add(time);
    const unit = Math.floor((time + this.#zoneOffsetMs) / this.#unitMs);
    this.#units.set(unit, (this.#units.get(unit) ?? 0) + 1);
    const before = this.#now - time;
    if (before >= chartHours * hourMs) return;
    // A creation time slightly in the future counts for the current hour.
    const hour = chartHours - 1 - Math.max(0, Math.floor(before / hourMs));
    this.#hours[hour] = (this.#hours[hour] as number) + 1;
  }

  #chart(maxCount: number, pending: number): CreatedChart {
    const { startMs, bucketMs, count } = bucketsFor(
      this.#earliest,
      pending > 0 ? Math.max(this.#latest, this.#now) : this.#latest,
      { maxCount, zoneOffsetMs: this.#zoneOffsetMs, minBucketMs: this.#minBucketMs },
    );
    const counts = new Array<number>(count).fill(0);
    for (const [unit, created] of this.#units) {
      const at = Math.floor((unit * this.#unitMs - this.#zoneOffsetMs - startMs) / bucketMs);
      counts[at] = (counts[at] ?? 0) + created;
    }
    return { startMs, bucketMs, counts };
  }
}
