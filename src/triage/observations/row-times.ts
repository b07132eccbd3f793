/** Stores several times for each of many rows in little memory. */
import type { PackedTimes } from "./block-parts.ts";

/**
 * The index of a time for each row. An index has two bytes while there are few distinct times, else
 * four.
 */
export type Places = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Maximum number of distinct times for two-byte indexes. */
const mostNarrow = 2 ** 16;

/**
 * Columns of times in epoch milliseconds, or NaN for none. There are only as many distinct times as
 * observations with a change, so each time is stored once, with its index for each row.
 */
export class RowTimes {
  /** The distinct times. The time at index 0 is NaN. */
  readonly #times: number[] = [Number.NaN];
  readonly #places = new Map<number, number>([[Number.NaN, 0]]);
  #columns: Places[];

  constructor(columns: number, rows: number) {
    this.#columns = Array.from({ length: columns }, () => new Uint16Array(rows));
  }

  set(column: number, row: number, time: number): void {
    const place = this.#placeOf(time);
    this.column(column)[row] = place;
  }

  /** Sets `count` rows, beginning with `from`. */
  setAll(column: number, from: number, count: number, { times, places }: PackedTimes): void {
    const known = Array.from(times, (time) => this.#placeOf(time));
    const rows = this.column(column);
    if (places === null) rows.fill(known[0] ?? 0, from, from + count);
    else
      for (let row = 0; row < count; row++)
        rows[from + row] = known[places[row] as number] as number;
  }

  /** Returns the index of each row's time in {@link times}. */
  column(column: number): Places {
    return this.#columns[column] as Places;
  }

  times(): Float64Array<ArrayBuffer> {
    return Float64Array.from(this.#times);
  }

  #placeOf(time: number): number {
    const known = this.#places.get(time);
    if (known !== undefined) return known;
    const place = this.#times.length;
    if (place === mostNarrow) this.#columns = this.#columns.map((one) => Uint32Array.from(one));
    this.#times.push(time);
    this.#places.set(time, place);
    return place;
  }
}
