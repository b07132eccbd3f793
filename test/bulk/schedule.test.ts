import { ServiceError } from "../../src/api/errors.ts";
import { createKeyedQueue } from "../../src/bulk/schedule/jobs.ts";
import { monitorHealth } from "../../src/bulk/schedule/service-health.ts";
import { fakeClock } from "../helpers/clock.ts";
import * as fc from "../helpers/fast-check.ts";

const failed = new ServiceError("unavailable", "It fails.", { httpStatus: 503, sent: true });
const unsent = new ServiceError("unreachable", "No one listens.", { sent: false });
const asked = (retryAfterMs: number) =>
  new ServiceError("rate-limited", "Too many.", { httpStatus: 429, sent: true, retryAfterMs });

/** The service has answered once. */
const monitored = (concurrency = 16) => {
  const clock = fakeClock(0);
  const health = monitorHealth(clock, { concurrency, failsWith500: true });
  health.attemptEnded(1, null);
  return { clock, health };
};

describe("the limit on requests in flight", () => {
  test("is what the run was given", () => {
    expect(monitored(1).health.limit()).toBe(1);
    expect(monitored(16).health.limit()).toBe(16);
  });

  test("is half after a 429 or a failure, once for all requests that were in flight together", async () => {
    for (const error of [failed, asked(1000)]) {
      const { clock, health } = monitored();
      expect(health.limit()).toBe(16);
      for (const line of [3, 4, 5]) health.attemptEnded(line, error);
      expect(health.limit()).toBe(8);
      health.attemptEnded(6, null);
      expect(health.limit()).toBe(8);
      expect(health.slowed()).toMatchObject({ since: 0 });
      await clock.advance(31_000);
      expect(health.limit()).toBe(16);
      expect(health.slowed()).toBeNull();
    }
  });

  test("never falls below one", () => {
    const { health } = monitored(1);
    for (let n = 0; n < 3; n++) health.attemptEnded(3, failed);
    expect(health.limit()).toBe(1);
    expect(health.slowed()).toBeNull();
  });

  test("stays half for half a minute after the end of a pause that the service asked for", async () => {
    const { clock, health } = monitored();
    health.attemptEnded(3, asked(60_000));
    await clock.advance(61_000);
    expect(health.limit()).toBe(8);
    await clock.advance(30_000);
    expect(health.limit()).toBe(16);
  });
});

describe("a clock that is set back by an hour", () => {
  test("delays neither the next probe nor the end of a pause", async () => {
    for (const error of [unsent, asked(2_000)]) {
      const { clock, health } = monitored();
      for (const line of [3, 4]) health.attemptEnded(line, error);
      const before = health.state();
      if (before.kind === "closed" || before.kind === "half-open") throw new Error("not paused");
      clock.set(-3_600_000);
      await clock.advance(2_000);
      expect(clock.elapsed()).toBeGreaterThanOrEqual(before.until);
      const pause = health.pause();
      expect(pause?.nextTryAt).toBeLessThanOrEqual(clock.now());
      expect(pause?.since).toBe(clock.now() - 2_000);
    }
  });
});

describe("the health of the service", () => {
  test("is half-open, without a pause, until a first row has succeeded", () => {
    const health = monitorHealth(fakeClock(0), { concurrency: 16, failsWith500: true });
    expect(health.state().kind).toBe("half-open");
    expect(health.pause()).toBeNull();
    health.attemptEnded(2, failed);
    expect(health.state().kind).toBe("open");
    expect(health.pause()).toMatchObject({ nextTryAt: 1000 });
    health.probeEnded(null);
    health.attemptEnded(2, null);
    expect(health.state().kind).toBe("closed");
  });

  test("is tried at once when the operator asks, and not before the service's own pause is over", async () => {
    const { clock, health } = monitored();
    for (const line of [3, 4, 5, 6]) health.attemptEnded(line, failed);
    await clock.advance(200);
    expect(health.pause()).toMatchObject({ nextTryAt: 1_000 });
    health.tryNow();
    expect(health.pause()).toMatchObject({ since: 0, nextTryAt: 200 });
    health.probeEnded(failed);
    expect(health.pause()).toMatchObject({ since: 0, nextTryAt: 2_200 });
    health.probeEnded(asked(60_000));
    health.tryNow();
    expect(health.pause()).toMatchObject({ nextTryAt: 60_200 });
  });

  test("does not change with a further success", () => {
    const { health } = monitored();
    const before = health.state();
    health.attemptEnded(2, null);
    expect(health.state()).toBe(before);
  });

  test("takes a few failures in a row, of more than one row, to open the breaker", async () => {
    const { clock, health } = monitored();
    for (let n = 0; n < 10; n++) health.attemptEnded(2, failed);
    expect(health.state().kind).toBe("closed");
    health.attemptEnded(2, null);
    for (const line of [2, 3, 2]) health.attemptEnded(line, failed);
    expect(health.state().kind).toBe("closed");
    await clock.advance(500);
    health.attemptEnded(3, failed);
    const why = "the service answers 503";
    expect(health.state()).toEqual({ kind: "open", since: 0, until: 1500, why });
  });

  test("takes two requests that could not be sent to open it", () => {
    const { health } = monitored();
    health.attemptEnded(2, unsent);
    health.attemptEnded(2, unsent);
    expect(health.state().kind).toBe("open");
  });

  test("probes after 1, 2, 4 … 30 seconds, and starts again after a success", async () => {
    const { clock, health } = monitored();
    for (let n = 0; n < 2; n++) health.attemptEnded(2, unsent);
    const waits: number[] = [];
    for (let n = 0; n < 7; n++) {
      const state = health.state();
      if (state.kind !== "open") throw new Error(state.kind);
      waits.push(state.until - clock.now());
      await clock.advance(state.until - clock.now());
      health.probeEnded(unsent);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    health.probeEnded(null);
    expect(health.state().kind).toBe("half-open");
    health.attemptEnded(2, null);
    expect(health.state().kind).toBe("closed");
    expect(health.failingSince()).toBeNull();
  });

  test("opens for longer when a row fails after a probe was answered", async () => {
    const { clock, health } = monitored();
    for (let n = 0; n < 2; n++) health.attemptEnded(2, unsent);
    await clock.advance(1000);
    health.probeEnded(null);
    health.attemptEnded(2, failed);
    expect(health.state()).toMatchObject({ kind: "open", since: 0, until: 3000 });
    expect(health.failedTrials()).toBe(1);
  });

  test("counts no 429 as a failure, and keeps the longest pause", () => {
    const { health } = monitored();
    health.attemptEnded(2, asked(5000));
    health.attemptEnded(3, asked(2000));
    expect(health.state()).toMatchObject({ kind: "throttled", until: 5000 });
    health.attemptEnded(4, null);
    expect(health.state().kind).toBe("throttled");
    health.pauseEnded();
    expect(health.state().kind).toBe("closed");
  });
});

describe("a keyed queue", () => {
  interface Item {
    readonly n: number;
    readonly key: string;
    notBefore: number;
  }

  test("hands out every row once, in order within its key, whatever is put back", () => {
    const key = fc.integer({ min: 0, max: 4 });
    const ended = fc.record({ again: fc.boolean(), wait: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), fc.array(ended), (names, ends) => {
        const queue = createKeyedQueue<Item>();
        for (const [n, name] of names.entries()) {
          queue.add({ n, key: String(name), notBefore: 0 });
        }
        const out: Item[] = [];
        const under: Item[] = [];
        let now = 0;
        let at = 0;
        for (;;) {
          const taken = queue.take(now);
          if (taken !== null) {
            // Never two of one key at once.
            expect(under.map((item) => item.key)).not.toContain(taken.key);
            expect(taken.notBefore).toBeLessThanOrEqual(now);
            under.push(taken);
            if (under.length < 3) continue;
          }
          const job = under.shift();
          if (job === undefined) {
            const due = queue.nextDue();
            if (due === null) break;
            now = due;
            continue;
          }
          const what = ends[at++];
          if (what?.again) {
            job.notBefore = what.wait === 0 ? 0 : now + what.wait;
            queue.putBack(job);
          } else {
            out.push(job);
            queue.release(job);
          }
        }
        expect(queue.size()).toBe(0);
        expect(out).toHaveLength(names.length);
        for (const name of new Set(names)) {
          const mine = out.filter((item) => item.key === String(name)).map(({ n }) => n);
          expect(mine).toEqual(mine.toSorted((one, other) => one - other));
        }
      }),
    );
  });

  test("runs different keys in parallel and the jobs of one key one at a time", () => {
    const queue = createKeyedQueue<Item>();
    for (const [n, key] of ["a", "a", "b", "c"].entries()) queue.add({ n, key, notBefore: 0 });
    const taken = [queue.take(0), queue.take(0), queue.take(0), queue.take(0)];
    expect(taken.map((item) => item?.n ?? null)).toEqual([0, 2, 3, null]);
  });
});
