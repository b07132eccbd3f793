/** Promise: every row has the time that was set for it, however many different times there are. */
import { describe, expect, test } from "vitest";
import { RowTimes } from "../../../src/triage/observations/row-times.ts";

describe("times of rows", () => {
  test("more different times than two bytes can number keep those that were set before", () => {
    const count = 70_000;
    const ages = new RowTimes(2, count);
    for (let row = 0; row < count; row++) ages.set(0, row, 1_000 + row);
    const times = ages.times();
    expect(times).toHaveLength(count + 1);
    const isRight = (place: number, row: number) => times[place] === 1_000 + row;
    expect(Array.from(ages.column(0)).every(isRight)).toBe(true);
    expect(Array.from(ages.column(1), (place) => times[place]).every(Number.isNaN)).toBe(true);
  });

  test("a stored column is set from a row on; where all rows have one time, it has no places", () => {
    const ages = new RowTimes(1, 6);
    const times = Float64Array.of(5, Number.NaN, 7);
    ages.setAll(0, 1, 3, { times, places: Uint16Array.of(2, 0, 1) });
    ages.setAll(0, 4, 2, { times: Float64Array.of(5), places: null });
    const all = ages.times();
    expect(Array.from(ages.column(0), (place) => all[place])).toEqual([
      Number.NaN,
      7,
      5,
      Number.NaN,
      5,
      5,
    ]);
  });
});
