import { type Clock, systemClock } from "../../src/api/clock.ts";
import { ServiceError } from "../../src/api/errors.ts";
import { createRateLimit } from "../../src/api/rate-limit.ts";
import { exitCodeOf } from "../../src/commands/exit-codes.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import type { SubmitEvent, WriteService } from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import { fakeClock } from "../helpers/clock.ts";
import { openService } from "../helpers/service.ts";
import {
  account,
  contextFor,
  hurried,
  instruction,
  noted,
  notes,
  request,
  sent,
  statement,
  supplyPoint,
} from "./writing.ts";

const created = noted("one");

describe("a clock that is set on by a day, or a machine that slept", () => {
  const aDay = 86_400_000;

  function movable() {
    let ahead = 0;
    const jump = () => {
      ahead += aDay;
    };
    return { jump, clock: { ...systemClock, now: () => systemClock.now() + ahead } };
  }

  test("begins no attempt that has no time left for its answer", async () => {
    const { jump, clock } = movable();
    const server = await openService({ writes: [{ status: 500 }] });
    const context = await contextFor(server.baseUrl, { clock });
    const { options } = hurried({
      onEvent: (event) => {
        if (event.kind === "waiting") jump();
      },
    });
    const result = await submit(context, instruction(), options);
    expect(server.writes()).toHaveLength(1);
    expect(result).toMatchObject({ outcome: "retryable", reason: "deadline", attempts: 1 });
  });

  test("while a supply point is looked up before: nothing is sent", async () => {
    const { jump, clock } = movable();
    const server = await openService({ reads: [{ status: 404 }], writes: [{ status: 201 }] });
    const context = await contextFor(server.baseUrl, { clock });
    server.onRequest = jump;
    const { options } = hurried();
    const result = await submit(context, supplyPoint(), options);
    expect(server.writes()).toEqual([]);
    expect(result).toMatchObject({
      outcome: "unsent",
      reason: "deadline",
      mayHaveTakenEffect: false,
    });
  });
});

describe("the order of things", () => {
  test("each step is in the journal before it is reported or sent", async () => {
    const server = await openService({ writes: [created] });
    const context = await contextFor(server.baseUrl);
    const seen: string[] = [];
    const state = () => showActivity(context.journal, 1);
    server.onRequest = () => seen.push(`request: ${state().outcome}, ${state().attempts.length}`);
    const { options } = hurried({
      onEvent: (event) => seen.push(`${event.kind}: ${state().outcome}`),
    });
    await submit(context, notes("one"), options);
    expect(seen.filter((line) => !line.startsWith("headers-sent"))).toEqual([
      "queued: unsent",
      "sending: sending",
      "request: sending, 1",
      "attempt-ended: confirmed",
      "outcome: confirmed",
    ]);
  });

  test("the journal keeps the very bytes, who they are for, and every answer", async () => {
    const server = await openService({ writes: [{ status: 503, body: "<html>" }, created] });
    const context = await contextFor(server.baseUrl);
    const body = `{"import_supplier": "ACME",\n "external_account_number": "EXT-0000001", "notes": [{"body": "one"}]}`;
    const { options } = hurried({ run: "run-1", line: 7 });
    const result = await submit(context, request("notes create", body), options);
    const shown = showActivity(context.journal, result.journalId);
    expect(server.writes().map((received) => received.body)).toEqual([body, body]);
    expect(shown).toMatchObject({
      profile: "test",
      operation: "notes create",
      ...account,
      outcome: "confirmed",
      http_status: 201,
      code: null,
      run: "run-1",
      base_url: server.baseUrl,
      sha256: server.writes()[0]?.sha256,
      body: JSON.parse(body),
    });
    expect(shown.attempts).toMatchObject([
      { n: 1, outcome: "5xx", http_status: 503, response: "<html>" },
      { n: 2, outcome: "confirmed", http_status: 201, response: JSON.stringify(created.body) },
    ]);
    for (const attempt of shown.attempts) expect(attempt.headers_sent_at).not.toBeNull();
  });

  test("nothing of the token is in the journal's files", async () => {
    const { readdirSync, readFileSync } = await import("node:fs");
    const { dirname, join } = await import("node:path");
    const server = await openService({ writes: [{ status: 401 }] });
    const credentials = { token: "a-very-secret-token" };
    const context = await contextFor(server.baseUrl, { credentials });
    await submit(context, notes("one"), hurried().options);
    const where = dirname(context.journal.path);
    for (const file of readdirSync(where)) {
      expect(readFileSync(join(where, file), "latin1")).not.toContain("very-secret");
    }
  });

  test("a write continues if a listener throws", async () => {
    const server = await openService({ writes: [created] });
    const context = await contextFor(server.baseUrl);
    const result = await submit(context, notes("one"), {
      signal: new AbortController().signal,
      onEvent: () => {
        throw new Error("a screen is broken");
      },
    });
    expect(result.outcome).toBe("confirmed");
  });

  test.each([
    ["two equal notes", notes("same", "same")],
    ["no JSON", request("notes create", "{")],
    ["no account", request("notes create", { notes: [{ body: "x" }] })],
    ["no notes", request("notes create", { ...account, notes: [] })],
  ])("%s: refused before anything is recorded", async (_what, write) => {
    const server = await openService({});
    const context = await contextFor(server.baseUrl);
    const { options } = hurried();
    await expect(submit(context, write, options)).rejects.toMatchObject({ kind: "invalid" });
    expect(server.received).toEqual([]);
    expect(() => showActivity(context.journal, 1)).toThrow("no entry 1");
  });

  test("the same note at two instants is two notes", async () => {
    const at = (created_at: string) => ({ body: "same", created_at });
    const results = [{ status: "NOTE_CREATION_SUCCESS" }, { status: "NOTE_CREATION_SUCCESS" }];
    const server = await openService({ writes: [{ status: 201, body: results }] });
    const context = await contextFor(server.baseUrl);
    const two = [at("2025-11-01T00:00:00Z"), at("2025-11-02T00:00:00Z")];
    const write = request("notes create", { ...account, notes: two });
    expect((await submit(context, write, hurried().options)).outcome).toBe("confirmed");
    const one = [at("2025-11-01T00:00:00Z"), at("2025-11-01T01:00:00+01:00")];
    const equal = request("notes create", { ...account, notes: one });
    await expect(submit(context, equal, hurried().options)).rejects.toMatchObject({
      kind: "invalid",
    });
  });
});

/** A service whose answers are made up here, for what only time decides. */
function answering(post: WriteService["post"], clock: Clock = systemClock): WriteService {
  return {
    baseUrl: "http://127.0.0.1:9",
    post,
    rateLimit: createRateLimit(clock),
    renewConnections: () => {},
    accounts: { status: () => Promise.reject(new Error("not asked")) },
    trustedNow: () => null,
    clockAheadMs: () => null,
    supplyPoints: { status: () => Promise.reject(new ServiceError("not-found", "none")) },
  };
}

const lost = () => Promise.reject(new ServiceError("unreachable", "reset", { sent: true }));
const unsent = () => Promise.reject(new ServiceError("unreachable", "refused", { sent: false }));

/** Runs a write on a clock that jumps to the end of each wait, and returns how long the waits were. */
async function timed(post: WriteService["post"], write = notes("one"), settleMs = 10_000) {
  const clock = fakeClock();
  const service = answering(post, clock);
  const context = await contextFor("http://127.0.0.1:9", { clock, service });
  const waits: string[] = [];
  const onEvent = (event: SubmitEvent) => {
    if (event.kind !== "waiting") return;
    const ms = event.until - clock.now();
    waits.push(`${event.why} ${ms}`);
    setImmediate(() => clock.advance(ms));
  };
  const { signal } = new AbortController();
  const result = await submit(context, write, { signal, onEvent, settleMs });
  return { result, waits, clock };
}

describe("waiting", () => {
  test("a resend after a lost answer waits the settling time, ten seconds", async () => {
    const { waits, result } = await timed(lost);
    expect(waits).toEqual(["settle 10000", "settle 10000", "settle 10000"]);
    expect(result).toMatchObject({ outcome: "unknown", attempts: 4 });
  });

  test("retries of an unsent request wait longer each time", async () => {
    const { waits, result } = await timed(unsent);
    expect(waits).toEqual(["back-off 375", "back-off 750", "back-off 1500"]);
    expect(result).toMatchObject({ outcome: "unsent", reason: "never-sent" });
    expect(exitCodeOf(result)).toBe(6);
  });

  test("a 429 waits as long as it asks, a minute at the most and ten minutes in all", async () => {
    const limited = (retryAfterMs: number) => () =>
      Promise.reject(
        new ServiceError("rate-limited", "", { httpStatus: 429, sent: true, retryAfterMs }),
      );
    const short = await timed(limited(7000));
    expect(short.waits).toEqual(Array(85).fill("rate-limit 7000"));
    expect(short.result).toMatchObject({ outcome: "retryable", httpStatus: 429 });
    expect(short.result.reason).toBe("rate-limited");
    expect(exitCodeOf(short.result)).toBe(6);
    const long = await timed(limited(61_000));
    expect(long.waits).toEqual(Array(10).fill("rate-limit 60000"));
    expect(long.result).toMatchObject({ outcome: "retryable", attempts: 11 });
    expect(exitCodeOf(long.result)).toBe(6);
  });

  test("a token call that is asked to wait holds the write back as long", async () => {
    const facts = { httpStatus: 429, sent: false, retryAfterMs: 20_000 };
    const limited = () => Promise.reject(new ServiceError("rate-limited", "", facts));
    const { waits, result } = await timed(limited);
    expect(waits).toEqual(Array(30).fill("rate-limit 20000"));
    expect(result).toMatchObject({ outcome: "unsent", httpStatus: null });
  });

  test("all attempts end within ninety seconds", async () => {
    const { result, waits } = await timed(lost, notes("one"), 50_000);
    expect(waits).toEqual(["settle 50000"]);
    expect(result).toMatchObject({ outcome: "unknown", reason: "deadline", attempts: 2 });
  });

  test("a client that never answers is given up on", async () => {
    const clock = fakeClock();
    const service = answering(() => new Promise(() => {}), clock);
    const context = await contextFor("http://127.0.0.1:9", { clock, service });
    const { signal } = new AbortController();
    const ended = submit(context, statement(), { signal, timeoutMs: 30_000 });
    await clock.untilSleeping();
    await clock.advance(32_000);
    expect(await ended).toMatchObject({ outcome: "unknown", reason: "no-answer" });
  });
});

describe("cancelling", () => {
  test("before the headers left: unsent, exit 130", async () => {
    const stop = new AbortController();
    const service = answering((_request, { signal }) => {
      stop.abort();
      return Promise.reject(new ServiceError("cancelled", String(signal.aborted), { sent: false }));
    });
    const context = await contextFor("http://127.0.0.1:9", { service });
    const result = await submit(context, instruction(), { signal: stop.signal });
    expect(result).toMatchObject({ outcome: "unsent", reason: "cancelled" });
    expect(exitCodeOf(result)).toBe(130);
  });

  test("after they left: unknown, exit 7", async () => {
    const stop = new AbortController();
    const server = await openService({ writes: ["hang"] });
    server.onRequest = () => stop.abort();
    const context = await contextFor(server.baseUrl);
    const result = await submit(context, notes("one"), { signal: stop.signal });
    expect(result).toMatchObject({ outcome: "unknown", reason: "cancelled", attempts: 1 });
    expect(exitCodeOf(result)).toBe(7);
    expect(showActivity(context.journal, 1)).toMatchObject({ outcome: "unknown" });
  });

  test("while a resend waits: unknown if one might have taken effect, unsent if none left", async () => {
    for (const [post, outcome, code] of [
      [lost, "unknown", 7],
      [unsent, "unsent", 130],
    ] as const) {
      const stop = new AbortController();
      const context = await contextFor("http://127.0.0.1:9", { service: answering(post) });
      const result = await submit(context, notes("one"), {
        signal: stop.signal,
        onEvent: ({ kind }) => kind === "waiting" && stop.abort(),
      });
      expect(result).toMatchObject({ outcome, reason: "cancelled", attempts: 1 });
      expect(exitCodeOf(result)).toBe(code);
    }
  });

  test("canceling before the entry is recorded leaves no entry", async () => {
    const context = await contextFor("http://127.0.0.1:9", { service: answering(lost) });
    const write = submit(context, notes("one"), { signal: AbortSignal.abort() });
    await expect(write).rejects.toMatchObject({ kind: "cancelled" });
    expect(() => showActivity(context.journal, 1)).toThrow("no entry 1");
  });
});

describe("credentials", () => {
  const asked = { credentials: { apiKey: "key" }, ownTokens: true };

  test("no token to be had: nothing was sent, exit 3, and it is not tried again", async () => {
    const { result, server } = await sent([], notes("one"), { credentials: {} });
    expect(result).toMatchObject({ outcome: "unsent", reason: "credentials", attempts: 1 });
    expect(exitCodeOf(result)).toBe(3);
    expect(server.received).toEqual([]);
  });

  test("a token call that fails says nothing about the write: it was not sent", async () => {
    const { result, server } = await sent([{ status: 500 }], instruction(), asked);
    expect(result).toMatchObject({ outcome: "unsent", httpStatus: null });
    expect(server.received.every(({ path }) => path === "/v1/graphql/")).toBe(true);
  });

  test("a token call that another server answers is tried again, then the write is sent", async () => {
    const token = { status: 200, body: { data: { obtainToken: { token: "token-1" } } } };
    const odd = { status: 200, body: {} };
    const { result } = await sent([odd, odd, token, created], notes("one"), asked);
    expect(result).toMatchObject({ outcome: "confirmed", attempts: 3 });
  });

  test("a write whose token call keeps failing is unsent and ends with 6", async () => {
    const { result, server } = await sent([{ status: 200, body: {} }], instruction(), asked);
    expect(result).toMatchObject({ outcome: "unsent", reason: "never-sent", attempts: 4 });
    expect(exitCodeOf(result)).toBe(6);
    expect(server.received).toHaveLength(4);
  });
});
