import {
  createProgressEmitter,
  type RunProgress,
  slowWords,
  speedText,
  timeLeftText,
} from "../../src/bulk/progress.ts";
import { readRun } from "../../src/bulk/runs.ts";
import { fakeClock, passing } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import { bulkFor, carryOut, noteRequests, recordedRun, sandboxWith } from "./bulking.ts";

const progress = (slowed: RunProgress["slowed"] = null): RunProgress => ({
  run: "r",
  rows: 1,
  inFlight: 1,
  limit: 16,
  perSecond: 1,
  measuredMs: 5_000,
  secondsLeft: 1,
  counts: {
    waiting: 1,
    sending: 0,
    confirmed: 0,
    exists: 0,
    rejected: 0,
    retryable: 0,
    unknown: 0,
    closed: 0,
  },
  pause: null,
  slowed,
  stopping: false,
});

test("a run on an overloaded service is reported as slowed, with its start", () => {
  expect(slowWords(progress())).toBeNull();
  const slowed = { since: 0, why: "the service asks for a pause (429)" };
  expect(slowWords(progress(slowed))).toMatch(/^slowed at .*429/);
});

test.each([
  [{ perSecond: 0, secondsLeft: null }, "No row finished in the last 5 s", ""],
  [{ perSecond: 0, measuredMs: 400, secondsLeft: null }, "Just started", ""],
  [{ perSecond: 3.44, secondsLeft: 90 }, "3.4 rows a second", "1 min 30 s left"],
  [{ perSecond: 1_200.4, secondsLeft: 5 }, "1,200 rows a second", "5 s left"],
])("a rate of %j is shown with the time that it leaves", (figures, speed, left) => {
  const shown = { ...progress(), ...figures };
  expect(speedText(shown)).toBe(speed);
  expect(timeLeftText(shown)).toBe(left);
});

const running = {
  inFlight: 4,
  limit: 8,
  pause: null,
  slowed: null,
  stopping: false,
  willRetry: 0,
};

async function emitter() {
  const clock = fakeClock();
  const context = await bulkFor({ folder: journalFolder(), baseUrl: "http://127.0.0.1:9", clock });
  const run = await recordedRun(context, "notes", noteRequests(40));
  const reports: RunProgress[] = [];
  const emits = createProgressEmitter(context, {
    run,
    rows: 40,
    onProgress: (progress) => reports.push(progress),
  });
  return { clock, reports, emits, context, run };
}

describe("the progress of a run", () => {
  test("is reported a few times a second, and at once on a transition", async () => {
    const { clock, reports, emits } = await emitter();
    for (let n = 0; n < 100; n++) {
      emits.changed(running, false);
      await clock.advance(10);
    }
    expect(reports).toHaveLength(5);
    const pause = {
      of: "service" as const,
      since: clock.now(),
      why: "the service answers 503",
      nextTryAt: 1,
      tryNow: null,
    };
    emits.changed({ ...running, pause }, true);
    expect(reports).toHaveLength(6);
    expect(reports.at(-1)).toMatchObject({ pause, limit: 8, inFlight: 4, counts: { waiting: 40 } });
  });

  test("has the rate of the last seconds, and the time left at that rate", async () => {
    const { clock, reports, emits } = await emitter();
    emits.changed(running, true);
    expect(reports.at(-1)).toMatchObject({ perSecond: 0, measuredMs: 0 });
    for (let n = 0; n < 10; n++) {
      await clock.advance(1_000);
      emits.rowEnded();
      emits.rowEnded();
    }
    emits.changed(running, true);
    expect(reports.at(-1)?.measuredMs).toBe(5_000);
    expect(reports.at(-1)?.perSecond).toBeCloseTo(2, 0);
    expect(reports.at(-1)?.secondsLeft).toBeCloseTo(20, 0);
    await clock.advance(6_000);
    emits.heartbeat();
    expect(reports.at(-1)).toMatchObject({ perSecond: 0, secondsLeft: null });
  });

  test("progress continues if a listener throws", async () => {
    const { baseUrl, apiKey } = await sandboxWith();
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
    const run = await recordedRun(context, "notes", noteRequests(10));
    const fails = () => {
      throw new Error("listener");
    };
    expect(await carryOut(context, run, { onRow: fails, onProgress: fails })).toEqual({
      kind: "ended",
    });
  });
});

describe("the heartbeat of a run", () => {
  test("a run renews its ownership, and stops sending if another process takes over", async () => {
    const sandbox = await sandboxWith(["hang@notesx1"]);
    const { baseUrl, apiKey } = sandbox;
    const clock = fakeClock(Date.now());
    const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey, clock });
    const run = await recordedRun(context, "notes", noteRequests(2));
    const { journal } = context;
    const lastSign = () =>
      journal.read((rows) => rows.get("SELECT renewed_at AS at FROM run WHERE id = ?", run))?.at;
    const began = clock.now();
    const going = carryOut(context, run, { timeoutMs: 60_000, concurrency: 1 });
    await clock.untilSleeping(2);
    await passing(clock, clock.sleep(25_000));
    expect(Number(lastSign())).toBeGreaterThanOrEqual(began + 20_000);
    await journal.commit((rows) => rows.run("UPDATE run SET owner = 'another' WHERE id = ?", run));
    expect(await passing(clock, going)).toEqual({ kind: "stopped" });
    // The counts of another process stay.
    expect(readRun(context, run).state).toBe("stopped");
    expect(sandbox.ledger()).toEqual([]);
  });
});
