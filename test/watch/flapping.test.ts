/**
 * Promise: while a service flaps, failing in every way in turn under all readers at once, the known
 * state is that of its last answer, and the failure is reported. Once it recovers, everything is as
 * the service reports it. No needless token is requested, and nothing is left behind.
 */
import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { AccountListStore } from "../../src/accounts/account-list.ts";
import { readAccountList } from "../../src/accounts/ingest/read-list.ts";
import { createService } from "../../src/api/client.ts";
import { isServiceError } from "../../src/api/errors.ts";
import { poll } from "../../src/watch/poll.ts";
import { createWatchList } from "../../src/watch/watch-list.ts";
import { isTokenCall, openService, type Received, reply, tokenAnswer } from "../helpers/service.ts";
import { memoryWatched } from "../helpers/state.ts";
import { racingClock } from "./racing-clock.ts";

const start = Date.parse("2026-01-15T00:00:00Z");

/** A number from 0 to below 1, the same run of them for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Mood = (response: ServerResponse, body: string) => void;

const json = { "content-type": "application/json" };
const status =
  (code: number, headers: Record<string, string> = {}): Mood =>
  (response) =>
    reply(response, code, { detail: "not now" }, headers);

/** Every way to fail, and how often; none of them says anything about what was asked. */
const moods: Readonly<Record<string, readonly [weight: number, mood: Mood]>> = {
  "500": [4, status(500)],
  "502, as a page": [4, (response) => void response.writeHead(502).end("<html>bad gateway</html>")],
  "503": [4, status(503)],
  "429": [3, status(429, { "retry-after": "1" })],
  "reset before an answer": [4, (response) => void response.socket?.resetAndDestroy()],
  "reset in an answer": [
    3,
    (response, body) => {
      response.writeHead(200, { ...json, "content-length": String(Buffer.byteLength(body)) });
      response.write(body.slice(0, body.length / 2), () => response.socket?.resetAndDestroy());
    },
  ],
  "cut off, politely": [
    3,
    (response, body) => void response.writeHead(200, json).end(body.slice(0, body.length - 2)),
  ],
  "no JSON": [2, (response) => void response.writeHead(200, json).end("{,}")],
  "nothing at all": [2, (response) => void response.writeHead(200, json).end()],
  "a hang": [1, () => {}],
  "half an answer, then a hang": [
    1,
    (response, body) => {
      response.writeHead(200, { ...json, "content-length": String(Buffer.byteLength(body)) });
      response.write(body.slice(0, body.length / 2));
    },
  ],
};
const allWeights = Object.values(moods).reduce((sum, [weight]) => sum + weight, 0);

const lastPart = (path: string) => path.split("/").findLast((part) => part !== "") ?? "";

/** The probabilities that a request fails, and that its token has ended just before it. */
const failing = 0.4;
const ending = 0.1;
/** Requests for which a token is new. */
const newFor = 20;

/** A service whose every good answer says something new of what was asked for. */
async function flappingService(seed: number) {
  const random = seeded(seed);
  const state = { calm: false, handedOut: 0, ended: 0 };
  /** The complete answers about each subject, oldest first. */
  const said = new Map<string, string[]>();
  const struck = new Map<string, number>();
  let valid = "";
  let counter = 0;
  let uses = 0;
  const drawn = (): [string, Mood] | null => {
    if (state.calm || random() >= failing) return null;
    let at = random() * allWeights;
    for (const [name, [weight, mood]] of Object.entries(moods)) {
      at -= weight;
      if (at < 0) return [name, mood];
    }
    return null;
  };
  const strike = ([name, mood]: [string, Mood], response: ServerResponse, body: string) => {
    struck.set(name, (struck.get(name) ?? 0) + 1);
    mood(response, body);
  };
  /** Slowly, in a tenth of the good answers: a byte at a time, each in a piece of its own. */
  const drip = (response: ServerResponse, body: string) => {
    struck.set("slow drip", (struck.get("slow drip") ?? 0) + 1);
    response.writeHead(200, json);
    const next = (at: number): void => {
      if (at >= body.length) response.end();
      else response.write(body.slice(at, at + 16), () => setImmediate(next, at + 16));
    };
    next(0);
  };
  const bodyFor = (request: Received, word: string): string => {
    if (request.path.includes("-account-import-processes/"))
      return JSON.stringify(
        Array.from({ length: 50 }, (_, n) => ({
          external_account_number: `EXT-${n}`,
          service_account_number: word,
          account_created_at: "2026-01-15T09:00:00Z",
        })),
      );
    if (request.path.includes("/supply-points/"))
      return JSON.stringify({ status: word, service_identifier: null, latest_error: null });
    return JSON.stringify({ status: word, service_account_number: "" });
  };
  const { baseUrl } = await openService(
    (request, response) => {
      const fault = drawn();
      if (isTokenCall(request)) {
        if (fault) return strike(fault, response, JSON.stringify(tokenAnswer("never-used-token")));
        state.handedOut += 1;
        valid = `token-number-${state.handedOut}`;
        uses = 0;
        return reply(response, 200, tokenAnswer(valid));
      }
      // One that is new to those who renewed it lasts: to refuse it would be to refuse the key.
      const inUse = request.headers.authorization === `Token ${valid}` && ++uses > newFor;
      if (!state.calm && inUse && random() < ending) {
        state.ended += 1;
        valid = "no one has it yet";
      }
      if (request.headers.authorization !== `Token ${valid}`)
        return reply(response, 401, { detail: "Token has ended." });
      counter += 1;
      const word = state.calm ? "CALM" : `SAID-${counter}`;
      const body = bodyFor(request, word);
      if (fault) return strike(fault, response, body);
      const subject = lastPart(request.path);
      said.set(subject, [...(said.get(subject) ?? []), word]);
      if (!state.calm && random() < 0.1) return drip(response, body);
      reply(response, 200, body);
    },
    { ownTokens: true },
  );
  return { baseUrl, state, said, struck };
}

test.each([20_261_121, 7])("seed %i", async (seed) => {
  const warnings: string[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning.message);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));

  const flapping = await flappingService(seed);
  // The longest wait between two looks is a minute; the calls' own deadlines are none of it.
  const { clock, deadlines } = racingClock(start, (ms) => ms === 30_000 || ms > 70_000);
  const service = createService({
    baseUrl: flapping.baseUrl,
    clock,
    knownForm: "token",
    // A busy machine can stand still for a part of a second, which is no hang.
    idleTimeoutMs: 1_000,
    credentials: {
      apiKey: async () => "key-1",
      token: async () => null,
      storeToken: async () => {},
      storeForm: async () => {},
      secrets: () => [],
    },
  });
  const random = seeded(seed + 1);
  const stop = new AbortController();
  const { signal } = stop;
  const looks = { told: 0, kept: 0 };

  /** True once it has failed in every way, and that was reported: which reader meets what is chance. */
  const hasFlapped = () =>
    flapping.struck.size > Object.keys(moods).length &&
    flapping.state.ended > 3 &&
    looks.told > 20 &&
    troubles.length > 20 &&
    failedLoads > 3;

  /** Polls, holding each answer against what the service said; ends once it says that all is calm. */
  const follow = async (
    number: string,
    check: (signal: AbortSignal) => Promise<string>,
  ): Promise<string> => {
    let known = "";
    let answers = 0;
    let position = -1;
    for await (const event of poll({ clock, signal, intervalMs: 100, random, check })) {
      if (event.kind === "failed") {
        looks.told += 1;
        expect(isServiceError(event.error)).toBe(true);
        // The service never said that there is no such thing, nor that no one may know.
        expect(isServiceError(event.error, "not-found")).toBe(false);
        expect(isServiceError(event.error, "forbidden")).toBe(false);
      }
      if (event.kind !== "answer") continue;
      known = event.value;
      answers += 1;
      looks.kept += 1;
      // Not always the last one: the service might also answer a call that was given up before.
      const said: number = flapping.said.get(number)?.lastIndexOf(known) ?? -1;
      expect(said).toBeGreaterThan(position);
      position = said;
      if (answers >= 60 && hasFlapped()) flapping.state.calm = true;
      if (known === "CALM") break;
    }
    return known;
  };
  const call = (inner: AbortSignal) => ({ signal: inner, retries: 0 });

  const record = memoryWatched();
  const troubles: unknown[] = [];
  const list = createWatchList({
    clock,
    intervalMs: 100,
    random,
    record,
    check: async ({ number }, inner) => {
      const { value } = await service.accounts.status("ACME", number, call(inner));
      return { state: value.status, serviceNumber: "" };
    },
  });
  const watchedCalm = Promise.withResolvers<void>();
  const leaveList = list.subscribe(() => {
    const { entries } = list.snapshot();
    for (const one of entries) {
      if (one.trouble === null) continue;
      troubles.push(one.trouble);
      // What was last seen stays in sight beside the trouble.
      if (one.timeline.length > 0) expect(one.timeline.at(-1)?.state).toMatch(/^SAID-\d+$|^CALM$/);
    }
    const calm = entries.every(
      ({ timeline, trouble }) => trouble === null && timeline.at(-1)?.state === "CALM",
    );
    if (calm) watchedCalm.resolve();
  });
  list.add(
    ["W-1", "W-2", "W-3"].map((number) => ({ kind: "account", supplier: "ACME", number }) as const),
  );

  const store = new AccountListStore({ now: clock.now });
  let failedLoads = 0;
  const reload = async () => {
    for (;;) {
      await store.load((inner) => readAccountList(service, "ACME", "all", call(inner)));
      const { load, total, loadedAt } = store.getSnapshot();
      if (load.kind === "failed") {
        failedLoads += 1;
        // A first load shows what came of it; later ones take nothing away.
        if (loadedAt !== null) expect(total).toBe(50);
      } else expect(total).toBe(50);
      const numbers = new Set(store.slice(0, total).map((row) => row.service));
      if (load.kind === "loaded") {
        expect(numbers.size).toBe(1);
        if (numbers.has("CALM")) return;
      }
      await clock.sleep(100, signal);
    }
  };

  const known = await Promise.all([
    follow("EXT-1", async (inner) => {
      const { value } = await service.accounts.status("ACME", "EXT-1", call(inner));
      return value.status;
    }),
    follow("SP-1", async (inner) => {
      const { value } = await service.supplyPoints.status("ACME", "SP-1", call(inner));
      return value.status;
    }),
    reload(),
    watchedCalm.promise,
  ]);
  expect(known.slice(0, 2)).toEqual(["CALM", "CALM"]);

  // One token at first, and one for each that ended, however many found that out at once.
  expect(flapping.state.handedOut).toBe(1 + flapping.state.ended);

  leaveList();
  list.close();
  store.dispose();
  stop.abort();
  await service.close();
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  expect(deadlines()).toBe(0);
  expect(warnings).toEqual([]);
});
