import type { RunProgress } from "../../src/bulk/progress.ts";
import { readRunRows } from "../../src/bulk/rows.ts";
import type { RunRow } from "../../src/bulk/run-record.ts";
import { readRun } from "../../src/bulk/runs.ts";
import { runExitCodes } from "../../src/commands/bulk/exit-code-of-run.ts";
import { listActivity } from "../../src/writes/activity.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { meaningWords } from "../../src/writes/words/outcomes.ts";
import { fakeClock, passing } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import { completed, openSandbox, openService, reply } from "../helpers/service.ts";
import {
  bulkFor,
  carryOut,
  instructionRequest,
  noteRequest,
  noteRequests,
  recordedRun,
  sandboxWith,
  supplyPointRequest,
} from "./bulking.ts";

/** Effects of the requests. */
const ledgerKeys = (sandbox: { ledger: () => readonly { key: string; cause: string }[] }) =>
  sandbox
    .ledger()
    .filter(({ cause }) => cause === "request")
    .map(({ key }) => key)
    .toSorted();

const noteKeys = (count: number) =>
  noteRequests(count)
    .map(({ lines }) => `note ${lines[0]}`)
    .toSorted();

describe("an outage in the middle of a run", () => {
  test.each([
    "503@any",
    "500@any",
    "502-after@notes",
    "reset-before@any",
    "reset-after@notes",
    "hang@any",
  ])("%s: it pauses, probes with growing waits, and no row fails", async (fault) => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "notes", noteRequests(120));
    const rows: RunRow[] = [];
    const pauses: NonNullable<RunProgress["pause"]>[] = [];
    let back = false;
    const end = await passing(
      clock,
      carryOut(context, run, {
        timeoutMs: 2_000,
        settleMs: 1_000,
        onRow: (row) => {
          rows.push(row);
          if (rows.length === 40) sandbox.setFaults([fault]);
        },
        onProgress: ({ pause }) => {
          if (pause === null) return;
          if (pauses.at(-1)?.nextTryAt !== pause.nextTryAt) pauses.push(pause);
          if (pauses.length < 4 || back) return;
          back = true;
          sandbox.setFaults([]);
        },
      }),
    );
    expect(end).toEqual({ kind: "ended" });
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(["confirmed"]));
    expect(rows).toHaveLength(120);
    expect(ledgerKeys(sandbox)).toEqual(noteKeys(120));
    expect(pauses[0]?.why).toMatch(/^the service/);
    expect(runExitCodes(context.journal, run)).toEqual(new Set([0]));
  });

  test("rows stay unsent while the port is closed, and are sent when it opens", async () => {
    const dataDir = journalFolder();
    const first = await openSandbox({ dataDir });
    const { baseUrl, apiKey } = first;
    const port = Number(new URL(baseUrl).port);
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "notes", noteRequests(60));
    let settled = 0;
    let looks = 0;
    let second = Promise.resolve(first);
    const end = await passing(
      clock,
      carryOut(context, run, {
        settleMs: 1_000,
        onRow: () => {
          settled += 1;
          if (settled === 20) void first.close();
        },
        onProgress: ({ pause }) => {
          if (pause === null) return;
          looks += 1;
          if (looks === 12) second = openSandbox({ dataDir, port });
        },
      }),
    );
    const again = await second;
    onTestFinished(() => again.close());
    expect(end).toEqual({ kind: "ended" });
    expect(readRun(context, run).counts).toMatchObject({ waiting: 0, unknown: 0 });
    expect(ledgerKeys(again)).toEqual(noteKeys(60));
  });

  test("a run ends resumable after its outage limit, and resuming sends the rest", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "notes", noteRequests(50));
    let settled = 0;
    const began = clock.now();
    const end = await passing(
      clock,
      carryOut(context, run, {
        settleMs: 1_000,
        patienceMs: 60_000,
        onRow: () => {
          settled += 1;
          if (settled === 10) sandbox.setFaults(["503@any"]);
        },
      }),
    );
    expect(end).toEqual({ kind: "service-down", why: "the service answers 503" });
    expect(clock.now() - began).toBeLessThan(120_000);
    const { counts, state, stoppedBecause } = readRun(context, run);
    expect({ state, stoppedBecause }).toEqual({
      state: "stopped",
      stoppedBecause: "the service answers 503",
    });
    expect(counts.rejected + counts.retryable).toBe(0);
    expect(counts.confirmed + counts.waiting + counts.unknown).toBe(50);
    // Only what was on its way when it went down is in doubt.
    expect(counts.unknown).toBeLessThanOrEqual(17);
    sandbox.setFaults([]);
    expect(await passing(clock, carryOut(context, run))).toEqual({ kind: "ended" });
    expect(ledgerKeys(sandbox)).toEqual(noteKeys(50));
    expect(readRun(context, run).counts).toMatchObject({ confirmed: 50, unknown: 0 });
  });

  test("a row that was put off says that its run paused, and shares the fate of its run", async () => {
    const sandbox = await openSandbox();
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const { journal } = context;
    const run = await recordedRun(context, "notes", noteRequests(50));
    let settled = 0;
    const onRow = () => {
      settled += 1;
      if (settled === 10) void sandbox.close();
    };
    const end = await passing(clock, carryOut(context, run, { patienceMs: 60_000, onRow }));
    expect(end).toMatchObject({ kind: "service-down" });
    const details = readRunRows(journal, run).map((row) => row.detail);
    expect(details).toContain("The run paused before the request was sent.");
    expect(details).not.toContain("The request was canceled before it was sent.");
    const codes = [...runExitCodes(journal, run)];
    expect(codes).toContain(6);
    expect(codes).not.toContain(130);
    const unsent = listActivity(journal, { run, outcomes: ["unsent"] });
    const meanings = unsent.map((row) => meaningWords(showActivity(journal, row.journal_id)));
    expect(meanings).toContain(
      "It was not sent. Its run paused because the service was unavailable. The run sends it when the service is back, or when you resume the run.",
    );
  });

  test("supply points with an unknown outcome are looked up and created only once", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const requests = Array.from({ length: 30 }, (_, n) => supplyPointRequest(n + 2, `SP-OUT-${n}`));
    const run = await recordedRun(context, "supply-points", requests);
    let settled = 0;
    let paused = 0;
    const end = await passing(
      clock,
      carryOut(context, run, {
        settleMs: 1_000,
        onRow: () => {
          settled += 1;
          if (settled === 10) sandbox.setFaults(["503-after@any"]);
        },
        onProgress: ({ pause }) => {
          if (pause !== null) paused += 1;
          if (paused === 10) sandbox.setFaults([]);
        },
      }),
    );
    expect(end).toEqual({ kind: "ended" });
    expect(readRun(context, run).counts.confirmed).toBe(30);
    expect(ledgerKeys(sandbox)).toHaveLength(30);
  });

  test("payment instructions: probes are reads, what might have taken effect is never sent again, the rest is sent", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const requests = Array.from({ length: 60 }, (_, n) => instructionRequest(n + 2));
    const run = await recordedRun(context, "payment-instructions", requests);
    let settled = 0;
    let paused = 0;
    const options = {
      settleMs: 1_000,
      onRow: () => {
        settled += 1;
        if (settled === 10) sandbox.setFaults(["503@any"]);
      },
      onProgress: ({ pause }: RunProgress) => {
        if (pause !== null) paused += 1;
        if (paused === 10) sandbox.setFaults([]);
      },
    };
    expect(await passing(clock, carryOut(context, run, options))).toEqual({ kind: "ended" });
    const { counts } = readRun(context, run);
    expect(counts.unknown).toBeGreaterThan(0);
    expect(counts.unknown).toBeLessThanOrEqual(17);
    expect(counts.confirmed).toBe(60 - counts.unknown);
    expect(ledgerKeys(sandbox)).toHaveLength(counts.confirmed);
    const [left] = readRunRows(context.journal, run, { states: ["unknown"] });
    expect(left?.detail).toMatch(/503\. The request might have taken effect\. Check/);
    expect(runExitCodes(context.journal, run)).toEqual(new Set([0, 7]));
    // Nor by a resumed run.
    expect(await passing(clock, carryOut(context, run))).toEqual({ kind: "ended" });
    expect(readRun(context, run).counts.unknown).toBe(counts.unknown);
    expect(ledgerKeys(sandbox)).toHaveLength(counts.confirmed);
  });

  test("writes that fail while reads are answered: the run ends before many rows are in doubt", async () => {
    const { baseUrl, apiKey } = await sandboxWith(["503@payment-instructions"]);
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const requests = Array.from({ length: 60 }, (_, n) => instructionRequest(n + 2));
    const run = await recordedRun(context, "payment-instructions", requests);
    const end = await passing(clock, carryOut(context, run));
    expect(end).toMatchObject({
      kind: "service-down",
      why: expect.stringMatching(/503, although/),
    });
    const { counts } = readRun(context, run);
    expect(counts.unknown).toBeLessThan(12);
    expect(counts.waiting).toBe(60 - counts.unknown);
  });

  test("a vendor that fails is not an outage: other rows go on, and a resumed run leaves it alone", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "payment-instructions", [
      ...Array.from({ length: 6 }, (_, n) => instructionRequest(n + 2, "DOWNPAY")),
      instructionRequest(8),
      instructionRequest(9, "FLAKYPAY"),
    ]);
    const pauses: unknown[] = [];
    const onProgress = ({ pause }: RunProgress) => void (pause !== null && pauses.push(pause));
    expect(await passing(clock, carryOut(context, run, { onProgress }))).toEqual({ kind: "ended" });
    expect(pauses).toEqual([]);
    expect(readRun(context, run).counts).toMatchObject({ retryable: 6, confirmed: 2 });
    expect(runExitCodes(context.journal, run)).toEqual(new Set([0, 7]));
    const told: RunRow[] = [];
    await passing(clock, carryOut(context, run, { onRow: (row) => told.push(row) }));
    expect(told).toEqual([]);
  });

  test("an account that always fails does not block the other accounts", async () => {
    const { baseUrl } = await openService(({ method, body }, response) => {
      if (method === "GET") return reply(response, 200, completed);
      const sick = body.includes("SICK");
      const { notes } = JSON.parse(body);
      const done = [{ body: notes[0].body, status: "NOTE_CREATION_SUCCESS" }];
      reply(response, sick ? 500 : 201, sick ? {} : done);
    });
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey: "k", clock });
    const run = await recordedRun(context, "notes", [
      noteRequest(2, "one", "SICK"),
      noteRequest(3, "two", "SICK"),
      ...Array.from({ length: 30 }, (_, n) => noteRequest(n + 4)),
    ]);
    const end = await passing(clock, carryOut(context, run, { settleMs: 1_000 }));
    expect(end).toEqual({ kind: "ended" });
    expect(readRun(context, run).counts).toMatchObject({ confirmed: 30, unknown: 2 });
  });
});

describe("too many requests", () => {
  test("a Retry-After holds the whole run back, and no row fails", async () => {
    const sandbox = await sandboxWith(["429=7s@notesx1"]);
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "notes", noteRequests(60));
    let held = 0;
    const landed = new Map<number, number>();
    const end = await passing(
      clock,
      carryOut(context, run, {
        onProgress: ({ pause }) => {
          if (pause === null) return;
          expect(pause.why).toMatch(/429/);
          held = pause.nextTryAt;
        },
        onRow: ({ line }) => landed.set(line, clock.now()),
      }),
    );
    expect(end).toEqual({ kind: "ended" });
    expect(ledgerKeys(sandbox)).toEqual(noteKeys(60));
    // The first meets it; one more may have been on the wire with it.
    const before = [...landed.values()].filter((at) => at < held);
    expect(before.length).toBeLessThanOrEqual(1);
    expect(landed.size).toBe(60);
  });

  test("a wait of an hour is one of a minute, again and again, until the run's patience ends", async () => {
    const sandbox = await sandboxWith(["429=3600s@notes"]);
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "notes", noteRequests(20));
    const began = clock.now();
    const waits = new Set<number>();
    const end = await passing(
      clock,
      carryOut(context, run, {
        patienceMs: 200_000,
        onProgress: ({ pause }) => {
          if (pause !== null) waits.add(pause.nextTryAt - clock.now());
        },
      }),
    );
    expect(end).toEqual({ kind: "service-down", why: "the service asks for a pause (429)" });
    expect(Math.max(...waits)).toBe(60_000);
    expect(clock.now() - began).toBeGreaterThanOrEqual(180_000);
    expect(clock.now() - began).toBeLessThan(260_000);
    sandbox.setFaults([]);
    expect(await passing(clock, carryOut(context, run))).toEqual({ kind: "ended" });
    expect(ledgerKeys(sandbox)).toEqual(noteKeys(20));
  });

  test("the concurrency limit falls if the service handles few requests", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "notes", noteRequests(200));
    const limits: number[] = [];
    let settled = 0;
    const end = await passing(
      clock,
      carryOut(context, run, {
        onRow: () => {
          settled += 1;
          if (settled === 100) sandbox.setFaults(["429=1s@notesx5"]);
        },
        onProgress: ({ limit }) => limits.push(limit),
      }),
    );
    expect(end).toEqual({ kind: "ended" });
    const most = Math.max(...limits);
    expect(most).toBeGreaterThanOrEqual(8);
    expect(Math.min(...limits.slice(limits.indexOf(most)))).toBeLessThanOrEqual(most / 2);
    expect(ledgerKeys(sandbox)).toEqual(noteKeys(200));
  });
});

describe("credentials that are refused", () => {
  test("a run stops if the credentials are refused, and continues with a valid key", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const where = journalFolder();
    const context = await bulkFor({ folder: where, baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(80));
    let settled = 0;
    const end = await carryOut(context, run, {
      onRow: () => {
        settled += 1;
        if (settled === 30) sandbox.setFaults(["401@rest"]);
      },
    });
    expect(end).toMatchObject({ kind: "credentials" });
    const { counts, state, stoppedBecause } = readRun(context, run);
    expect(state).toBe("stopped");
    expect(stoppedBecause).toBe("the service refused the credentials");
    expect(counts).toMatchObject({ rejected: 0, unknown: 0, retryable: 0, sending: 0 });
    expect(counts.waiting).toBe(80 - counts.confirmed);
    expect(runExitCodes(context.journal, run)).toEqual(new Set([0, 3]));
    sandbox.setFaults([]);
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(ledgerKeys(sandbox)).toEqual(noteKeys(80));
  });

  test("no key at all: nothing is sent", async () => {
    const { baseUrl } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey: "wrong" });
    const run = await recordedRun(context, "notes", noteRequests(20));
    expect(await carryOut(context, run)).toMatchObject({ kind: "credentials" });
    const { counts, stoppedBecause } = readRun(context, run);
    expect(counts.waiting).toBe(20);
    expect(stoppedBecause).toBe("there was no valid token");
    expect(runExitCodes(context.journal, run)).toEqual(new Set([3]));
  });

  test("a token that may not do this stops the run before it has failed every row", async () => {
    const server = await openService(
      {
        writes: [{ status: 200, body: { data: { obtainToken: { token: "t" } } } }, { status: 403 }],
      },
      { ownTokens: true },
    );
    const context = await bulkFor({
      folder: journalFolder(),
      baseUrl: server.baseUrl,
      apiKey: "k",
    });
    const run = await recordedRun(context, "notes", noteRequests(300));
    expect(await carryOut(context, run)).toMatchObject({ kind: "credentials" });
    const { counts } = readRun(context, run);
    expect(counts.rejected).toBeLessThan(40);
    expect(counts.waiting).toBe(300 - counts.rejected);
  });
});
