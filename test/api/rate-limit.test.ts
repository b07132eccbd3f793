/** One rate limit for everything that is asked of a service, against gates that are simulated. */
import { createRateLimit, maxRateLimitWaitMs, retryAfter } from "../../src/api/rate-limit.ts";
import { type FakeClock, fakeClock } from "../helpers/clock.ts";
import { bucketGate, countingGate, type Gate, gapGate, logged, randomGate } from "./gates.ts";

const { signal } = new AbortController();

/** A 429 to a request that leaves now. */
function refuse(limit: ReturnType<typeof createRateLimit>, retryAfterMs?: number): void {
  limit.limited({ isTooMany: true, retryAfterMs }, limit.departed());
}

const latencyMs = 20;

/** Asks a gate until it has answered `requests`, with `callers` at a time. */
async function run(clock: FakeClock, gate: Gate, requests: number, callers: number) {
  const limit = createRateLimit(clock);
  const began = clock.now();
  const watched = logged((at) => gate(at - began), latencyMs);
  let left = requests;
  let inPause = 0;
  const ask = async (): Promise<void> => {
    await limit.pass(maxRateLimitWaitMs, signal);
    if (limit.mayLeave() !== null) return ask();
    if (limit.until() !== null) inPause += 1;
    const departure = limit.departed();
    await clock.sleep(latencyMs / 2);
    const refusal = watched.gate(clock.now());
    await clock.sleep(latencyMs / 2);
    if (refusal === null) return limit.answered(departure);
    const seconds = Number(refusal.retryAfter ?? Number.NaN);
    const retryAfterMs = Number.isNaN(seconds) ? undefined : seconds * 1000;
    limit.limited({ isTooMany: true, retryAfterMs }, departure);
    return ask();
  };
  const call = async () => {
    while (left-- > 0) await ask();
  };
  let isEnded = false;
  const all = Promise.all(Array.from({ length: callers }, call)).then(() => {
    isEnded = true;
  });
  while (!isEnded) await clock.advance(100);
  await all;
  expect(inPause).toBe(0);
  return { ...watched.log, ms: clock.now() - began };
}

describe("no request leaves inside a pause, few are refused, and the limit is used:", () => {
  test.each([
    ["one in 400 ms, one caller", () => gapGate(400, "1"), 100, 1, 400, 1.3],
    ["one in 400 ms, 8 callers", () => gapGate(400, "1"), 100, 8, 400, 1.3],
    ["one in 400 ms, 16 callers", () => gapGate(400, "1"), 100, 16, 400, 1.3],
    ["one in 400 ms without Retry-After", () => gapGate(400, null), 100, 8, 400, 1.3],
    ["one in 400 ms, Retry-After 0", () => gapGate(400, "0"), 100, 8, 400, 1.5],
    ["one in 1 s, Retry-After 2", () => gapGate(1_000, "2"), 37, 8, 1_000, 1.4],
    ["one in 5 s, Retry-After 5", () => gapGate(5_000, "5"), 30, 8, 5_000, 1.5],
    ["a bucket of 1 for each second", () => bucketGate(1, 1, null), 24, 8, 1_000, 1.3],
    [
      "a bucket of 1 for each second, Retry-After 1",
      () => bucketGate(1, 1, "1"),
      24,
      8,
      1_000,
      1.3,
    ],
    ["a burst of 5, then one for each second", () => bucketGate(1, 5, null), 50, 8, 1_000, 1.2],
    ["a burst of 100, then 10 for each second", () => bucketGate(10, 100, "1"), 400, 8, 100, 1.2],
    ["every 25th at random", () => randomGate(25, "1"), 400, 8, 100, 1],
    ["refused requests count: 10 in 10 s", () => countingGate(10, 10_000, null), 50, 8, 1_000, 3],
    ["refused requests count: 20 in 10 s", () => countingGate(20, 10_000, null), 100, 8, 500, 2],
    ["refused requests count: 5 in 1 s", () => countingGate(5, 1_000, "1"), 100, 8, 200, 2],
  ])("%s", async (_, gate, requests, callers, spacingMs, most) => {
    const { accepted, refused, inside, ms } = await run(fakeClock(0), gate(), requests, callers);
    expect({ accepted, inside }).toEqual({ accepted: requests, inside: 0 });
    // The first burst is sent before anything is known of a limit.
    expect(refused).toBeLessThanOrEqual(callers + requests / 3);
    expect(ms).toBeLessThanOrEqual(most * spacingMs * (requests - 1));
  });
});

test("a pause is waited for up to the time a call has for it", async () => {
  const clock = fakeClock();
  const limit = createRateLimit(clock);
  refuse(limit, 30_000);
  expect(await limit.pass(29_999, signal)).toBeNull();
  const passed = limit.pass(30_000, signal);
  await clock.advance(30_000);
  expect(await passed).toBe(30_000);
  expect(limit.until()).toBeNull();
});

test("a call that is queued when a pause begins waits for its end, and reports both waits", async () => {
  const clock = fakeClock(0);
  const limit = createRateLimit(clock);
  refuse(limit, 1_000);
  const waits: number[] = [];
  const passed = limit.pass(60_000, signal, (until) => waits.push(until));
  await clock.advance(500);
  refuse(limit, 5_000);
  await clock.advance(5_000);
  expect(await passed).toBe(5_500);
  expect(waits).toEqual([1_000, 5_500]);
});

test("a call that is queued gives up when a further pause is longer than it may wait", async () => {
  const clock = fakeClock(0);
  const limit = createRateLimit(clock);
  refuse(limit, 1_000);
  const passed = limit.pass(3_000, signal);
  await clock.advance(500);
  refuse(limit, 5_000);
  expect(await passed).toBeNull();
});

test("without a time each 429 in a row waits twice as long, those under way together as one", async () => {
  const clock = fakeClock();
  const limit = createRateLimit(clock);
  const waits: number[] = [];
  for (let n = 0; n < 4; n++) {
    const [first, second] = [limit.departed(), limit.departed()];
    limit.limited({ isTooMany: true, retryAfterMs: undefined }, first);
    waits.push((limit.until() ?? 0) - clock.now());
    await clock.advance(waits.at(-1) ?? 0);
    limit.limited({ isTooMany: true, retryAfterMs: 0 }, second);
    await clock.advance(1);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
});

test("a Retry-After that is repeated endlessly stops being honored", async () => {
  const clock = fakeClock();
  const limit = createRateLimit(clock);
  const waits: number[] = [];
  for (let n = 0; n < 5; n++) {
    refuse(limit, 0);
    waits.push((limit.until() ?? clock.now()) - clock.now());
    await clock.advance(waits.at(-1) ?? 0);
    await clock.advance(1);
  }
  expect(waits).toEqual([0, 0, 0, 8_000, 16_000]);
});

test("after a pause a second request waits for the first answer, for 2 s at most", async () => {
  const clock = fakeClock(0);
  const limit = createRateLimit(clock);
  refuse(limit, 1_000);
  const granted: string[] = [];
  const ask = async (name: string) => {
    await limit.pass(60_000, signal);
    granted.push(`${name} ${clock.now()}`);
    return limit.departed();
  };
  const [a, b, c, d] = [ask("a"), ask("b"), ask("c"), ask("d")];
  await clock.advance(2_999);
  expect(granted).toEqual(["a 1000"]);
  await clock.advance(1);
  expect(granted).toEqual(["a 1000", "b 3000"]);
  // A request that ends without an answer makes room as well.
  limit.unanswered();
  await clock.advance(1_000);
  expect(granted).toEqual(["a 1000", "b 3000", "c 4000"]);
  limit.answered(await b);
  await clock.advance(1_000);
  expect(granted.at(-1)).toBe("d 5000");
  await Promise.all([a, c, d]);
});

test("a failure that is no 429 makes every call wait, and says nothing about the rate", async () => {
  const clock = fakeClock(0);
  const limit = createRateLimit(clock);
  limit.limited({ isTooMany: false, retryAfterMs: 3_000 }, limit.departed());
  const first = limit.pass(60_000, signal);
  const others = [1, 2, 3].map(() => limit.pass(60_000, signal));
  await clock.advance(3_000);
  expect(await first).toBe(3_000);
  limit.answered(limit.departed());
  expect(await Promise.all(others)).toEqual([3_000, 3_000, 3_000]);
});

test("setting the clock back lengthens neither a pause nor the spacing", async () => {
  const machine = fakeClock(3_600_000);
  let back = 0;
  const clock = { ...machine, now: () => machine.now() - back };
  const limit = createRateLimit(clock);
  refuse(limit, 2_000);
  await machine.advance(2_000);
  await limit.pass(60_000, signal);
  back = 3_600_000;
  limit.answered(limit.departed());
  const passed = limit.pass(60_000, signal);
  await machine.advance(60_000);
  expect(await passed).toBeLessThanOrEqual(2_000);
});

test("a call that gives up leaves the queue, and the next one takes its turn", async () => {
  const clock = fakeClock(0);
  const limit = createRateLimit(clock);
  refuse(limit, 1_000);
  const giveUp = new AbortController();
  const first = limit.pass(60_000, giveUp.signal);
  const second = limit.pass(60_000, signal);
  giveUp.abort();
  await expect(first).rejects.toMatchObject({ kind: "cancelled" });
  await clock.advance(1_000);
  expect(await second).toBe(1_000);
  expect(clock.pending()).toBe(0);
});

test("a call that may not wait takes a turn that is due, although the clock goes on meanwhile", async () => {
  const machine = fakeClock(0);
  let ticks = 0;
  const limit = createRateLimit({ ...machine, now: () => ticks++ });
  expect(await limit.pass(0, signal)).not.toBeNull();
});

test.each([-3_600_000, -120_000, 0, 120_000, 3_600_000])(
  "a Retry-After date counts from the Date of its response, with a service %d ms off",
  (offMs) => {
    const receivedAt = Date.parse("2026-01-15T06:00:00Z");
    const text = (ms: number) => new Date(receivedAt + offMs + ms).toUTCString();
    const headers: Readonly<Record<string, string>> = { date: text(0), "retry-after": text(4_000) };
    expect(retryAfter((name) => headers[name] ?? null, receivedAt)).toBe(4_000);
    const withoutDate = (name: string) => (name === "date" ? null : (headers[name] ?? null));
    expect(retryAfter(withoutDate, receivedAt)).toBe(Math.max(0, offMs + 4_000));
  },
);
