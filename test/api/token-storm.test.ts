/** Tests a hundred polls whose token ends and whose new one does not come. */
import type { ServerResponse } from "node:http";
import type { Service } from "../../src/api/service.ts";
import { fakeClock, fastClock } from "../helpers/clock.ts";
import { completed, isTokenCall, openService, reply, tokenAnswer } from "../helpers/service.ts";
import { connected, errorFrom } from "./connected.ts";

const hundred = (service: Service, retries = 0) =>
  Array.from({ length: 100 }, (_, n) => service.accounts.status("ACME", `EXT-${n}`, { retries }));

/** A service whose first token has ended; `renew` answers each token call after the first. */
async function withEndedToken(renew: (response: ServerResponse, n: number) => void) {
  let good = "t-1";
  let tokenCalls = 0;
  const { baseUrl } = await openService(
    (request, response) => {
      if (isTokenCall(request)) {
        tokenCalls += 1;
        if (tokenCalls === 1) reply(response, 200, tokenAnswer("t-1"));
        else renew(response, tokenCalls - 1);
      } else if (request.headers.authorization === `Token ${good}`) reply(response, 200, completed);
      else reply(response, 401, { detail: "ended" });
    },
    { ownTokens: true },
  );
  return {
    baseUrl,
    tokenCalls: () => tokenCalls,
    end: (next: string) => {
      good = next;
    },
  };
}

describe("a hundred polls whose token has ended", () => {
  test("ask for a new one once, also when that fails, and again the next time", async () => {
    const world = await withEndedToken((response, n) =>
      n === 1 ? reply(response, 503, "") : reply(response, 200, tokenAnswer("t-2")),
    );
    const clock = fakeClock();
    const { service } = connected(world.baseUrl, { apiKey: "key-1", clock });
    await Promise.all(hundred(service));
    world.end("t-2");
    const failed = await Promise.all(hundred(service).map((call) => errorFrom(call)));
    expect(new Set(failed.map(({ kind }) => kind))).toEqual(new Set(["unavailable"]));
    expect(world.tokenCalls()).toBe(2);
    await clock.advance(5_000);
    expect(await Promise.all(hundred(service))).toHaveLength(100);
    expect(world.tokenCalls()).toBe(3);
    expect(clock.pending()).toBe(0);
  });

  test("that are each sent again do not storm the token call while it fails", async () => {
    const world = await withEndedToken((response) => reply(response, 503, ""));
    const { service } = connected(world.baseUrl, { apiKey: "key-1" });
    await Promise.all(hundred(service));
    world.end("t-2");
    await Promise.all(hundred(service, 3).map((call) => errorFrom(call)));
    // Each of the hundred calls made four attempts, at moments of its own.
    expect(world.tokenCalls()).toBeLessThan(100);
  });

  test("are given up with one token call that hangs, and a later poll asks again", async () => {
    const asked = Promise.withResolvers<void>();
    const world = await withEndedToken((response, n) => {
      if (n === 1) asked.resolve();
      else reply(response, 200, tokenAnswer("t-2"));
    });
    const clock = fakeClock();
    const { service } = connected(world.baseUrl, { apiKey: "key-1", clock });
    await Promise.all(hundred(service));
    world.end("t-2");
    const calls = hundred(service).map((call) => errorFrom(call));
    await asked.promise;
    // All hundred have to have met their 401 before time goes on.
    while (clock.pending() > 101) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(30_000);
    expect(new Set((await Promise.all(calls)).map(({ kind }) => kind))).toEqual(
      new Set(["timeout"]),
    );
    expect(world.tokenCalls()).toBe(2);
    await clock.advance(5_000);
    expect(await Promise.all(hundred(service))).toHaveLength(100);
    expect(world.tokenCalls()).toBe(3);
    expect(clock.pending()).toBe(0);
  });

  test("do not take the answer of a token call that comes after it was given up", async () => {
    let late: ServerResponse | null = null;
    const asked = Promise.withResolvers<void>();
    const world = await withEndedToken((response, n) => {
      if (n > 1) return reply(response, 200, tokenAnswer("t-2"));
      late = response;
      asked.resolve();
    });
    const clock = fakeClock();
    const { service, keptTokens } = connected(world.baseUrl, { apiKey: "key-1", clock });
    await service.accounts.status("ACME", "EXT-1");
    world.end("t-2");
    const call = errorFrom(service.accounts.status("ACME", "EXT-1", { retries: 0 }));
    await asked.promise;
    await clock.advance(30_000);
    expect((await call).kind).toBe("timeout");
    if (late) reply(late, 200, tokenAnswer("t-late"));
    await clock.advance(5_000);
    expect((await service.accounts.status("ACME", "EXT-1")).value.status).toBe("COMPLETED");
    expect(keptTokens).not.toContain("t-late");
  });
});

describe("a clock that is set", () => {
  const exp = (at: number) => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${part({ alg: "none" })}.${part({ exp: at / 1000, id: at })}.c2ln`;
  };

  test.each([
    ["forward past the token's end: one renewal for all who ask", 2 * 3_600_000, 2],
    ["back by a day: the token goes on being used", -86_400_000, 1],
  ])("%s", async (_what, jump, tokenCalls) => {
    const clock = fakeClock();
    let offset = 0;
    const now = () => clock.now() + offset;
    let calls = 0;
    const { baseUrl } = await openService(
      (request, response) => {
        if (!isTokenCall(request)) return reply(response, 200, completed);
        calls += 1;
        reply(response, 200, tokenAnswer(exp(now() + 3_600_000)));
      },
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { apiKey: "key-1", clock: { ...clock, now } });
    await Promise.all(hundred(service));
    offset = jump;
    expect(await Promise.all(hundred(service))).toHaveLength(100);
    expect(calls).toBe(tokenCalls);
  });

  test("a clock set back: an expired token is renewed after its 401", async () => {
    const clock = fakeClock();
    let offset = 0;
    const now = () => clock.now() + offset;
    const tokens = [exp(clock.now() + 3_600_000), exp(clock.now() + 7_200_000)];
    let good = tokens[0] ?? "";
    let calls = 0;
    const { baseUrl } = await openService(
      (request, response) => {
        if (isTokenCall(request)) reply(response, 200, tokenAnswer(tokens[calls++] ?? ""));
        else
          reply(response, request.headers.authorization === `Token ${good}` ? 200 : 401, completed);
      },
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { apiKey: "key-1", clock: { ...clock, now } });
    await service.accounts.status("ACME", "EXT-1");
    offset = -86_400_000;
    good = tokens[1] ?? "";
    expect((await service.accounts.status("ACME", "EXT-1")).value.status).toBe("COMPLETED");
    expect(calls).toBe(2);
  });

  test("forward in the middle of a call: the call goes on", async () => {
    const clock = fastClock();
    let offset = 0;
    const now = () => clock.now() + offset;
    let n = 0;
    const { baseUrl } = await openService((_request, response) => {
      n += 1;
      offset = 86_400_000;
      reply(response, n === 1 ? 500 : 200, completed);
    });
    const { service } = connected(baseUrl, { clock: { ...clock, now } });
    expect((await service.accounts.status("ACME", "EXT-1")).value.status).toBe("COMPLETED");
    expect(n).toBe(2);
  });
});
