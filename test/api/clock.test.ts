import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../src/api/clock.ts";

const dayMs = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a sleep longer than one timer's maximum has the requested length", async () => {
  let woke = false;
  const sleeping = systemClock.sleep(30 * dayMs).then(() => {
    woke = true;
  });

  await vi.advanceTimersByTimeAsync(30 * dayMs - 1);
  expect(woke).toBe(false);

  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
  expect(woke).toBe(true);
});

test("no timer is ever given more milliseconds than Node accepts", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const sleeping = systemClock.sleep(400 * dayMs);

  await vi.advanceTimersByTimeAsync(400 * dayMs);
  await sleeping;

  const asked = timers.mock.calls.map(([, ms]) => ms ?? 0);
  expect(asked.length).toBeGreaterThan(1);
  expect(Math.max(...asked)).toBeLessThan(2 ** 31);
});

test("a long sleep ends at once, and leaves no timer, when it is aborted in a later piece", async () => {
  const stop = new AbortController();
  const sleeping = systemClock.sleep(400 * dayMs, stop.signal);
  const ended = expect(sleeping).rejects.toThrow("enough");

  await vi.advanceTimersByTimeAsync(100 * dayMs);
  stop.abort(new Error("enough"));

  await ended;
  expect(vi.getTimerCount()).toBe(0);
});
