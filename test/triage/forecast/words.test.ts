import type { FinishRange } from "../../../src/triage/forecast/forecast.ts";
import { roundDown, roundUp, unitOf, unitWithin } from "../../../src/triage/forecast/forecast.ts";
import { forecastWords, rangeWords, shortRange } from "../../../src/triage/forecast/words.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function rounded(soonestMs: number, latestMs: number): FinishRange {
  const unit = unitOf(latestMs);
  return {
    kind: "range",
    soonestMs: roundDown(soonestMs, unitWithin(unit, soonestMs)),
    latestMs: roundUp(latestMs, unit),
    spansMs: [day],
  };
}

describe("a range in words", () => {
  test.each([
    [20 * minute, 50 * minute, "20 to 50 min", "20–50 min"],
    [2.2 * hour, 4.1 * hour, "2 to 5 h", "2–5 h"],
    [2 * day, 10 * day, "2 to 10 days", "2–10 d"],
    [8.4 * hour, 2.6 * day, "8 h to 3 days", "8 h–3 d"],
    [26 * hour, 49 * hour, "25 to 50 h", "25–50 h"],
    [26 * hour, 52 * hour, "1 to 2.5 days", "1–2.5 d"],
    [28 * day, 70 * day, "25 days to 2.5 months", "25 d–2.5 mo"],
    [400 * day, 900 * day, "1 to 2.5 years", "1–2.5 y"],
    [20_000, 2.5 * minute, "up to 3 min", "≤ 3 min"],
    [17 * day, 59 * day, "15 to 60 days", "15–60 d"],
    [0.9 * hour, 1 * day, "50 min to 25 h", "50 min–25 h"],
  ])("from %d to %d ms is %s", (soonestMs, latestMs, words, short) => {
    const range = rounded(soonestMs, latestMs);
    expect(range.soonestMs).toBeLessThanOrEqual(soonestMs);
    expect(range.latestMs).toBeGreaterThanOrEqual(latestMs);
    expect(rangeWords(range)).toBe(words);
    expect(shortRange(range)).toBe(short);
  });

  test("a range at the end of a unit stays in it after rounding", () => {
    for (let latestMs = minute; latestMs < 4_000 * day; latestMs *= 1.013) {
      const range = rounded(latestMs / 4, latestMs);
      expect(unitOf(range.latestMs)).toBe(unitOf(latestMs));
      expect(rangeWords(rounded(range.soonestMs, range.latestMs))).toBe(rangeWords(range));
    }
  });

  test("a forecast is the range or the reason why there is none", () => {
    const range = rounded(2 * day, 5 * day);
    expect(forecastWords(range)).toBe("2 to 5 days left at the rate of the last 24 h");
    expect(forecastWords({ ...range, spansMs: [hour, day, 7 * day] })).toBe(
      "2 to 5 days left at the rates of the last hour, 24 h and 7 d",
    );
    expect(forecastWords({ kind: "none", reason: "standstill" })).toBe(
      "finish not known: none imported in 7 days",
    );
    expect(forecastWords({ kind: "none", reason: "nothing-pending" })).toBe("");
  });
});
