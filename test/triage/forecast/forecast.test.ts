import { describe, expect, test } from "vitest";
import { scoresOf } from "../../../bench/forecast.ts";
import { migrationOf, momentsOf, rhythms } from "../../../bench/measure/histories.ts";
import { type Forecast, forecastOf } from "../../../src/triage/forecast/forecast.ts";
import type { CreatedHistory } from "../../../src/triage/forecast/rates.ts";

const minute = 60_000;
const hour = 60 * minute;

/** A history in hours; `perHour` gives the accounts of the hour that lies `ago` hours back. */
function hours(steps: number, perHour: (ago: number) => number): CreatedHistory {
  const counts = Float64Array.from({ length: steps }, (_, ago) => perHour(ago));
  return { stepMs: hour, counts, ageMs: steps * hour };
}

function inHours(finish: Forecast): readonly number[] | string {
  return finish.kind === "none" ? finish.reason : [finish.soonestMs / hour, finish.latestMs / hour];
}

describe("a forecast from what was created", () => {
  test("a steady past gives a narrow range around what is left", () => {
    expect(
      inHours(
        forecastOf(
          1_000,
          hours(28 * 24, () => 100),
        ),
      ),
    ).toEqual([9, 15]);
  });

  test("a past of good and bad days gives a wide range", () => {
    const uneven = hours(28 * 24, (ago) => (Math.floor(ago / 24) % 3 === 0 ? 300 : 10));
    const [soonest, latest] = inHours(forecastOf(2_500, uneven)) as readonly [number, number];
    expect(latest / soonest).toBeGreaterThan(3);
    expect(soonest).toBeLessThan(2_500 / 107);
    expect(latest).toBeGreaterThan(2_500 / 107);
  });

  test("a quiet hour of a night does not make the finish late", () => {
    const atNight = hours(28 * 24, (ago) => ((ago + 20) % 24 < 10 ? 100 : 5));
    // 1,070 a day, of which 100 are left when the working hours begin.
    const [, latest] = inHours(forecastOf(5_000, atNight)) as readonly [number, number];
    expect(latest).toBeLessThanOrEqual(8 * 24);
  });

  test("a young migration without a past to test has a range that says so, or none", () => {
    const young: CreatedHistory = {
      stepMs: 5 * minute,
      counts: Float64Array.of(50, 50),
      ageMs: 10 * minute,
    };
    expect(inHours(forecastOf(300, young))).toEqual([20 / 60, 45 / 60]);
    expect(forecastOf(60_000, young)).toEqual({ kind: "none", reason: "too-uneven" });
  });

  test("a pace that never occurred before is inside the range, or there is none", () => {
    const firstHour = (pace: number) => hours(60 * 24, (ago) => (ago === 0 ? pace : 10));
    // 30 an hour for the first time: three times as fast as ever.
    const [soonest, latest] = inHours(forecastOf(900, firstHour(30))) as readonly [number, number];
    expect(soonest).toBeLessThanOrEqual(30);
    expect(latest).toBeGreaterThanOrEqual(90);
    expect(inHours(forecastOf(9_000, firstHour(1_000)))).toBe("too-uneven");
  });

  test("what is nearly done can end at any moment", () => {
    expect(
      forecastOf(
        1,
        hours(100, () => 10_000),
      ),
    ).toEqual({
      kind: "range",
      soonestMs: 0,
      latestMs: minute,
      spansMs: [hour],
    });
  });

  test("the same past gives the same forecast", () => {
    const [moment] = momentsOf(migrationOf("bursts", 3), 1);
    if (moment === undefined) throw new Error("a migration has a moment");
    const first = forecastOf(moment.pending, moment.history);
    expect(forecastOf(moment.pending, moment.history)).toEqual(first);
  });

  test.each([
    [0, hours(100, () => 5), "nothing-pending"],
    [5, null, "no-creation-times"],
    [5, hours(400, (ago) => (ago < 200 ? 0 : 5)), "standstill"],
    [5, hours(10, (ago) => (ago === 0 ? 19 : 0)), "too-few"],
    [1e9, hours(400, () => 1), "too-far"],
  ] as const)("of %d pending it says why there is none: case %#", (pending, history, reason) => {
    expect(forecastOf(pending, history)).toEqual({ kind: "none", reason });
  });
});

describe("forecasts replayed over generated migrations", () => {
  // Other seeds than those of the benchmark, by which the figures of the rule were chosen.
  const score = (rhythm: (typeof rhythms)[number]) =>
    scoresOf(rhythm, { firstSeed: 1_000, migrations: 12 });

  test.each(rhythms)("of %s, the truth is inside three of four ranges", (rhythm) => {
    const { tested, untested } = score(rhythm);
    expect(tested.inside).toBeGreaterThan(75);
    expect(tested.inside).toBeGreaterThan(untested.inside);
    expect(tested.width).toBeLessThan(7);
    expect(tested.none).toBeLessThan(25);
  });
});
