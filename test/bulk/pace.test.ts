import { expect, test } from "vitest";
import {
  type Pace,
  type RunProgress,
  slowWords,
  speedText,
  timeLeftText,
} from "../../src/bulk/progress.ts";
import { monitorPace } from "../../src/bulk/schedule/pace.ts";

test("the time of a request is split into the service's and this machine's", () => {
  let now = 0;
  const pace = monitorPace({ now: () => now });
  expect(pace.now()).toBeNull();
  const time = pace.begin();
  now = 10;
  time.sending();
  now = 310;
  time.answered();
  now = 330;
  time.over();
  expect(pace.now()).toEqual({ serviceMs: 300, localMs: 30 });
});

test("a request that waited to be sent again says nothing about the pace", () => {
  let now = 0;
  const pace = monitorPace({ now: () => now });
  const time = pace.begin();
  time.sending();
  time.waiting();
  now = 10_000;
  time.sending();
  time.answered();
  time.over();
  expect(pace.now()).toBeNull();
});

const progress = (pace: Pace | null, slowed: RunProgress["slowed"] = null): RunProgress => ({
  ...{ run: "r", rows: 1, inFlight: 1, limit: 16, perSecond: 1, secondsLeft: 1 },
  counts: {
    ...{ waiting: 1, sending: 0, confirmed: 0, exists: 0 },
    ...{ rejected: 0, retryable: 0, unknown: 0, closed: 0 },
  },
  ...{ pause: null, slowed, pace, stopping: false },
});

test.each([
  [
    { serviceMs: 300, localMs: 5, oneByOne: false },
    "the service takes 300 ms a request, 16 at once",
  ],
  [
    { serviceMs: 300, localMs: 5, oneByOne: true },
    "the service takes 300 ms a request, and rows of one account go one by one",
  ],
  [{ serviceMs: 120, localMs: 150, oneByOne: false }, "the journal's disk takes 150 ms a row"],
  [{ serviceMs: 20, localMs: 5, oneByOne: true }, null],
  [null, null],
])("%j is slow because %s", (pace, words) => {
  expect(slowWords(progress(pace))).toBe(words);
});

test("what the service asked for comes first", () => {
  const pace = { serviceMs: 900, localMs: 5, oneByOne: false };
  const slowed = { since: 0, why: "the service asks for a pause (429)" };
  expect(slowWords(progress(pace, slowed))).toMatch(/^slowed at .*429/);
});

test.each([
  [{ perSecond: 0, secondsLeft: null }, "No row finished in the last 5 s", ""],
  [{ perSecond: 3.44, secondsLeft: 90 }, "3.4 rows a second", "1 min 30 s left"],
  [{ perSecond: 1_200.4, secondsLeft: 5 }, "1,200 rows a second", "5 s left"],
])("a rate of %j is shown with the time that it leaves", (figures, speed, left) => {
  const shown = { ...progress(null), ...figures };
  expect(speedText(shown)).toBe(speed);
  expect(timeLeftText(shown)).toBe(left);
});
