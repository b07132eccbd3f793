import { expect, test } from "vitest";
import { type RunProgress, slowWords, speedText, timeLeftText } from "../../src/bulk/progress.ts";

const progress = (slowed: RunProgress["slowed"] = null): RunProgress => ({
  run: "r",
  rows: 1,
  inFlight: 1,
  limit: 16,
  perSecond: 1,
  secondsLeft: 1,
  counts: {
    waiting: 1,
    sending: 0,
    confirmed: 0,
    exists: 0,
    rejected: 0,
    retryable: 0,
    unknown: 0,
    closed: 0,
  },
  pause: null,
  slowed,
  stopping: false,
});

test("a run on an overloaded service is reported as slowed, with its start", () => {
  expect(slowWords(progress())).toBeNull();
  const slowed = { since: 0, why: "the service asks for a pause (429)" };
  expect(slowWords(progress(slowed))).toMatch(/^slowed at .*429/);
});

test.each([
  [{ perSecond: 0, secondsLeft: null }, "No row finished in the last 5 s", ""],
  [{ perSecond: 3.44, secondsLeft: 90 }, "3.4 rows a second", "1 min 30 s left"],
  [{ perSecond: 1_200.4, secondsLeft: 5 }, "1,200 rows a second", "5 s left"],
])("a rate of %j is shown with the time that it leaves", (figures, speed, left) => {
  const shown = { ...progress(), ...figures };
  expect(speedText(shown)).toBe(speed);
  expect(timeLeftText(shown)).toBe(left);
});
