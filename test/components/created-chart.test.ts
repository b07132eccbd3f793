import { axisOf, fitChart, peakWords } from "../../src/components/created-chart.tsx";
import { shownZone } from "../../src/text/dates.ts";

const hour = 3_600_000;
const day = 24 * hour;
const counts = (length: number) => new Array<number>(length).fill(1);

function inUtc(): void {
  shownZone.set("utc");
  onTestFinished(() => shownZone.set("local"));
}

test("the axis of days dates Mondays and ends today, not in the future", () => {
  inUtc();
  const startMs = Date.UTC(2026, 9, 1);
  const now = startMs + 29 * day + 5 * hour;
  const axis = axisOf({ startMs, bucketMs: day, counts: counts(30) }, 1, now);
  expect(axis).toHaveLength(30);
  // October 12, 2026 is a Monday.
  expect(axis).toBe("1 Oct      12 Oct 19 Oct today");
  const wide = axisOf({ startMs, bucketMs: day, counts: counts(30) }, 2, now);
  expect(wide).toHaveLength(60);
  expect(wide.indexOf("Mo 12 Oct")).toBe(22);
});

test("the axis of hours dates the days where they begin and ends now", () => {
  inUtc();
  const startMs = Date.UTC(2026, 9, 1, 2);
  const axis = axisOf({ startMs, bucketMs: hour, counts: counts(60) }, 1, startMs + 59.5 * hour);
  expect(axis).toMatch(/^1 Oct 02:00 +Fr 2 Oct +Sa 3 Oct +now$/);
  expect(axis.indexOf("Fr")).toBe(22);
});

test("the axis of half days begins with a date alone", () => {
  inUtc();
  const startMs = Date.UTC(2026, 9, 1);
  const axis = axisOf(
    { startMs, bucketMs: 12 * hour, counts: counts(30) },
    1,
    startMs + 14.8 * day,
  );
  expect(axis).toMatch(/^1 Oct +\d+ Oct .*now$/);
});

test("the axis of a migration that is over ends with its last day", () => {
  inUtc();
  const startMs = Date.UTC(2026, 0, 1);
  const axis = axisOf({ startMs, bucketMs: day, counts: counts(40) }, 1, startMs + 90 * day);
  expect(axis).toMatch(/^1 Jan .*9 Feb$/);
});

test("the axis has the year of what is not of this year", () => {
  inUtc();
  const startMs = Date.UTC(2025, 11, 1);
  const axis = axisOf({ startMs, bucketMs: day, counts: counts(60) }, 1, startMs + 59.5 * day);
  expect(axis).toMatch(/^1 Dec 2025 .*today$/);
});

test.each([
  [day, "2026-11-03", "peak 9 on 3 Nov"],
  [7 * day, "2026-11-02", "peak 9, 2–8 Nov 2026"],
  [14 * day, "2024-04-15", "peak 9, 15–28 Apr 2024"],
  [14 * day, "2024-04-29", "peak 9, 29 Apr–12 May 2024"],
  [28 * day, "2025-12-15", "peak 9, 15 Dec 2025–11 Jan 2026"],
])("the peak of bars of %d ms from %s names their days", (bucketMs, from, words) => {
  inUtc();
  const startMs = Date.parse(from) - bucketMs;
  const now = Date.parse("2026-11-28T12:00:00Z");
  expect(peakWords({ startMs, bucketMs, counts: [1, 9, 2] }, now)).toBe(words);
});

test("an axis over years names each year once", () => {
  inUtc();
  const startMs = Date.UTC(2023, 11, 4);
  const bucketMs = 14 * day;
  const now = Date.UTC(2026, 10, 28);
  const length = Math.ceil((now - startMs) / bucketMs);
  for (const cells of [1, 2, 3]) {
    const axis = axisOf({ startMs, bucketMs, counts: counts(length) }, cells, now);
    for (const year of ["2023", "2024", "2025", "2026"])
      expect(axis.match(new RegExp(year, "g")), axis).toHaveLength(1);
  }
});

test("bars are widened together, and days without imports fill the rest before them", () => {
  const startMs = Date.UTC(2026, 9, 1);
  const chart = { startMs, bucketMs: day, counts: [3, 4, 5] };
  const { chart: few, cells } = fitChart(chart, 10);
  expect(cells).toBe(3);
  expect(few).toEqual(chart);
  const { chart: wide, cells: most } = fitChart(chart, 20);
  expect(most).toBe(4);
  expect(wide).toEqual({ startMs: startMs - 2 * day, bucketMs: day, counts: [0, 0, 3, 4, 5] });
  const { chart: many } = fitChart({ ...chart, counts: counts(50) }, 20);
  expect(many).toEqual({ startMs: startMs + 30 * day, bucketMs: day, counts: counts(20) });
});

test("the axis labels the days before and after a daylight-saving change", () => {
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
    3,
    startMs + 31.5 * bucketMs,
  );
  expect(long).toMatch(/Fr 30 Oct +Sa 31 Oct +Su 1 Nov +Mo 2 Nov +Tu 3 Nov +We 4 Nov .*now$/);
});
