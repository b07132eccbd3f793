import { expect, onTestFinished, test } from "vitest";
import { axisOf } from "../../src/screens/overview/created-chart.tsx";
import { shownZone } from "../../src/text/dates.ts";

const hour = 3_600_000;
const day = 24 * hour;
const counts = (length: number) => new Array<number>(length).fill(1);

function inUtc(): void {
  shownZone.set("utc");
  onTestFinished(() => shownZone.set("local"));
}

test("the axis of days names Mondays and ends today, not in the future", () => {
  inUtc();
  const startMs = Date.UTC(2026, 9, 1);
  const now = startMs + 29 * day + 5 * hour;
  const axis = axisOf({ startMs, bucketMs: day, counts: counts(30) }, now);
  expect(axis).toHaveLength(30);
  expect(axis).toMatch(/^2026-10-01 .*today$/);
  // October 12, 2026 is a Monday.
  expect(axis.indexOf("Mo")).toBe(11);
});

test("the axis of hours names the days where they begin and ends now", () => {
  inUtc();
  const startMs = Date.UTC(2026, 9, 1, 2);
  const axis = axisOf({ startMs, bucketMs: hour, counts: counts(60) }, startMs + 59.5 * hour);
  expect(axis).toMatch(/^2026-10-01 02:00 +Fr +Sa +now$/);
  expect(axis.indexOf("Fr")).toBe(22);
});

test("the axis of a migration that is over ends with its last day", () => {
  inUtc();
  const startMs = Date.UTC(2026, 0, 1);
  const axis = axisOf({ startMs, bucketMs: day, counts: counts(40) }, startMs + 90 * day);
  expect(axis).toMatch(/^2026-01-01 .*2026-02-09$/);
});

test("the axis names the days on both sides of a change of the clocks", () => {
  const before = process.env.TZ;
  process.env.TZ = "America/New_York";
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  // Buckets begin at midnight as it is after the change of November 1, 2026.
  const startMs = Date.UTC(2026, 9, 29, 5);
  const bucketMs = 6 * hour;
  // Saturday, October 31 is in summer time, Sunday and the days after it are not.
  const earlier = startMs - 16 * bucketMs;
  const long = axisOf(
    { startMs: earlier, bucketMs, counts: counts(48) },
    startMs + 31.5 * bucketMs,
  );
  expect(long).toMatch(/Fr +Sa +Su +Mo +Tu +We +now$/);
});
