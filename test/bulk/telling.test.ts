import { describe, expect, it } from "vitest";
import type { RunProgress } from "../../src/bulk/progress.ts";
import { readRun } from "../../src/bulk/runs.ts";
import { createTelling } from "../../src/bulk/telling.ts";
import { fakeClock } from "../helpers/clock.ts";
import { folder } from "../writes/writing.ts";
import { bulkFor, carryOut, noteRequests, passing, recordedRun, sandboxWith } from "./bulking.ts";

const running = { inFlight: 4, limit: 8, pause: null, slowed: null, stopping: false, willRetry: 0 };

async function telling() {
  const clock = fakeClock();
  const context = await bulkFor({ folder: folder(), baseUrl: "http://127.0.0.1:9", clock });
  const run = await recordedRun(context, "notes", noteRequests(40));
  const told: RunProgress[] = [];
  const tells = createTelling(context.writes, {
    run,
    rows: 40,
    reads: false,
    onProgress: (progress) => told.push(progress),
  });
  return { clock, told, tells, context, run };
}

describe("how a run goes", () => {
  it("is told a few times a second, and at once at a turn", async () => {
    const { clock, told, tells } = await telling();
    for (let n = 0; n < 100; n++) {
      tells.changed(running, false);
      await clock.advance(10);
    }
    expect(told).toHaveLength(5);
    const pause = { since: clock.now(), why: "the service answers 503", nextTryAt: 1 };
    tells.changed({ ...running, pause }, true);
    expect(told).toHaveLength(6);
    expect(told.at(-1)).toMatchObject({ pause, limit: 8, inFlight: 4, counts: { waiting: 40 } });
  });

  it("tells the rate of the last seconds, and what is left at that rate", async () => {
    const { clock, told, tells } = await telling();
    for (let n = 0; n < 10; n++) {
      await clock.advance(1_000);
      tells.settled();
      tells.settled();
    }
    tells.changed(running, true);
    expect(told.at(-1)?.perSecond).toBeCloseTo(2, 0);
    expect(told.at(-1)?.secondsLeft).toBeCloseTo(20, 0);
    await clock.advance(6_000);
    tells.beat();
    expect(told.at(-1)).toMatchObject({ perSecond: 0, secondsLeft: null });
  });

  it("a listener that throws disturbs nothing", async () => {
    const sandbox = await sandboxWith();
    const { baseUrl, apiKey } = sandbox;
    const context = await bulkFor({ folder: folder(), baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(10));
    const fails = () => {
      throw new Error("listener");
    };
    expect(await carryOut(context, run, { onRow: fails, onProgress: fails })).toEqual({
      kind: "ended",
    });
  });
});

describe("signs of life", () => {
  it("are given while it runs; one that was taken over stops sending", async () => {
    const sandbox = await sandboxWith(["hang@notesx1"]);
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: folder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "notes", noteRequests(2));
    const { journal } = context.writes;
    const lastSign = () =>
      journal.read((rows) => rows.get("SELECT renewed_at AS at FROM run WHERE id = ?", run))?.at;
    const began = clock.now();
    const going = carryOut(context, run, { timeoutMs: 60_000, concurrency: 1 });
    await clock.untilSleeping(2);
    await passing(clock, clock.sleep(25_000));
    expect(Number(lastSign())).toBeGreaterThanOrEqual(began + 20_000);
    await journal.commit((rows) => rows.run("UPDATE run SET owner = 'another' WHERE id = ?", run));
    expect(await passing(clock, going)).toEqual({ kind: "stopped" });
    // What another one says of it stands.
    expect(readRun(context.writes, run).state).toBe("stopped");
    expect(sandbox.ledger()).toEqual([]);
  });
});
