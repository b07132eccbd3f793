import { atLeastAge, coarseAge } from "../../src/text/ages.ts";
import { formatDuration, maskDurations, parseDuration } from "../../src/text/durations.ts";
import { bytes, count, percent, plural } from "../../src/text/numbers.ts";
import * as fc from "../helpers/fast-check.ts";

describe("durations", () => {
  test.each([
    ["500ms", 500],
    ["5s", 5000],
    ["30m", 1_800_000],
    ["1h", 3_600_000],
    ["2d", 172_800_000],
    ["1m30s", 90_000],
    ["1h 5m", 3_900_000],
    ["1.5h", 5_400_000],
    ["90", 90_000],
    ["0.25", 250],
    ["0", 0],
    [" 5s ", 5000],
  ])("%s is understood", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    "",
    " ",
    "s",
    "5x",
    "-5s",
    "5s3m",
    "5 5",
    "1e3",
    "Infinity",
    "NaN",
    "5S",
    "m5",
    "1..5s",
    "9".repeat(30),
  ])("%j is refused", (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  test.each([
    [0, "0 ms"],
    [850, "850 ms"],
    [999.9, "999 ms"],
    [42_000, "42 s"],
    [59_999, "59 s"],
    [303_000, "5 min 3 s"],
    [1_800_000, "30 min"],
    [7_440_000, "2 h 04 min"],
    [7_200_000, "2 h"],
    [266_400_000, "3 d 2 h"],
    [-5000, "-5 s"],
    [Number.NaN, "unknown time"],
    [Number.POSITIVE_INFINITY, "unknown time"],
  ])("%d ms reads %s", (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });
});

test.each([
  [-5, "< 1 min", "just seen"],
  [0, "< 1 min", "just seen"],
  [59_999, "< 1 min", "just seen"],
  [60_000, "1 min", "≥ 1 min"],
  [26 * 3_600_000, "1 d", "≥ 1 d"],
])("an age of %d ms reads %s, and as a lower bound %s", (ms, words, bound) => {
  expect(coarseAge(ms)).toBe(words);
  expect(atLeastAge(ms)).toBe(bound);
});

test("a line differs in its ages alone, however small they are", () => {
  expect(maskDurations("seen < 1 min ago")).toBe(maskDurations("seen 5 min ago"));
  expect(maskDurations("pending just seen")).toBe(maskDurations("pending ≥ 3 d"));
});

describe("numbers", () => {
  test("thousands are set apart", () => {
    expect(count(0)).toBe("0");
    expect(count(999)).toBe("999");
    expect(count(1000)).toBe("1,000");
    expect(count(1_234_567)).toBe("1,234,567");
    expect(count(-1_234)).toBe("-1,234");
    expect(count(Number.NaN)).toBe("?");
  });

  test("a share never claims an end it has not reached", () => {
    expect(percent(42, 100)).toBe("42.0 %");
    expect(percent(999_999, 1_000_000)).toBe(">99.9 %");
    expect(percent(1, 1_000_000)).toBe("<0.1 %");
    expect(percent(5, 5)).toBe("100.0 %");
    expect(percent(0, 5)).toBe("0.0 %");
    expect(percent(0, 0)).toBe("-");
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000_000 }),
        fc.nat({ max: 2_000_000 }),
        (whole, any) => {
          const part = any % (whole + 1);
          expect(percent(part, whole) === "100.0 %").toBe(part === whole);
          expect(percent(part, whole) === "0.0 %").toBe(part === 0);
        },
      ),
    );
  });

  test("nouns follow their number", () => {
    expect(plural(1, "account")).toBe("1 account");
    expect(plural(0, "account")).toBe("0 accounts");
    expect(plural(1200, "entry", "entries")).toBe("1,200 entries");
  });

  test("sizes take the unit that suits them", () => {
    expect(bytes(0)).toBe("0 B");
    expect(bytes(999)).toBe("999 B");
    expect(bytes(1500)).toBe("1.5 kB");
    expect(bytes(999_960)).toBe("1.0 MB");
    expect(bytes(42_000_000)).toBe("42.0 MB");
  });
});
