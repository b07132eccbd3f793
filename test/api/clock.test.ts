import { runningTime, systemClock } from "../../src/api/clock.ts";

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

test.each([0, -0.66, -5_000])(
  "a sleep of %d ms, until a moment that has passed, is over without a warning of Node",
  async (ms) => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const sleeping = systemClock.sleep(ms);

    await vi.advanceTimersByTimeAsync(1);
    await sleeping;

    expect(timers.mock.calls.map(([, asked]) => asked)).toEqual([0]);
  },
);

test("a long sleep ends at once, and leaves no timer, when it is aborted in a later piece", async () => {
  const stop = new AbortController();
  const sleeping = systemClock.sleep(400 * dayMs, stop.signal);
  const ended = expect(sleeping).rejects.toThrow("enough");

  await vi.advanceTimersByTimeAsync(100 * dayMs);
  stop.abort(new Error("enough"));

  await ended;
  expect(vi.getTimerCount()).toBe(0);
});

test.each([-2 * 86_400_000, -3_600_000, 3_600_000])(
  "a machine's clock that is set by %d ms moves neither the running time nor a limit",
  async (setMs) => {
    const began = systemClock.elapsed();
    const limit = systemClock.limit(3_000).then(() => systemClock.elapsed() - began);
    vi.setSystemTime(Date.now() + setMs);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(systemClock.elapsed() - began).toBe(3_000);
    expect(await limit).toBe(3_000);
  },
);

describe("the running time", () => {
  /** A time that moves by the length of each sleep, and by that of a stop during the n-th. */
  function stoppedDuring(nth: number, stopMs: number) {
    let now = 5_000;
    let sleeps = 0;
    const sleep = async (ms: number) => {
      sleeps += 1;
      now += ms + (sleeps === nth ? stopMs : 0);
    };
    return { ...runningTime(() => now, sleep), time: () => now };
  }

  test.each([1, 2, 30])("does not count a stop during second %d of a limit", async (nth) => {
    const { elapsed, limit, time } = stoppedDuring(nth, 60_000);
    const began = elapsed();
    await limit(30_000);
    const afterStopMs = nth === 30 ? 250 : 0;
    expect(elapsed() - began).toBe(30_000 + afterStopMs);
    expect(time()).toBe(5_000 + 90_000 + afterStopMs);
  });

  test("counts a timer that is only a little late", async () => {
    const { elapsed, limit } = stoppedDuring(1, 800);
    const began = elapsed();
    await limit(30_000);
    expect(elapsed() - began).toBe(30_000);
  });

  test("counts one stop once, however many limits it delays", async () => {
    let now = 0;
    const wakes: (() => void)[] = [];
    const sleep = () => new Promise<void>((resolve) => wakes.push(resolve));
    const { elapsed, limit } = runningTime(() => now, sleep);
    for (let n = 0; n < 3; n++) void limit(1_000);
    now = 61_000;
    for (const wake of wakes.splice(0)) wake();
    await Promise.resolve();
    await Promise.resolve();
    expect(elapsed()).toBe(1_000);
  });
});
