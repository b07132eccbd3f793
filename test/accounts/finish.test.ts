import { describe, expect, test } from "vitest";
import { type CreationRate, finishOf, rangeWords } from "../../src/accounts/finish.ts";

const hour = 3_600_000;
const day = 24 * hour;

function rate(perHour: number, count = 100, windowMs = day): CreationRate {
  return { perHour, count, windowMs };
}

describe("when a migration may be finished", () => {
  test("a busy hour and a slow week give a range, not a minute", () => {
    const finish = finishOf(24_000, [rate(500), rate(200), rate(100)]);
    expect(finish).toEqual({ kind: "range", soonestMs: 2 * day, latestMs: 10 * day });
    expect(finish.kind === "range" && rangeWords(finish)).toBe("2 to 10 days");
  });

  test.each([
    [20 * 60_000, 50 * 60_000, "20 to 50 min"],
    [2.2 * hour, 4.1 * hour, "2 to 5 h"],
    [3 * day, 3 * day, "about 3 days"],
    [1.1 * day, 1.1 * day, "about 26 h"],
    [30 * day, 70 * day, "1 to 3 months"],
    [400 * day, 900 * day, "1 to 3 years"],
    [1_000, 2_000, "about 1 min"],
  ])("from %d to %d ms is %s", (soonestMs, latestMs, words) => {
    expect(rangeWords({ kind: "range", soonestMs, latestMs })).toBe(words);
  });

  test("a rate of fewer than twenty accounts says nothing about the finish", () => {
    expect(finishOf(1_000, [rate(19, 19, hour), rate(10, 240)])).toEqual({
      kind: "range",
      soonestMs: 100 * hour,
      latestMs: 100 * hour,
    });
  });

  test.each([
    [0, [rate(5)], "nothing-pending"],
    [5, [], "no-creation-times"],
    [5, [rate(0, 0)], "standstill"],
    [5, [rate(1, 19)], "too-few"],
    [1e9, [rate(1)], "too-far"],
    [1_000, [rate(1_000), rate(1)], "too-uneven"],
  ] as const)("of %d pending at %j it is not estimated: %s", (pending, rates, reason) => {
    expect(finishOf(pending, rates)).toEqual({ kind: "none", reason });
  });
});
