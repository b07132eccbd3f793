import { createHash } from "node:crypto";
import type { PlannedRequest } from "../../src/bulk/input/planner.ts";
import { unfinishedRuns } from "../../src/bulk/open-runs.ts";
import { type RecordOptions, recordRequests } from "../../src/bulk/record.ts";
import { readRunRows } from "../../src/bulk/rows.ts";
import type { RunRow } from "../../src/bulk/run-record.ts";
import { createRun, readRun } from "../../src/bulk/runs.ts";
import { runExitCodes } from "../../src/commands/bulk/exit-code-of-run.ts";
import { listActivity } from "../../src/writes/activity.ts";
import { close } from "../../src/writes/close-entry.ts";
import { processLife } from "../../src/writes/owner.ts";
import { fakeClock, passing } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import {
  bulkFor,
  carryOut,
  instructionRequest,
  never,
  noteRequest,
  noteRequests,
  recordedRun,
  sandboxWith,
  streamed,
} from "./bulking.ts";

const sha256 = (words: string) => createHash("sha256").update(words).digest("hex");

const landed = (sandbox: { ledger: () => readonly { key: string }[] }) =>
  sandbox.ledger().map(({ key }) => key);

describe("the pace of a run", () => {
  test("is stored with it: a resumed run uses the stored settings, unless it is given others", async () => {
    const { baseUrl, apiKey } = await sandboxWith(["latency=5ms@notes"]);
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const reading = { concurrency: "2", settleMs: "40000" };
    const run = await recordedRun(context, "notes", noteRequests(30), { reading });
    const limitsOf = async (options: { readonly concurrency?: number } = {}) => {
      const limits = new Set<number>();
      const stop = new AbortController();
      let settled = 0;
      await carryOut(context, run, {
        ...options,
        settleMs: undefined,
        stop: stop.signal,
        onProgress: ({ limit }) => limits.add(limit),
        onRow: () => {
          settled += 1;
          if (settled === 8) stop.abort();
        },
      });
      return Math.max(...limits);
    };
    expect(await limitsOf()).toBe(2);
    expect(await limitsOf({ concurrency: 1 })).toBe(1);
    expect(await limitsOf()).toBe(2);
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
  });

  test("the settling time of a run also applies to retries", async () => {
    const { baseUrl, apiKey } = await sandboxWith(["reset-after@notesx1"]);
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const reading = { settleMs: "40000" };
    const run = await recordedRun(context, "notes", noteRequests(1), { reading });
    const began = clock.now();
    expect(await passing(clock, carryOut(context, run, { settleMs: undefined }))).toEqual({
      kind: "ended",
    });
    expect(clock.now() - began).toBeGreaterThanOrEqual(40_000);
    expect(clock.now() - began).toBeLessThan(60_000);
  });
});

describe("stopping", () => {
  test("stopping a run finishes the requests in flight, and resuming sends the rest", async () => {
    const sandbox = await sandboxWith(["latency=5ms@notes"]);
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(100));
    const stop = new AbortController();
    const told: RunRow[] = [];
    const stopping: boolean[] = [];
    const end = await carryOut(context, run, {
      stop: stop.signal,
      onRow: (row) => {
        told.push(row);
        if (told.length === 25) stop.abort();
      },
      onProgress: (progress) => stopping.push(progress.stopping),
    });
    expect(end).toEqual({ kind: "stopped" });
    expect(stopping.at(-1)).toBe(true);
    const { counts, state, stoppedBecause } = readRun(context, run);
    expect({ state, stoppedBecause }).toEqual({
      state: "stopped",
      stoppedBecause: "it was stopped on request",
    });
    expect(counts).toMatchObject({ confirmed: told.length, sending: 0, unknown: 0 });
    expect(told.length).toBeLessThan(25 + 16);
    expect(landed(sandbox)).toHaveLength(told.length);
    expect(runExitCodes(context.journal, run)).toEqual(new Set([0, 130]));
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(landed(sandbox)).toHaveLength(100);
    expect(new Set(landed(sandbox)).size).toBe(100);
  });

  test("a resumed run finishes the wait before a retry", async () => {
    const sandbox = await sandboxWith(["reset-after@notesx1"]);
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "notes", noteRequests(1));
    const stop = new AbortController();
    const began = clock.now();
    const atPoint = (point: string) => {
      if (point === "waiting") stop.abort();
    };
    const running = carryOut(context, run, { stop: stop.signal, settleMs: 10_000, atPoint });
    expect(await passing(clock, running)).toEqual({ kind: "stopped" });
    expect(clock.now() - began).toBeLessThan(10_000);
    expect(readRun(context, run).counts).toMatchObject({ unknown: 1 });
    expect(await passing(clock, carryOut(context, run, { settleMs: 10_000 }))).toEqual({
      kind: "ended",
    });
    // It has not been asked about before what was given up on had its time.
    expect(clock.now() - began).toBeGreaterThanOrEqual(10_000);
    expect(readRun(context, run).counts).toMatchObject({ exists: 1 });
    expect(landed(sandbox)).toEqual(["note 2"]);
  });

  test("canceled: what was in flight is in doubt, the resumed run verifies it, and it takes effect once", async () => {
    const sandbox = await sandboxWith(["latency=50ms@notes"]);
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(60));
    const cancel = new AbortController();
    let sent = 0;
    const end = await carryOut(context, run, {
      signal: cancel.signal,
      atPoint: (point) => {
        if (point === "headers-sent") sent += 1;
        if (sent === 20) cancel.abort();
      },
    });
    expect(end).toEqual({ kind: "stopped" });
    const { counts } = readRun(context, run);
    expect(counts.unknown).toBeGreaterThan(0);
    expect(counts.sending).toBe(0);
    sandbox.setFaults([]);
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(landed(sandbox).toSorted()).toEqual(
      noteRequests(60)
        .map(({ lines }) => `note ${lines[0]}`)
        .toSorted(),
    );
    expect(readRun(context, run).counts).toMatchObject({ waiting: 0, unknown: 0 });
  });

  test("what an operator has closed stays closed, and the reason is shown", async () => {
    const { baseUrl, apiKey } = await sandboxWith(["503@payment-instructionsx1"]);
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const run = await recordedRun(context, "payment-instructions", [
      instructionRequest(2),
      instructionRequest(3),
    ]);
    await carryOut(context, run);
    const { journal } = context;
    const [left] = readRunRows(journal, run, { states: ["unknown"] });
    await close(
      journal,
      left?.journalId ?? 0,
      { reason: "seen at the vendor", tookEffect: "unknown" },
      Date.now(),
    );
    expect(readRun(context, run).counts).toMatchObject({ closed: 1, unknown: 0 });
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(readRunRows(journal, run, { states: ["closed"] })).toMatchObject([
      { line: left?.line, detail: "seen at the vendor" },
    ]);
    expect(runExitCodes(journal, run)).toEqual(new Set([0]));
  });

  test.each([
    ["yes", 409, "Took effect: seen at the vendor"],
    ["no", 409, "No effect: seen at the vendor"],
    ["yes", 404, "Took effect: seen at the vendor"],
    ["no", 404, "No effect: seen at the vendor"],
    ["unknown", 404, "seen at the vendor"],
  ] as const)(
    "a row that is closed with %s after a %d is closed, with the answer",
    async (tookEffect, httpStatus, detail) => {
      const { baseUrl, apiKey } = await sandboxWith([`${httpStatus}@payment-instructionsx1`]);
      const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
      const run = await recordedRun(context, "payment-instructions", [instructionRequest(2)]);
      await carryOut(context, run);
      const { journal } = context;
      const [left] = readRunRows(journal, run);
      expect(left?.outcome).toBe("rejected");
      const closing = { reason: "seen at the vendor", tookEffect };
      await close(journal, left?.journalId ?? 0, closing, Date.now());
      expect(readRunRows(journal, run, { states: ["closed"] })).toMatchObject([{ detail }]);
      expect(readRun(context, run).counts).toMatchObject({ closed: 1, rejected: 0 });
    },
  );
});

describe("one process at a time", () => {
  test("a run is not started twice, in one process or in two", async () => {
    const sandbox = await sandboxWith(["latency=20ms@notes"]);
    const { baseUrl, apiKey } = sandbox;
    const where = journalFolder();
    const self = processLife(process.pid);
    const other = {
      self: { ...self.self, pid: 1, startedAt: "1" },
      lifeOf: () => "alive" as const,
    };
    const theirs = await bulkFor({ folder: where, baseUrl, apiKey, process: other });
    const ours = await bulkFor({ folder: where, baseUrl, apiKey });
    const run = await recordedRun(theirs, "notes", noteRequests(30));
    let asked = false;
    const refusals: unknown[] = [];
    const end = await carryOut(theirs, run, {
      atPoint: async (point) => {
        if (point !== "row-settled" || asked) return;
        asked = true;
        const life = { ...self, lifeOf: () => "alive" as const };
        const seen = { ...ours, process: life };
        for (const context of [seen, theirs]) {
          await carryOut(context, run).catch((error: unknown) => refusals.push(error));
        }
        expect(readRun(seen, run).state).toBe("running");
      },
    });
    expect(end).toEqual({ kind: "ended" });
    expect(refusals).toEqual([
      expect.objectContaining({ about: "run", kind: "in-use" }),
      expect.objectContaining({ about: "run", kind: "in-use" }),
    ]);
    expect(landed(sandbox)).toHaveLength(30);
  });

  test("a run whose process has ended counts as stopped, and can be resumed", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(3));
    const gone = JSON.stringify([4_000_000, "1", "", ""]);
    const dead = { ...context.process, lifeOf: () => "dead" as const };
    const writes = { ...context, process: dead };
    await context.journal.commit((rows) =>
      rows.run("UPDATE run SET state = 'running', owner = ? WHERE id = ?", gone, run),
    );
    expect(readRun(writes, run)).toMatchObject({
      state: "stopped",
      stoppedBecause: "its process ended before it did",
    });
    expect(await carryOut(writes, run)).toEqual({ kind: "ended" });
  });

  test("a run cannot be resumed if its process died after the last outcome", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(3));
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    const gone = JSON.stringify([4_000_000, "1", "", ""]);
    const dead = { ...context.process, lifeOf: () => "dead" as const };
    const writes = { ...context, process: dead };
    await context.journal.commit((rows) =>
      rows.run(
        "UPDATE run SET state = 'running', ended_at = NULL, owner = ? WHERE id = ?",
        gone,
        run,
      ),
    );
    const { state, stoppedBecause, endedAt } = readRun(writes, run);
    expect({ state, stoppedBecause }).toEqual({ state: "ended", stoppedBecause: null });
    expect(endedAt).not.toBeNull();
    expect(unfinishedRuns(writes, baseUrl)).toEqual([]);
  });

  test("a run for another service is not touched", async () => {
    const one = await sandboxWith();
    const other = await sandboxWith();
    const where = journalFolder();
    const { baseUrl, apiKey } = one;
    const context = await bulkFor({ folder: where, baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(3));
    const elsewhere = await bulkFor({
      folder: where,
      baseUrl: other.baseUrl,
      apiKey: other.apiKey,
    });
    await expect(carryOut(elsewhere, run)).rejects.toMatchObject({ kind: "wrong-service" });
    expect(landed(other)).toEqual([]);
  });
});

describe("recording", () => {
  const newRun = (words: string, rows: number, requests = rows) => ({
    kind: "notes" as const,
    source: "/somewhere/notes.csv",
    sha256: sha256(words),
    results: null,
    reading: { format: "csv" },
    rows,
    requests,
  });
  const reading = (words: string, more: Partial<RecordOptions> = {}): RecordOptions => ({
    signal: never,
    digest: () => sha256(words),
    ...more,
  });

  test("nothing may be sent before every row is on record", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const requests = noteRequests(400);
    const run = await createRun(context, newRun("input", 400));
    const stop = new AbortController();
    const recording = recordRequests(
      context,
      run,
      streamed(requests),
      reading("input", { signal: stop.signal, onProgress: (rows) => rows >= 128 && stop.abort() }),
    );
    await expect(recording).rejects.toMatchObject({ name: "AbortError" });
    expect(readRun(context, run)).toMatchObject({
      state: "unrecorded",
      counts: { waiting: 400 },
    });
    const there = listActivity(context.journal, { run }).length;
    expect(there).toBeGreaterThan(0);
    expect(there).toBeLessThan(400);
    await expect(carryOut(context, run)).rejects.toMatchObject({ kind: "not-recorded" });
    expect(landed(sandbox)).toEqual([]);

    // Called again it goes on behind what is there.
    const first = listActivity(context.journal, { run }).at(-1)?.journal_id;
    await recordRequests(context, run, streamed(requests), reading("input"));
    const all = listActivity(context.journal, { run });
    expect(all).toHaveLength(400);
    expect(all.at(-1)?.journal_id).toBe(first);
    // And again: nothing more.
    await recordRequests(context, run, streamed(requests), reading("input"));
    expect(listActivity(context.journal, { run })).toHaveLength(400);
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(new Set(landed(sandbox)).size).toBe(400);
  });

  test.each<
    [what: string, changed: (requests: PlannedRequest[]) => PlannedRequest[], digest: string]
  >([
    ["another digest", (requests) => requests, "another input"],
    ["a row more", (requests) => [...requests, noteRequest(999)], "input"],
    ["a row fewer", (requests) => requests.slice(1), "input"],
  ])(
    "an input that has changed (%s) leaves nothing behind that could be sent",
    async (_what, changed, digest) => {
      const sandbox = await sandboxWith();
      const { baseUrl, apiKey } = sandbox;
      const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
      const requests = noteRequests(300);
      const run = await createRun(context, newRun("input", 300));
      const recording = recordRequests(context, run, streamed(changed(requests)), reading(digest));
      await expect(recording).rejects.toMatchObject({ about: "run", kind: "input-changed" });
      expect(listActivity(context.journal, { run })).toEqual([]);
      await expect(carryOut(context, run)).rejects.toMatchObject({ kind: "not-recorded" });
      // With the original input it can start again.
      await recordRequests(context, run, streamed(requests), reading("input"));
      expect(await carryOut(context, run)).toEqual({ kind: "ended" });
      expect(landed(sandbox)).toHaveLength(300);
    },
  );

  test("rows recorded of a changed input are not mixed with those of the right one", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const requests = noteRequests(400);
    const forged = requests.map((request, n) => (n === 3 ? noteRequest(5, "forged") : request));
    const run = await createRun(context, newRun("input", 400));
    const stop = new AbortController();
    await recordRequests(
      context,
      run,
      streamed(forged),
      reading("input", { signal: stop.signal, onProgress: (rows) => rows >= 128 && stop.abort() }),
    ).catch(() => {});
    const again = recordRequests(context, run, streamed(requests), reading("input"));
    await expect(again).rejects.toMatchObject({ kind: "input-changed" });
    await recordRequests(context, run, streamed(requests), reading("input"));
    expect(await carryOut(context, run)).toEqual({ kind: "ended" });
    expect(landed(sandbox)).not.toContain("forged");
    expect(landed(sandbox)).toHaveLength(400);
  });
});
