/** Services that limit the rate, over loopback. */
import { connect } from "node:net";
import { fakeClock } from "../helpers/clock.ts";
import {
  completed,
  isTokenCall,
  openProxy,
  openService,
  reply,
  tokenAnswer,
} from "../helpers/service.ts";
import { connected, errorFrom, type Given } from "./connected.ts";
import { drive, type Gate, gapGate, logged } from "./gates.ts";
import { certificate, hasOpenssl } from "./tls-servers.ts";

const start = Date.parse("2026-01-15T09:00:00Z");
const stepMs = 20;

/** A clock, and a service behind a gate that goes by it. */
async function gated(gate: Gate, given: Given = {}) {
  const clock = fakeClock(start);
  const watched = logged(gate, 2 * stepMs);
  const { baseUrl } = await openService((request, response) => {
    const refusal = watched.gate(clock.now());
    const { retryAfter } = refusal ?? {};
    if (refusal !== null) {
      return reply(response, 429, "", retryAfter == null ? {} : { "retry-after": retryAfter });
    }
    if (!request.path.includes("processes")) return reply(response, 200, completed);
    reply(response, 200, [
      { external_account_number: "E-1", service_account_number: null, account_created_at: null },
    ]);
  });
  const { service } = connected(baseUrl, { clock, ...given });
  return { clock, service, log: watched.log };
}

test.each([
  ["one caller", 1],
  ["8 callers", 8],
  ["20 callers", 20],
])("%s: no status is asked for inside a pause, and few are refused", async (_, callers) => {
  const { clock, service, log } = await gated(gapGate(400, "1"));
  const began = clock.now();
  let left = 40;
  const call = async () => {
    while (left-- > 0) await service.accounts.status("ACME", `EXT-${left}`);
  };
  await drive(clock, Promise.all(Array.from({ length: callers }, call)), stepMs);
  expect(log).toMatchObject({ accepted: 40, inside: 0 });
  expect(log.refused).toBeLessThanOrEqual(callers + 10);
  expect(clock.now() - began).toBeLessThan(1.6 * 39 * 400);
});

test("a list waits for the pause that a status was asked for, and takes its turn", async () => {
  const { clock, service, log } = await gated(gapGate(2_000, "2"));
  const statuses = ["A", "B", "C"].map((account) => service.accounts.status("ACME", account));
  const lists = ["X", "Y", "Z"].map(async (supplier) => {
    const { chunks } = await service.accounts.list(supplier, "all");
    for await (const _ of chunks);
  });
  await drive(clock, Promise.all([...statuses, ...lists]), stepMs);
  expect(log).toMatchObject({ accepted: 6, inside: 0 });
  expect(log.refused).toBeLessThanOrEqual(12);
});

test("a 429 for the token makes the reads wait as well", async () => {
  const clock = fakeClock(start);
  const watched = logged(gapGate(3_000, "3"), 2 * stepMs);
  const { baseUrl } = await openService(
    (request, response) => {
      if (!isTokenCall(request)) return reply(response, 200, completed);
      const refusal = watched.gate(clock.now());
      if (refusal !== null) return reply(response, 429, "", { "retry-after": "3" });
      reply(response, 200, tokenAnswer("token-0123456789"));
    },
    { ownTokens: true },
  );
  const { service } = connected(baseUrl, { clock, apiKey: "key-0123456789" });
  await service.authenticate({ fresh: true });
  const began = clock.now();
  const fresh = service.authenticate({ fresh: true });
  while (service.rateLimit.until() === null) await new Promise(setImmediate);
  const status = service.accounts.status("ACME", "A").finally(() => {
    expect(clock.now() - began).toBeGreaterThanOrEqual(3_000);
  });
  await drive(clock, Promise.all([status, fresh]), stepMs);
  expect(watched.log).toMatchObject({ accepted: 2, refused: 1, inside: 0 });
});

test("a write that meets a pause on its way to the wire is not sent, and says so", async () => {
  const clock = fakeClock(start);
  const { baseUrl, received } = await openService((_, response, nth) => {
    if (nth === 1) return reply(response, 429, "", { "retry-after": "5" });
    reply(response, 200, completed);
  });
  const { service } = connected(baseUrl, { clock });
  const first = service.accounts.status("ACME", "A");
  await expect.poll(() => service.rateLimit.until()).not.toBeNull();
  const during = service.post(
    { path: "/v1/data-import/notes/create/", query: {}, body: new Uint8Array() },
    { signal: new AbortController().signal, timeoutMs: 30_000, onHeadersSent: () => {} },
  );
  const { kind, facts } = await errorFrom(during);
  expect({ kind, sent: facts.sent, wait: facts.retryAfterMs }).toEqual({
    kind: "rate-limited",
    sent: false,
    wait: 5_000,
  });
  expect(received).toHaveLength(1);
  await clock.advance(5_000);
  expect((await first).value.status).toBe("COMPLETED");
});

test.runIf(hasOpenssl)(
  "a request whose connection is ready only inside a pause leaves at its end",
  async () => {
    const clock = fakeClock(start);
    const { key, cert } = certificate();
    const { port, received } = await openService(
      (_, response, nth) => {
        if (nth === 1) return reply(response, 429, "", { "retry-after": "5" });
        reply(response, 200, completed);
      },
      { tls: { key, cert } },
    );
    const tunnels: (() => void)[] = [];
    const proxy = await openProxy((_, client) => {
      tunnels.push(() => {
        const upstream = connect(port, "127.0.0.1", () => {
          client.write("HTTP/1.1 200 OK\r\n\r\n");
          upstream.pipe(client).pipe(upstream);
        });
        onTestFinished(() => void upstream.destroy());
      });
    });
    const by = { clock, ca: cert, proxy: `http://127.0.0.1:${proxy.port}` };
    const { service } = connected(`https://localhost:${port}`, by);
    const first = service.accounts.status("ACME", "A");
    await expect.poll(() => tunnels.length).toBe(1);
    const second = service.accounts.status("ACME", "B");
    tunnels[0]?.();
    await expect.poll(() => service.rateLimit.until()).toBe(start + 5_000);
    await expect.poll(() => tunnels.length).toBe(2);
    tunnels[1]?.();
    await drive(clock, clock.sleep(4_900), stepMs);
    expect(received).toHaveLength(1);
    await drive(clock, Promise.all([first, second]), stepMs);
    expect(received).toHaveLength(3);
  },
);

test.each([
  ["a date", () => new Date(start + 4_000).toUTCString(), 4_000],
  ["0", () => "0", 0],
  ["a number below 0", () => "-5", 1_000],
  ["no number", () => "soon", 1_000],
  ["empty", () => "", 1_000],
  ["more than ten minutes", () => "86400", 60_000],
])("Retry-After is %s", async (_, header, pauseMs) => {
  const clock = fakeClock(start);
  const { baseUrl, received } = await openService((_request, response, nth) => {
    const date = new Date(start).toUTCString();
    if (nth === 1) return reply(response, 429, "", { date, "retry-after": header() });
    reply(response, 200, completed);
  });
  const { service } = connected(baseUrl, { clock });
  const status = service.accounts.status("ACME", "A");
  if (pauseMs > 0) {
    await expect.poll(() => service.rateLimit.until()).toBe(start + pauseMs);
    await clock.advance(pauseMs - 1);
    expect(received).toHaveLength(1);
  }
  await drive(clock, status, stepMs);
  expect(received).toHaveLength(2);
  expect(clock.now() - start).toBeLessThan(pauseMs + 200);
});

test("a pause longer than ten minutes in all gives a status up, and says that it is the limit", async () => {
  const clock = fakeClock(start);
  let asked = 0;
  const { baseUrl } = await openService((_, response) => {
    asked += 1;
    reply(response, 429, "", { "retry-after": "3600" });
  });
  const { service } = connected(baseUrl, { clock });
  // The pauses are of a minute each.
  const { kind, facts } = await drive(
    clock,
    errorFrom(service.accounts.status("ACME", "A")),
    60_000,
  );
  expect({ kind, httpStatus: facts.httpStatus }).toEqual({ kind: "rate-limited", httpStatus: 429 });
  expect(asked).toBe(11);
});

test("a call that is given up in the queue leaves it at once, and others keep their turns", async () => {
  const clock = fakeClock(start);
  const { baseUrl, received } = await openService((_, response, nth) => {
    if (nth === 1) return reply(response, 429, "", { "retry-after": "5" });
    reply(response, 200, completed);
  });
  const { service } = connected(baseUrl, { clock });
  const first = service.accounts.status("ACME", "A");
  await expect.poll(() => service.rateLimit.until()).not.toBeNull();
  const giveUp = new AbortController();
  const second = errorFrom(service.accounts.status("ACME", "B", { signal: giveUp.signal }));
  const third = service.accounts.status("ACME", "C");
  giveUp.abort();
  expect((await second).kind).toBe("cancelled");
  await clock.advance(5_000);
  await first;
  await clock.advance(5_000);
  await third;
  expect(received.map(({ path }) => path.split("/").at(-2))).toEqual(["A", "A", "C"]);
});
