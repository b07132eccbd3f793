/** A day of polling, with time that passes as fast as the answers come. */
import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { AccountListStore } from "../../src/accounts/account-list.ts";
import { readAccountList } from "../../src/accounts/ingest/read-list.ts";
import { createService } from "../../src/api/client.ts";
import { ServiceError } from "../../src/api/errors.ts";
import { poll } from "../../src/watch/poll.ts";
import { createWatchList } from "../../src/watch/watch-list.ts";
import { connected } from "../api/connected.ts";
import { fakeClock } from "../helpers/clock.ts";
import { completed, isTokenCall, openService, reply, tokenAnswer } from "../helpers/service.ts";
import { memoryWatched } from "../helpers/state.ts";
import { racingClock } from "../watch/racing-clock.ts";

const day = 24 * 3_600_000;
const start = Date.parse("2026-01-15T00:00:00Z");

const warnings: string[] = [];
const onWarning = (warning: Error) => void warnings.push(`${warning.name}: ${warning.message}`);
beforeEach(() => {
  warnings.length = 0;
  process.on("warning", onWarning);
});
afterEach(() => void process.off("warning", onWarning));

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/** Returns the memory in use after a collection, in bytes. */
async function inUse(): Promise<number> {
  for (let n = 0; n < 4; n++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

/** Above what the engine's own book-keeping moves; a look that left 200 bytes behind would pass it. */
const noise = 1_500_000;

describe("a day of polling", () => {
  test("one account, every five seconds, through tokens that end, leaves nothing behind", async () => {
    let looks = 0;
    let tokens = 0;
    const { clock, deadlines } = racingClock(start, (ms) => ms > 10_000);
    const { baseUrl, received } = await openService(
      (request, response) => {
        (received as unknown[]).length = 0;
        if (isTokenCall(request)) {
          tokens += 1;
          return reply(response, 200, tokenAnswer(`token-number-${tokens}`));
        }
        looks += 1;
        const good = request.headers.authorization === `Token token-number-${tokens}`;
        if (!good || looks % 720 === 0) return reply(response, 401, { detail: "ended" });
        if (looks % 97 === 0) return reply(response, 503, "");
        reply(response, 200, completed);
      },
      { ownTokens: true },
    );
    const service = createService({
      baseUrl,
      clock,
      knownForm: "token",
      credentials: {
        apiKey: async () => "key-1",
        token: async () => null,
        storeToken: async () => {},
        storeForm: async () => {},
        secrets: () => [],
      },
    });
    onTestFinished(() => service.close());
    const stop = new AbortController();
    const events = poll({
      clock,
      signal: stop.signal,
      intervalMs: 5_000,
      check: (signal) => service.accounts.status("ACME", "EXT-1", { signal, retries: 0 }),
    });
    let before: { heap: number; timers: number } | null = null;
    let answers = 0;
    for await (const event of events) {
      if (event.kind === "answer") answers += 1;
      if (!before && event.at > start + day / 4) before = { heap: await inUse(), timers: timers() };
      if (event.at > start + day) break;
    }
    expect(answers).toBeGreaterThan(15_000);
    expect(tokens).toBeGreaterThan(20);
    const grown = (await inUse()) - (before?.heap ?? 0);
    expect(grown).toBeLessThan(noise);
    expect(timers()).toBeLessThanOrEqual(before?.timers ?? 0);
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
    expect(deadlines()).toBe(0);
    expect(warnings).toEqual([]);
  });

  test("thirty that are watched, some of them failing, leave nothing behind", async () => {
    const clock = fakeClock(start);
    const record = memoryWatched();
    let looks = 0;
    const list = createWatchList({
      clock,
      intervalMs: 5_000,
      record,
      random: () => 0.5,
      check: async ({ number }) => {
        looks += 1;
        const n = Number(number);
        if (n % 3 === 0) throw new ServiceError("unavailable", "down", { httpStatus: 503 });
        // One that moves to and fro all day long fills its timeline again and again.
        return { state: n % 3 === 1 ? `STATE-${looks}` : "IN_PROGRESS", serviceNumber: "" };
      },
    });
    onTestFinished(() => list.close());
    let told = 0;
    list.subscribe(() => {
      told += 1;
    });
    list.add(
      Array.from({ length: 30 }, (_, n) => ({
        kind: "account" as const,
        supplier: "ACME",
        number: String(n),
      })),
    );
    // By then the timelines are as long as they get.
    await clock.advance(day / 4);
    const [heap, asleep] = [await inUse(), clock.pending()];
    await clock.advance((day * 3) / 4);
    expect((await inUse()) - heap).toBeLessThan(noise);
    expect(looks).toBeGreaterThan(300_000);
    expect(told).toBeGreaterThan(1_000);
    expect(clock.pending()).toBeLessThanOrEqual(asleep + 1);
    expect(warnings).toEqual([]);
  });

  test("a list of two thousand, reloaded every quarter of an hour, leaves nothing behind", async () => {
    const body = JSON.stringify(
      Array.from({ length: 2_000 }, (_, n) => ({
        external_account_number: `EXT-${n}`,
        service_account_number: `A-${n}`,
        account_created_at: "2026-01-15T09:00:00Z",
      })),
    );
    let loads = 0;
    const { baseUrl } = await openService((_request, response) => {
      loads += 1;
      if (loads % 10 === 0) return reply(response, 503, "");
      if (loads % 11 !== 0) return reply(response, 200, body);
      response.writeHead(200, { "content-length": String(body.length) });
      response.write(body.slice(0, 50_000), () => response.destroy());
    });
    const { service } = connected(baseUrl, { clock: fakeClock(start) });
    const store = new AccountListStore();
    const load = () =>
      store.load((signal) => readAccountList(service, "ACME", "all", { signal, retries: 0 }));
    const bytes = async () => (await inUse()) + process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 24; n++) await load();
    const before = await bytes();
    for (let n = 24; n < 96; n++) await load();
    expect(store.getSnapshot().total).toBe(2_000);
    expect((await bytes()) - before).toBeLessThan(noise);
    expect(loads).toBe(96);
    expect(warnings).toEqual([]);
    store.dispose();
  });
});
