import { type Forecast, forecastOf, ratesOf } from "../../../src/triage/forecast/forecast.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** The rates of a migration of 30 days, by the accounts of the last hour, 24 hours and seven days. */
const rates = (...counts: readonly [hour: number, day: number, week: number]) =>
  ratesOf(counts, 30 * day);

function inHours(finish: Forecast): readonly number[] | string {
  return finish.kind === "none" ? finish.reason : [finish.soonestMs / hour, finish.latestMs / hour];
}

describe("a forecast from the rates of the last hour, day and week", () => {
  test("rates that agree give a range as narrow as the smallest of their counts is known", () => {
    expect(inHours(forecastOf(1_000, rates(100, 2_400, 16_800)))).toEqual([8, 15]);
    expect(inHours(forecastOf(100_000, rates(10_000, 240_000, 1_680_000)))).toEqual([9, 15]);
  });

  test("rates that differ give the range between the fastest and the slowest", () => {
    const finish = forecastOf(2_500, rates(100, 720, 10_080));
    expect(inHours(finish)).toEqual([20, 4 * 24]);
    expect(finish.kind === "range" && finish.spansMs).toEqual([hour, day, 7 * day]);
  });

  test("a rate of fewer than twenty accounts is not in it: a quiet hour does not make the finish late", () => {
    const finish = forecastOf(5_000, rates(5, 1_070, 7_490));
    expect(inHours(finish)).toEqual([4 * 24, 5 * 24]);
    expect(finish.kind === "range" && finish.spansMs).toEqual([day, 7 * day]);
  });

  test("a young migration has the rate of its age alone", () => {
    const finish = forecastOf(300, ratesOf([100, 100, 100], hour / 6));
    expect(inHours(finish)).toEqual([25 / 60, 40 / 60]);
    expect(finish).toMatchObject({ spansMs: [hour / 6] });
  });

  test("what is nearly done can end at any moment", () => {
    expect(forecastOf(1, rates(10_000, 240_000, 1_680_000))).toMatchObject({
      kind: "range",
      soonestMs: 0,
      latestMs: 60_000,
    });
  });

  test.each([
    [0, rates(5, 120, 840), "nothing-pending"],
    [5, [], "no-creation-times"],
    [5, rates(0, 0, 0), "standstill"],
    [5, rates(19, 19, 19), "too-few"],
    [1e9, rates(1, 24, 168), "too-far"],
    [9_000, rates(1_000, 1_230, 2_670), "too-uneven"],
  ] as const)("of %d pending it says why there is none: case %#", (pending, known, reason) => {
    expect(forecastOf(pending, known)).toEqual({ kind: "none", reason });
  });
});
