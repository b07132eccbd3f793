import { ServiceError } from "../../src/api/errors.ts";
import {
  nextRoundAt,
  reloadMs,
  roundIntervalMs,
  shownIntervalMs,
  spreadMs,
  statusIntervalMs,
  waitAfter,
} from "../../src/watch/pace.ts";

const failure = (retryAfterMs?: number) =>
  new ServiceError(retryAfterMs === undefined ? "unavailable" : "rate-limited", "no", {
    retryAfterMs,
  });

describe("an interval", () => {
  test.each([
    ["one subject keeps the interval asked for", statusIntervalMs(1, 5_000), 5_000],
    ["forty subjects keep it too", statusIntervalMs(40, 5_000), 5_000],
    ["a hundred subjects share eight checks a second", statusIntervalMs(100, 5_000), 12_500],
    ["an open subject on a screen keeps it", shownIntervalMs(false, 5_000), 5_000],
    ["a final state is checked once a minute", shownIntervalMs(true, 5_000), 60_000],
    ["a final state is not checked more often than asked", shownIntervalMs(true, 90_000), 90_000],
    ["a check comes at most a tenth earlier", spreadMs(5_000, 0), 4_500],
    ["a check comes at most a tenth later", spreadMs(5_000, 1), 5_500],
  ])("%s", (_, found, wanted) => {
    expect(found).toBe(wanted);
  });
});

describe("after failures", () => {
  test.each([
    ["the first wait is the interval", failure(), 1, 5_000, 5_000],
    ["the second wait is twice as long", failure(), 2, 5_000, 10_000],
    ["waits end at a minute", failure(), 9, 5_000, 60_000],
    ["a longer interval is never cut", failure(), 9, 90_000, 90_000],
    ["a Retry-After is respected", failure(45_000), 1, 5_000, 45_000],
    ["a short Retry-After shortens nothing", failure(1_000), 2, 5_000, 10_000],
    ["an account that is not found backs off from nothing", failure(), 0, 5_000, 5_000],
  ])("%s", (_, error, failures, intervalMs, wanted) => {
    expect(waitAfter(error, failures, intervalMs)).toBe(wanted);
  });
});

describe("lists", () => {
  test.each([
    ["a quick list rests for half a minute", reloadMs(200), 30_000],
    ["a slow list loads for a twentieth of the time", reloadMs(4_000), 80_000],
    ["a first round is not held up", round({ left: 11, reliefMs: 0, cost: 1 }), 5_000],
    [
      "a minute's requests are spread over it",
      round({ left: 1, reliefMs: 40_000, cost: 1 }),
      20_000,
    ],
    ["two suppliers take turns", round({ left: 1, reliefMs: 40_000, cost: 2 }), 40_000],
    ["an interval of a minute stays", round({ left: 11, reliefMs: 0, cost: 1 }, 60_000), 60_000],
    ["a round begins an interval after the last one", nextRoundAt(1_000, 2_000, 5_000), 6_000],
    ["a large list rests as long as it took", nextRoundAt(1_000, 9_000, 5_000), 17_000],
  ])("%s", (_, found, wanted) => {
    expect(found).toBe(wanted);
  });
});

function round(window: Parameters<typeof roundIntervalMs>[1], intervalMs = 1_000): number {
  return roundIntervalMs(intervalMs, window);
}
