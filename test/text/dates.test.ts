import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ago, formatInstant, sinceThen, zoneName } from "../../src/text/dates.ts";

const NOON = Date.UTC(2026, 10, 20, 13, 0, 5);

describe("instants", () => {
  const before = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = "Europe/Berlin";
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  test("are written in the local zone, with the zone to name beside", () => {
    expect(formatInstant(NOON)).toBe("2026-11-20 14:00:05");
    expect(zoneName(NOON)).toBe("+01:00");
    expect(zoneName(Date.UTC(2026, 6, 1))).toBe("+02:00");
  });

  test("west of Greenwich and odd offsets are named rightly", () => {
    process.env.TZ = "America/St_Johns";
    expect(zoneName(NOON)).toBe("-03:30");
    process.env.TZ = "Asia/Kathmandu";
    expect(zoneName(NOON)).toBe("+05:45");
  });

  test("can be written in UTC and to the minute", () => {
    expect(formatInstant(NOON, { utc: true })).toBe("2026-11-20 13:00:05");
    expect(formatInstant(NOON, { utc: true, seconds: false })).toBe("2026-11-20 13:00");
    expect(zoneName(NOON, true)).toBe("UTC");
  });

  test("that are none say so", () => {
    expect(formatInstant(Number.NaN)).toBe("unreadable time");
    expect(zoneName(Number.NaN)).toBe("unreadable time");
    expect(ago(Number.NaN, NOON)).toBe("unreadable time");
  });

  test.each([
    [0, "just now"],
    [-1999, "just now"],
    [-42_900, "42 s ago"],
    [-150_000, "2 min ago"],
    [-3 * 3_600_000, "3 h ago"],
    [-12 * 86_400_000, "12 d ago"],
    [4200, "in 5 s"],
    [120_000, "in 2 min"],
  ])("%d ms from now is %s", (offset, words) => {
    expect(ago(NOON + offset, NOON)).toBe(words);
  });
});

test("what has happened is never told as the future, although a screen's clock lags behind", () => {
  expect(sinceThen(NOON + 800, NOON)).toBe("just now");
  expect(sinceThen(NOON - 42_000, NOON)).toBe("42 s ago");
});
