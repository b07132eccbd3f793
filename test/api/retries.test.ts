import type { RateLimitPause } from "../../src/api/rate-limit.ts";
import { backOff } from "../../src/api/retry.ts";
import { fakeClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/eventually.ts";
import {
  completed,
  type Handler,
  openService,
  openSocketService,
  reply,
} from "../helpers/service.ts";
import { connected, errorFrom, listed, start, waitingClock } from "./connected.ts";

/** A service that answers with these statuses in turn, the last for all that follow. */
async function answering(statuses: readonly number[], headers = {}) {
  const handler: Handler = (_request, response, n) => {
    const status = statuses[Math.min(n, statuses.length) - 1] ?? 200;
    reply(response, status, status === 200 ? completed : "", headers);
  };
  const { baseUrl, received } = await openService(handler);
  return { baseUrl, received, ...connected(baseUrl) };
}

/** The same on a clock that stands until a wait which the service asks for begins, and jumps to its end. */
async function stepping(statuses: readonly number[], headers: Record<string, string>) {
  const { baseUrl, received } = await answering(statuses, headers);
  const clock = fakeClock(start);
  const waits: number[] = [];
  const told: RateLimitPause[] = [];
  const onRateLimited = (wait: RateLimitPause) => {
    const ms = wait.until - clock.now();
    told.push(wait);
    waits.push(ms);
    setImmediate(() => clock.advance(ms));
  };
  const { service } = connected(baseUrl, { clock, onRateLimited });
  const ask = (options = {}) => status(service, options);
  return { received, waits, told, status: ask };
}

const status = (service: Awaited<ReturnType<typeof answering>>["service"], options = {}) =>
  service.accounts.status("ACME", "EXT-1", options);

describe("reads that are sent again", () => {
  test("three failures and then an answer: the answer, after growing waits", async () => {
    const { service, received, waits } = await answering([500, 502, 503, 200]);
    expect((await status(service)).value.status).toBe("COMPLETED");
    expect(received).toHaveLength(4);
    expect(waits).toHaveLength(3);
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(150 * 2 ** n);
      expect(wait).toBeLessThanOrEqual(300 * 2 ** n);
    }
  });

  test("a read is retried at most three times, then its failure is reported", async () => {
    const { service, received } = await answering([503]);
    expect((await errorFrom(status(service))).facts.httpStatus).toBe(503);
    expect(received).toHaveLength(4);
  });

  test("a read is retried as often as the caller allows", async () => {
    for (const retries of [0, 1]) {
      const { service, received } = await answering([500]);
      expect((await errorFrom(status(service, { retries }))).kind).toBe("unavailable");
      expect(received).toHaveLength(retries + 1);
    }
  });

  test("a read is retried after a broken connection and a truncated response", async () => {
    const { baseUrl } = await openSocketService((socket, _bytes, n) => {
      if (n === 1) socket.resetAndDestroy();
      else if (n === 2) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":');
      else socket.end(`HTTP/1.1 200 OK\r\n\r\n${JSON.stringify(completed)}`);
    });
    const { service, waits } = connected(baseUrl);
    expect((await status(service)).value.status).toBe("COMPLETED");
    expect(waits).toHaveLength(2);
  });

  test("a supply point's status, and a list that has not begun", async () => {
    const { baseUrl, received } = await openService(({ path }, response, n) => {
      if (n % 2) reply(response, 500);
      else reply(response, 200, path.startsWith("/v2/") ? { status: "PENDING" } : "[]");
    });
    const { service } = connected(baseUrl);
    await service.supplyPoints.status("ACME", "SP-1");
    expect((await listed(service, "ACME", "imported")).end?.rows).toBe(0);
    expect(received).toHaveLength(4);
  });

  test("the token call", async () => {
    const { baseUrl, received } = await openService(
      (_request, response, n) => {
        if (n === 1) reply(response, 500, { errors: [{ message: "down" }] });
        else if (n === 2) reply(response, 200, { data: { obtainToken: { token: "t-1" } } });
        else reply(response, 200, completed);
      },
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { apiKey: "key-1" });
    expect((await status(service)).value.status).toBe("COMPLETED");
    expect(received.map(({ method }) => method)).toEqual(["POST", "POST", "GET"]);
  });
});

describe("what is an answer, and not asked for again", () => {
  test.each([400, 403, 404, 302, 418])("%i", async (code) => {
    const { service, received } = await answering([code]);
    expect((await errorFrom(status(service))).facts.httpStatus).toBe(code);
    expect(received).toHaveLength(1);
  });

  test("a list that breaks off is not retried, because its rows were delivered", async () => {
    const { baseUrl, received } = await openService((_request, response) => {
      response.writeHead(200, { "content-length": "999" });
      response.write('[{"external_account_number":"EXT-1"},', () => response.destroy());
    });
    const { rows } = await listed(connected(baseUrl).service, "ACME", "all");
    expect(rows).toHaveLength(1);
    expect(received).toHaveLength(1);
  });
});

describe("a 429", () => {
  test("is waited for as long as it asks", async () => {
    const { service, waits } = await answering([429, 200], { "retry-after": "7" });
    await status(service);
    expect(waits).toEqual([7000]);
  });

  test.each([0, 120_000, -120_000, 3_600_000, -3_600_000, 2 * 86_400_000])(
    "may name the moment, by the Date of the same response, whose clock is %d ms ahead",
    async (aheadMs) => {
      const date = new Date(start + aheadMs).toUTCString();
      const moment = new Date(start + aheadMs + 9000).toUTCString();
      const { service, waits } = await answering([429, 200], { date, "retry-after": moment });
      await status(service);
      expect(waits).toEqual([9000]);
    },
  );

  test("may name the moment by the program's clock if the response has no readable Date", async () => {
    const moment = new Date(start + 9000).toUTCString();
    const headers = { date: "today", "retry-after": moment };
    const { service, waits } = await answering([429, 200], headers);
    await status(service);
    expect(waits).toEqual([9000]);
  });

  test("a Retry-After in the past causes no pause", async () => {
    const date = new Date(start).toUTCString();
    const moment = new Date(start - 9000).toUTCString();
    const { service, waits } = await answering([429, 200], { date, "retry-after": moment });
    await status(service);
    // The least spacing after a 429.
    expect(waits).toEqual([100]);
  });

  test.each(["soon", "", "-5", "1e3", "0x10"])("Retry-After %j is ignored", async (said) => {
    const { service, waits } = await answering([429, 200], { "retry-after": said });
    await status(service);
    expect(waits).toEqual([1_000]);
  });

  test("that asks for more than a minute is given a minute and asked again, ten minutes in all", async () => {
    const asked = await stepping([429, 200], { "retry-after": "600" });
    expect((await asked.status()).value.status).toBe("COMPLETED");
    expect(asked.waits).toEqual([60_000]);
    const never = await stepping([429], { "retry-after": "600" });
    const error = await errorFrom(never.status());
    expect(error).toMatchObject({ kind: "rate-limited", facts: { retryAfterMs: 600_000 } });
    expect(new Set(never.waits)).toEqual(new Set([60_000]));
    expect(never.received).toHaveLength(11);
  });

  test("is no part of the time that the call itself may take", async () => {
    const { status, waits, told } = await stepping([429, 200], { "retry-after": "40" });
    expect((await status({ timeoutMs: 30_000 })).value.status).toBe("COMPLETED");
    expect(waits).toEqual([40_000]);
    expect(told).toEqual([{ until: start + 40_000 }]);
  });

  test("that would put the call off for longer than its caller lets it is reported at once", async () => {
    const { status, waits, received } = await stepping([429], { "retry-after": "40" });
    const error = await errorFrom(status({ timeoutMs: 30_000, rateLimitWaitMs: 5_000 }));
    expect(error.kind).toBe("rate-limited");
    // The next call waits all the same.
    expect(waits).toEqual([40_000]);
    expect(received).toHaveLength(1);
  });

  test("does not lengthen the wait for what then never answers", async () => {
    const clock = fakeClock(start);
    const { baseUrl, received } = await openService((_request, response, n) => {
      if (n === 1) reply(response, 429, "", { "retry-after": "40" });
    });
    const waits = Promise.withResolvers<void>();
    const { service } = connected(baseUrl, { clock, onRateLimited: () => waits.resolve() });
    const failed = errorFrom(
      service.accounts.status("ACME", "EXT-1", { timeoutMs: 30_000, retries: 1 }),
    );
    await waits.promise;
    await clock.advance(40_000);
    await eventually(() => expect(received).toHaveLength(2));
    await clock.advance(30_000);
    expect((await failed).kind).toBe("timeout");
  });
});

test("giving up while waiting to send again is heeded at once", async () => {
  const { clock, waiting } = waitingClock();
  const stop = new AbortController();
  const { baseUrl, received } = await openService((_request, response) => reply(response, 500));
  const { service } = connected(baseUrl, { clock });
  const call = errorFrom(status(service, { signal: stop.signal }));
  await waiting;
  stop.abort();
  expect((await call).kind).toBe("cancelled");
  expect(received).toHaveLength(1);
  expect(clock.pending()).toBe(0);
});

test("back-off doubles, spreads over its upper half, and ends at a minute", () => {
  expect([0, 1, 2].map((n) => backOff(n, () => 0))).toEqual([150, 300, 600]);
  expect([0, 1, 2].map((n) => backOff(n, () => 1))).toEqual([300, 600, 1200]);
  expect(backOff(60, () => 1)).toBe(60_000);
});
