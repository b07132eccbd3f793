import { atLeastAge, coarseAge, formatAge } from "../../src/text/ages.ts";
import {
  dayMs,
  hourMs,
  minuteMs,
  parseDuration,
  typedDuration,
  waitText,
  wholeSeconds,
} from "../../src/text/durations.ts";
import * as fc from "../helpers/fast-check.ts";

test("a screen that ticks once a second shows whole seconds, and never a negative span", () => {
  expect([-450, 0, 999, 1_000, 61_999].map(wholeSeconds)).toEqual([
    "under 1 s",
    "under 1 s",
    "under 1 s",
    "1 s",
    "1 min 1 s",
  ]);
});

test("a wait that has just begun is shown whole", () => {
  expect([-1, 250, 999, 1_000, 9_998, 59_990].map(waitText)).toEqual([
    "0 ms",
    "250 ms",
    "1 s",
    "1 s",
    "10 s",
    "1 min",
  ]);
});

test("an age that counts from an unusable time is not known", () => {
  for (const ms of [Number.NaN, 1e300, -1e300, Number.POSITIVE_INFINITY]) {
    expect(formatAge(ms)).toBe("a time not known");
    expect(coarseAge(ms)).toBe("not known");
    expect(atLeastAge(ms)).toBe("not known");
  }
});

test.each([
  [3 * dayMs, "3d"],
  [40 * minuteMs, "40m"],
  [dayMs + 90 * minuteMs, "1d1h30m"],
  [hourMs + 5_007, "1h5s7ms"],
  [0, "0s"],
])("%i ms are written as a user types them, %s", (ms, typed) => {
  expect(typedDuration(ms)).toBe(typed);
});

test("a duration that is written as typed is read as the same duration", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000 * dayMs }), (ms) => {
      expect(parseDuration(typedDuration(ms))).toBe(ms);
    }),
  );
});
