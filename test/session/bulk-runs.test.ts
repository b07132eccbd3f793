import { expect, it } from "vitest";
import type { RunEnd } from "../../src/bulk/progress.ts";
import { createBulkRuns, openRuns, type TurnOptions } from "../../src/session/bulk-runs.ts";
import { fakeClock } from "../helpers/clock.ts";

/** A run that goes on until it is told to stop, and then until `landed`. */
function work() {
  const landed = Promise.withResolvers<void>();
  let given: TurnOptions | null = null;
  return {
    landed,
    given: () => given,
    run: async (options: TurnOptions): Promise<RunEnd> => {
      given = options;
      const { stop, signal } = options;
      const cut = new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      await new Promise((resolve) => stop.addEventListener("abort", resolve));
      await Promise.race([landed.promise, cut]);
      return { kind: "stopped" };
    },
  };
}

it("told to stop, a run waits for what is in flight; told twice, it cuts that off", async () => {
  const runs = createBulkRuns(fakeClock());
  const first = work();
  const over = runs.start("r1", first.run);
  expect(runs.start("r1", first.run)).toBeNull();
  runs.stop("r1");
  expect(runs.turns.get().get("r1")).toMatchObject({ kind: "running", stopping: true });
  expect(first.given()?.signal.aborted).toBe(false);
  runs.stop("r1");
  expect(first.given()?.signal.aborted).toBe(true);
  expect(await over).toEqual({ kind: "over", end: { kind: "stopped" } });
  expect(openRuns(runs.turns.get())).toEqual([]);
});

it("what is being recorded ends at once: nothing of it is in flight", async () => {
  const runs = createBulkRuns(fakeClock());
  const over = runs.start("r1", async ({ signal, onRecorded }) => {
    onRecorded(500);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw signal.reason;
  });
  expect(runs.turns.get().get("r1")).toEqual({ kind: "recording", recorded: 500, stopping: false });
  runs.stop("r1");
  expect(await over).toMatchObject({ kind: "failed" });
});

it("a session that is left waits for what is in flight, but no longer than it has patience", async () => {
  const clock = fakeClock();
  const runs = createBulkRuns(clock);
  const quick = work();
  const stuck = work();
  runs.start("quick", quick.run);
  runs.start("stuck", stuck.run);
  const ended = runs.end(5_000);
  quick.landed.resolve();
  await clock.untilSleeping();
  await clock.advance(4_999);
  expect(openRuns(runs.turns.get())).toEqual(["stuck"]);
  expect(stuck.given()?.signal.aborted).toBe(false);
  await clock.advance(1);
  await ended;
  expect(openRuns(runs.turns.get())).toEqual([]);
  expect(quick.given()?.signal.aborted).toBe(false);
});

it("a session that is left does not wait for a run that never ends", async () => {
  const clock = fakeClock();
  const runs = createBulkRuns(clock);
  runs.start("deaf", () => new Promise(() => {}));
  const ended = runs.end(5_000);
  await clock.untilSleeping();
  await clock.advance(10_000);
  await ended;
  expect(openRuns(runs.turns.get())).toEqual(["deaf"]);
});

it("a session that is left waits no longer than its runs take", async () => {
  const clock = fakeClock();
  const runs = createBulkRuns(clock);
  const quick = work();
  runs.start("quick", quick.run);
  const ended = runs.end(5_000);
  quick.landed.resolve();
  await ended;
  expect(clock.pending()).toBe(0);
  expect(quick.given()?.signal.aborted).toBe(false);
});
