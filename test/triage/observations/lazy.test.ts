/** Promise: a list is recorded, and what is stored is read, whenever the observations come to be opened. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Recorded } from "../../../src/triage/observations/observations.ts";
import { lazyObservations } from "../../../src/triage/observations/open-observations.ts";
import { observationsKind } from "../../../src/triage/observations/schema.ts";
import { batchOf } from "../../accounts/rows.ts";
import { fakeClock } from "../../helpers/clock.ts";

function lazy(recording: Parameters<typeof lazyObservations>[0]["recording"]) {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-lazy-"));
  const clock = fakeClock();
  const loads: (readonly [string, Recorded])[] = [];
  const observations = lazyObservations({
    place: { folder },
    origin: "https://service.example",
    clock,
    recording,
    onRecorded: (supplier, recorded) => void loads.push([supplier, recorded]),
  });
  onTestFinished(async () => {
    await observations.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const hasFile = () => existsSync(join(folder, observationsKind.file));
  return { observations, clock, loads, hasFile };
}

const on = async () => ({ isRecording: true, problem: null });

test("rows that arrive before the observations are open are recorded", async () => {
  const gate = Promise.withResolvers<{ isRecording: boolean; problem: null }>();
  const { observations, clock, loads } = lazy(() => gate.promise);
  const recorder = observations.begin("ACME", clock.now());
  const hasRoom = recorder.take(batchOf([["EXT-1"], ["EXT-2", "A-2"]]));
  const finished = recorder.finish();
  expect(loads).toEqual([]);
  gate.resolve({ isRecording: true, problem: null });
  await hasRoom;
  expect(await finished).toMatchObject({ kind: "recorded", first: true });
  expect(await observations.summary("ACME", clock.now())).toMatchObject({
    pending: 1,
    imported: 1,
  });
});

test("a load that is finished twice is recorded and reported once", async () => {
  const { observations, clock, loads } = lazy(on);
  const recorder = observations.begin("ACME", clock.now());
  recorder.take(batchOf([["EXT-1"]]));
  const [one, other] = await Promise.all([recorder.finish(), recorder.finish()]);
  recorder.discard();
  expect(other).toBe(one);
  expect(loads).toEqual([["ACME", one]]);
  expect((await observations.stored()).map((stored) => stored.observations)).toEqual([1]);
});

test("a load that is discarded before the observations are open leaves nothing", async () => {
  const gate = Promise.withResolvers<{ isRecording: boolean; problem: null }>();
  const { observations, clock, loads } = lazy(() => gate.promise);
  const recorder = observations.begin("ACME", clock.now());
  recorder.take(batchOf([["EXT-1"]]));
  recorder.discard();
  gate.resolve({ isRecording: true, problem: null });
  expect(await observations.summary("ACME", clock.now())).toBeNull();
  expect(loads).toEqual([]);
});

test("reading makes no file", async () => {
  const { observations, clock, hasFile } = lazy(on);
  expect([
    await observations.ages("ACME"),
    await observations.summary("ACME", clock.now()),
    await observations.stored(),
    await observations.counts("ACME", null),
    await Array.fromAsync(observations.changePages("ACME", null)),
    await observations.purge("all"),
    await observations.confirm("ACME"),
  ]).toEqual([null, null, [], [], [], 0, false]);
  expect(hasFile()).toBe(false);
});

test("preferences that cannot be read record nothing, and every load has the reason", async () => {
  const { observations, clock, hasFile } = lazy(async () => ({
    isRecording: false,
    problem: "preferences.json is damaged",
  }));
  const recorder = observations.begin("ACME", clock.now());
  recorder.take(batchOf([["EXT-1"]]));
  expect(await recorder.finish()).toMatchObject({
    kind: "off",
    why: "preferences.json is damaged",
    comparison: { kind: "recorded" },
  });
  expect(observations.problem()).toBe("preferences.json is damaged");
  expect(hasFile()).toBe(false);
});

test("if opening fails, the load ends with the reason and the next call tries again", async () => {
  let tries = 0;
  const { observations, clock, loads } = lazy(async () => {
    tries += 1;
    if (tries === 1) throw new Error("the disk is busy");
    return { isRecording: true, problem: null };
  });
  const recorder = observations.begin("ACME", clock.now());
  recorder.take(batchOf([["EXT-1"]]));
  expect(await recorder.finish()).toMatchObject({
    kind: "off",
    why: "the disk is busy",
    comparison: null,
  });
  expect(loads).toHaveLength(1);
  const again = observations.begin("ACME", clock.now());
  again.take(batchOf([["EXT-1"]]));
  expect(await again.finish()).toMatchObject({ kind: "recorded" });
});

test("closed observations answer nothing and record nothing", async () => {
  const { observations, clock } = lazy(on);
  await observations.close();
  const recorder = observations.begin("ACME", clock.now());
  expect(recorder.take(batchOf([["EXT-1"]]))).not.toBeUndefined();
  expect(await recorder.finish()).toMatchObject({ kind: "off", comparison: null });
  observations.saw(
    { kind: "account", supplier: "ACME", number: "EXT-1" },
    "COMPLETED",
    clock.now(),
  );
});
