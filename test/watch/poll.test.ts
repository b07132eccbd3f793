import { ServiceError, type ServiceErrorFacts } from "../../src/api/errors.ts";
import { type PollEvent, type PollOptions, poll } from "../../src/watch/poll.ts";
import { fakeClock } from "../helpers/clock.ts";

const failure = (kind: "unavailable" | "not-found" | "rate-limited", facts?: ServiceErrorFacts) =>
  new ServiceError(kind, "no", facts);

/** A poll of what `looks` say in turn (errors are thrown), the last for all that follow. */
function polled(looks: readonly unknown[], options: Partial<PollOptions<unknown>> = {}) {
  const clock = fakeClock();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let looked = 0;
  const events = poll<unknown>({
    clock,
    intervalMs: 5000,
    random: () => 0.5,
    signal: stop.signal,
    check: async () => {
      const said = looks[Math.min(looked++, looks.length - 1)];
      if (said instanceof Error) throw said;
      return said;
    },
    ...options,
  });
  /** The next event, moving the time on if the poll is asleep; with how long it slept. */
  const next = async (): Promise<{ event: PollEvent<unknown> | null; slept: number }> => {
    const from = clock.now();
    const coming = events.next();
    let over = false;
    coming.finally(() => {
      over = true;
    });
    await clock.advance(0);
    while (!over) await clock.advance(50);
    const { value } = await coming;
    return { event: value ?? null, slept: clock.now() - from };
  };
  /** The waits before each of the next looks. */
  const waits = async (count: number) => {
    const found: number[] = [];
    for (let n = 0; n < count; n++) {
      const before = await next();
      expect(before.event?.kind).toBe("checking");
      found.push(before.slept);
      await next();
    }
    return found;
  };
  return { clock, stop, events, next, waits, looked: () => looked };
}

describe("looking again and again", () => {
  test("checks at once, and reports the answer and the time of the next check", async () => {
    const { clock, next } = polled(["PENDING"]);
    const at = clock.now();
    expect((await next()).event).toEqual({ kind: "checking", at });
    expect((await next()).event).toEqual({
      kind: "answer",
      at,
      value: "PENDING",
      nextAt: at + 5000,
    });
    expect((await next()).event).toEqual({ kind: "checking", at: at + 5000 });
  });

  test("keeps the interval, and waits before the first look if asked to", async () => {
    expect(await polled(["x"]).waits(4)).toEqual([0, 5000, 5000, 5000]);
    expect(await polled(["x"], { firstAfterMs: 700 }).waits(2)).toEqual([700, 5000]);
  });

  test("moves each look by a tenth of the interval at the most", async () => {
    expect(await polled(["x"], { random: () => 0 }).waits(2)).toEqual([0, 4500]);
    expect(await polled(["x"], { random: () => 1 }).waits(2)).toEqual([0, 5500]);
  });
});

describe("when a look fails", () => {
  test("the wait doubles up to a minute, and an answer ends that", async () => {
    const down = failure("unavailable");
    const looks = [...Array.from({ length: 6 }, () => down), "PENDING", down, "PENDING"];
    expect(await polled(looks).waits(9)).toEqual([
      0, 5000, 10_000, 20_000, 40_000, 60_000, 60_000, 5000, 5000,
    ]);
  });

  test("an interval of more than a minute stays as it is", async () => {
    const down = failure("unavailable");
    const options = { intervalMs: 90_000 };
    expect(await polled([down], options).waits(3)).toEqual([0, 90_000, 90_000]);
  });

  test("the failure is reported unchanged, whatever was thrown", async () => {
    for (const error of [failure("unavailable"), new TypeError("odd")]) {
      const { next, clock } = polled([error]);
      await next();
      const at = clock.now();
      expect((await next()).event).toEqual({ kind: "failed", at, error, nextAt: at + 5000 });
    }
  });

  test("a 404 is reported too, but does not slow the checks", async () => {
    expect(await polled([failure("not-found")]).waits(4)).toEqual([0, 5000, 5000, 5000]);
  });

  test("a 429 is given the time it asks for, up to a minute and not below the interval", async () => {
    const asking = (retryAfterMs: number) => failure("rate-limited", { retryAfterMs });
    const looks = [asking(20_000), "x", asking(1000), "x", asking(600_000), "x"];
    expect(await polled(looks).waits(6)).toEqual([0, 20_000, 5000, 5000, 5000, 60_000]);
  });
});

describe("stopping", () => {
  test("stopping before the first check makes no request", async () => {
    const signal = AbortSignal.abort();
    const { next, looked } = polled(["x"], { signal });
    expect((await next()).event).toBeNull();
    expect(looked()).toBe(0);
  });

  test("stopping when a check is announced prevents it", async () => {
    const { next, stop, looked } = polled(["x"]);
    await next();
    stop.abort();
    expect((await next()).event).toBeNull();
    expect(looked()).toBe(0);
  });

  test("stopping during a check drops its late response", async () => {
    const late = Promise.withResolvers<string>();
    const { events, stop } = polled([], { check: () => late.promise });
    await events.next();
    const coming = events.next();
    stop.abort();
    expect(await coming).toEqual({ done: true, value: undefined });
    late.resolve("PROCESSED");
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test("during a check that heeds the signal: no failure is reported", async () => {
    const { events, stop } = polled([], {
      check: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new ServiceError("cancelled", "x")));
        }),
    });
    await events.next();
    const coming = events.next();
    stop.abort();
    expect((await coming).done).toBe(true);
  });

  test("stopping during a wait leaves no timer", async () => {
    const { events, stop, next, clock } = polled(["x"]);
    await next();
    await next();
    const coming = events.next();
    await clock.untilSleeping();
    stop.abort();
    expect((await coming).done).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  test("when the service is closed under it", async () => {
    const { next } = polled([new ServiceError("cancelled", "closed")]);
    await next();
    expect((await next()).event).toBeNull();
  });

  test("and a later check continues the earlier timeline", async () => {
    const first = polled(["PENDING"]);
    await first.next();
    await first.next();
    first.stop.abort();
    expect((await first.next()).event).toBeNull();
    const again = polled(["PROCESSED"], { clock: first.clock, firstAfterMs: 0 });
    await again.next();
    expect((await again.next()).event).toMatchObject({ kind: "answer", value: "PROCESSED" });
  });
});
