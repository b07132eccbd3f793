import { describe, expect, test } from "vitest";
import { fakeClock } from "./clock.ts";

describe("a clock moved by hand", () => {
  test("stands still until it is moved", async () => {
    const clock = fakeClock("2026-01-15T09:00:00Z");
    expect(clock.now()).toBe(Date.UTC(2026, 0, 15, 9));
    await clock.advance(1500);
    expect(clock.now()).toBe(Date.UTC(2026, 0, 15, 9, 0, 1, 500));
  });

  test("wakes sleepers in the order they are due, each at its own moment", async () => {
    const clock = fakeClock(0);
    const woke: string[] = [];
    const sleeper = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woke.push(`${name} at ${clock.now()}`);
    };
    const all = Promise.all([sleeper("late", 300), sleeper("early", 100), sleeper("twin", 100)]);
    expect(clock.pending()).toBe(3);
    await clock.advance(99);
    expect(woke).toEqual([]);
    await clock.advance(201);
    expect(woke).toEqual(["early at 100", "twin at 100", "late at 300"]);
    await all;
    expect(clock.pending()).toBe(0);
  });

  test("wakes one that goes back to sleep as often as the span has room for", async () => {
    const clock = fakeClock(0);
    const times: number[] = [];
    const end = new AbortController();
    const polling = (async () => {
      for (;;) {
        await clock.sleep(1000, end.signal);
        times.push(clock.now());
      }
    })();
    await clock.advance(3500);
    expect(times).toEqual([1000, 2000, 3000]);
    end.abort(new Error("left the screen"));
    await expect(polling).rejects.toThrow("left the screen");
    expect(clock.pending()).toBe(0);
  });

  test("does not put to sleep what is aborted already", async () => {
    const clock = fakeClock(0);
    await expect(clock.sleep(10, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(clock.pending()).toBe(0);
  });

  test("resolves when enough are asleep", async () => {
    const clock = fakeClock(0);
    const both = clock.untilSleeping(2);
    let told = false;
    both.then(() => {
      told = true;
    });
    const first = clock.sleep(5);
    await clock.advance(0);
    expect(told).toBe(false);
    const second = clock.sleep(5);
    await both;
    await clock.advance(5);
    await Promise.all([first, second]);
  });
});
