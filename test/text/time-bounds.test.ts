import { spanEnd, spanStart, type TimeBound } from "../../src/text/time-bounds.ts";
import { typedAt } from "../forms/payloads.ts";

const told = (edge: TimeBound) => (edge.ok ? new Date(edge.ms).toISOString() : edge.message);

describe("typed on 20 November 2026 at 10:30:05 in Berlin", () => {
  test.each([
    ["yesterday", "2026-11-18T23:00:00.000Z", "2026-11-19T23:00:00.000Z"],
    ["today", "2026-11-19T23:00:00.000Z", "2026-11-20T23:00:00.000Z"],
    ["2026-11-20", "2026-11-19T23:00:00.000Z", "2026-11-20T23:00:00.000Z"],
    // A day on which the clocks change has 23 or 25 hours, and a month ends where it ends.
    ["2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    ["25.10.2026", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    ["2026-02-28", "2026-02-27T23:00:00.000Z", "2026-02-28T23:00:00.000Z"],
  ])("the day %j begins a span at %s and ends one at %s", (typed, start, end) => {
    expect(told(spanStart(typed, typedAt))).toBe(start);
    expect(told(spanEnd(typed, typedAt))).toBe(end);
  });

  test.each([
    ["24h", "2026-11-19T09:30:05.000Z"],
    ["1h30m", "2026-11-20T08:00:05.000Z"],
    ["-3d", "2026-11-17T09:30:05.000Z"],
    ["2026-11-20 14:00", "2026-11-20T13:00:00.000Z"],
    ["2026-11-20T14:00:00Z", "2026-11-20T14:00:00.000Z"],
    ["now", "2026-11-20T09:30:05.000Z"],
  ])("the time %j is the same at either end: %s", (typed, instant) => {
    expect(told(spanStart(typed, typedAt))).toBe(instant);
    expect(told(spanEnd(typed, typedAt))).toBe(instant);
  });

  test.each([
    ["last week", /24h \(24 hours ago\)/],
    ["", /24h \(24 hours ago\)/],
    ["24", /24h \(24 hours ago\)/],
    ["2026-02-30", /no such day/],
    ["11/20/2026", /2026-11-20/],
    ["2026-11-20 25:00", /no such time of day/],
  ])("%j is refused, and it says what can be written", (typed, words) => {
    const edge = spanStart(typed, typedAt);
    expect(edge.ok).toBe(false);
    expect(told(edge)).toMatch(words);
  });
});

test("where the clocks skip midnight the day begins with its first minute", () => {
  const inCairo = { now: Date.parse("2026-05-01T00:00:00Z"), timeZone: "Africa/Cairo" };
  expect(told(spanStart("2026-04-24", inCairo))).toBe("2026-04-23T22:00:00.000Z");
  expect(told(spanEnd("2026-04-23", inCairo))).toBe("2026-04-23T22:00:00.000Z");
});
