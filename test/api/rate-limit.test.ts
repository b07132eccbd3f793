/** One rate limit for everything that is asked of a service. */
import { expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors.ts";
import { createRateLimit } from "../../src/api/rate-limit.ts";
import { fakeClock } from "../helpers/clock.ts";
import { openService, reply } from "../helpers/service.ts";
import { connected } from "./connected.ts";

const { signal } = new AbortController();
const limited = (retryAfterMs?: number) =>
  new ServiceError("rate-limited", "", {
    httpStatus: 429,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

/** Lets every promise that is ready go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a service that takes one request at a time answers 37 of them, whatever it asks to wait", async () => {
  const clock = fakeClock();
  let freeAt = 0;
  let refused = 0;
  const { baseUrl } = await openService((_request, response) => {
    if (clock.now() < freeAt) {
      refused += 1;
      return reply(response, 429, "", { "retry-after": "2" });
    }
    freeAt = clock.now() + 1_000;
    reply(response, 200, { status: "COMPLETED", service_account_number: "A-1" });
  });
  const { service } = connected(baseUrl, { clock });
  const numbers = Array.from({ length: 37 }, (_, at) => `EXT-${at}`);
  let open = numbers.length;
  const answers = numbers.map((number) =>
    service.accounts.status("ACME", number).finally(() => {
      open -= 1;
    }),
  );
  while (open > 0) {
    await settled();
    if (service.rateLimit.until() !== null) await clock.advance(2_000);
  }
  const all = await Promise.all(answers);
  expect(all.map(({ value }) => value.status)).toEqual(numbers.map(() => "COMPLETED"));
  expect(refused).toBeGreaterThan(0);
});

test("a 429 to one call makes every other wait, and uses up no tries", async () => {
  const clock = fakeClock();
  let asks = 6;
  const { baseUrl, received } = await openService((_request, response) => {
    if (asks-- > 0) return reply(response, 429, "", { "retry-after": "5" });
    reply(response, 200, { status: "COMPLETED", service_account_number: "A-1" });
  });
  const { service } = connected(baseUrl, { clock });
  let open = 2;
  const ask = (number: string) =>
    service.accounts.status("ACME", number).finally(() => {
      open -= 1;
    });
  const first = ask("ONE");
  while (service.rateLimit.until() === null) await settled();
  const second = ask("TWO");
  await settled();
  expect(received).toHaveLength(1);
  while (open > 0) {
    await settled();
    const until = service.rateLimit.until();
    if (until !== null) await clock.advance(until - clock.now());
  }
  expect((await first).value.status).toBe("COMPLETED");
  expect((await second).value.status).toBe("COMPLETED");
});

test("a pause is waited for up to the time a call has for it", async () => {
  const clock = fakeClock();
  const limit = createRateLimit(clock);
  limit.limited(limited(30_000), clock.now());
  expect(await limit.pass(29_999, signal)).toBeNull();
  const passed = limit.pass(30_000, signal);
  await clock.advance(30_000);
  expect(await passed).toBe(30_000);
  expect(limit.until()).toBeNull();
});

test("without a time each 429 in a row waits twice as long, those under way together as one", async () => {
  const clock = fakeClock();
  const limit = createRateLimit(clock);
  const waits: number[] = [];
  for (let n = 0; n < 4; n++) {
    const sentAt = clock.now();
    limit.limited(limited(), sentAt);
    waits.push((limit.until() ?? 0) - clock.now());
    await clock.advance(waits.at(-1) ?? 0);
    limit.limited(limited(0), sentAt);
    await clock.advance(1);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
});

test("a time that is asked for again and again is not believed for ever", async () => {
  const clock = fakeClock();
  const limit = createRateLimit(clock);
  const waits: number[] = [];
  for (let n = 0; n < 5; n++) {
    limit.limited(limited(0), clock.now());
    waits.push((limit.until() ?? clock.now()) - clock.now());
    await clock.advance(waits.at(-1) ?? 0);
    await clock.advance(1);
  }
  expect(waits).toEqual([0, 0, 0, 8_000, 16_000]);
});

test("after a pause reads begin one at a time until one is answered", async () => {
  const clock = fakeClock();
  const limit = createRateLimit(clock);
  limit.limited(limited(0), clock.now());
  const begun: number[] = [];
  const ends = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const reads = ends.map(({ promise }, n) =>
    limit.read(async () => {
      begun.push(n);
      await promise;
      limit.answered();
    }, signal),
  );
  await settled();
  expect(begun).toEqual([0]);
  ends[0]?.resolve();
  await reads[0];
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all(reads);
});
