/** Promise: what a list shows beside the lists before it is known, whether it can be stored or not. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { comparisonIn, type Observations } from "../../../src/triage/observations/observations.ts";
import { openObservations } from "../../../src/triage/observations/open-observations.ts";
import { observationsKind } from "../../../src/triage/observations/schema.ts";
import { batchOf, type Row } from "../../accounts/rows.ts";
import { type FakeClock, fakeClock } from "../../helpers/clock.ts";
import { openSmallDisk } from "../../helpers/small-disk.ts";

const origin = "https://service.example";
const hour = 3_600_000;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-unstored-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** One process; a list comes an hour after the one before. */
async function openProcess(folder: string | null, clock: FakeClock, recording: boolean) {
  const observations = await openObservations({ folder, origin, clock, recording });
  onTestFinished(() => observations.close());
  const observe = async (...rows: Row[]) => {
    await clock.advance(hour);
    const recorder = observations.begin("ACME", clock.now());
    for (let from = 0; from < rows.length; from += 1_000) {
      await recorder.take(batchOf(rows.slice(from, from + 1_000)));
    }
    return recorder.finish();
  };
  return { observations, observe };
}

/** Numbers that are gone, and the hours since each of the others is pending. */
async function known(observations: Observations, clock: FakeClock, ...numbers: string[]) {
  const ages = await observations.ages("ACME");
  if (ages === null) return null;
  const hours = (number: string) => (clock.now() - ages.pendingSince(ages.rowOf(number))) / hour;
  return {
    gone: [...ages.gone()].map(({ external }) => external),
    pending: Object.fromEntries(numbers.map((number) => [number, hours(number)])),
  };
}

const many = (count: number): Row[] => Array.from({ length: count }, (_, at): Row => [`M-${at}`]);

describe.each([
  ["a few accounts", 0],
  ["more accounts than this thread compares", 11_000],
])("with recording off, of %s", (_, size) => {
  test("ages, changes and gone accounts come from what is stored and the lists at hand", async () => {
    const folder = temporaryFolder();
    const clock = fakeClock();
    const before = await openProcess(folder, clock, true);
    await before.observe(["OLD"], ["LOST"], ...many(size));
    await before.observations.close();
    const file = readFileSync(join(folder, observationsKind.file));
    const { observations, observe } = await openProcess(folder, clock, false);
    expect(await observe(["OLD"], ["NEW"], ...many(size))).toMatchObject({
      kind: "off",
      why: null,
      storedAt: clock.now() - hour,
      comparison: { kind: "recorded", changes: 2 },
    });
    expect(await known(observations, clock, "OLD", "NEW")).toEqual({
      gone: ["LOST"],
      pending: { OLD: 1, NEW: 0 },
    });
    await observe(["OLD"], ["LOST", "A-1"], ...many(size));
    expect(await known(observations, clock, "OLD")).toEqual({ gone: ["NEW"], pending: { OLD: 2 } });
    expect(await observations.summary("ACME", clock.now())).toMatchObject({
      pending: size + 1,
      imported: 1,
      gone: 1,
      oldestPendingSince: clock.now() - 2 * hour,
    });
    const changes = await observations.changes("ACME", null);
    expect(changes.map(({ external, change }) => `${external} ${change}`).toSorted()).toEqual([
      ...["LOST gone", "LOST imported", "NEW gone", "NEW staged"],
    ]);
    await observations.close();
    expect(readFileSync(join(folder, observationsKind.file)).equals(file)).toBe(true);
  });
});

test("a list that another process has stored since is what the next one is compared with", async () => {
  const folder = temporaryFolder();
  const clock = fakeClock();
  const storing = await openProcess(folder, clock, true);
  await storing.observe(["A"]);
  const { observations, observe } = await openProcess(folder, clock, false);
  await observe(["A"], ["B"]);
  await storing.observe(["A"], ["C"]);
  expect(await known(observations, clock, "A", "C")).toEqual({ gone: [], pending: { A: 2, C: 0 } });
  await observe(["A"]);
  expect(await known(observations, clock, "A")).toEqual({ gone: ["C"], pending: { A: 3 } });
});

test("a list that lost too much is held back, and shows nothing as gone", async () => {
  const folder = temporaryFolder();
  const clock = fakeClock();
  const storing = await openProcess(folder, clock, true);
  await storing.observe(...many(101));
  const { observations, observe } = await openProcess(folder, clock, false);
  const recorded = await observe(["M-1"]);
  expect(comparisonIn(recorded)).toEqual({ kind: "held-back", before: 101, now: 1 });
  expect((await known(observations, clock))?.gone).toEqual([]);
  expect((await observations.summary("ACME", clock.now()))?.heldBack).toMatchObject({ now: 1 });
});

test("without a stored list nothing is known after the first, and what the second shows is", async () => {
  const clock = fakeClock();
  const { observations, observe } = await openProcess(null, clock, false);
  expect(await observe(["A"], ["B"])).toMatchObject({
    kind: "off",
    storedAt: null,
    comparison: { kind: "recorded", first: true },
  });
  expect(await known(observations, clock)).toBeNull();
  expect(await observations.summary("ACME", clock.now())).toBeNull();
  await observe(["A"]);
  expect(await known(observations, clock, "A")).toEqual({ gone: ["B"], pending: { A: 1 } });
});

test("on a full disk, the list that could not be stored is known", async (context) => {
  using disk = openSmallDisk();
  if (disk === null) return context.skip();
  const clock = fakeClock();
  const { observations, observe } = await openProcess(disk.path, clock, true);
  await observe(["A"], ["LOST"]);
  disk.fill();
  const wide = Array.from({ length: 2_000 }, (_, at): Row => [`E-${at}`, `A-${at * 7_919}`]);
  expect(await observe(["A"], ...wide)).toMatchObject({
    kind: "off",
    why: expect.stringMatching(/no space left/),
    storedAt: clock.now() - hour,
  });
  expect(await known(observations, clock, "A")).toEqual({ gone: ["LOST"], pending: { A: 1 } });
  await observe(["A"], ["LOST"], ...wide);
  expect((await known(observations, clock))?.gone).toEqual([]);
  await observations.close();
});

test("with emptied blocks: one problem, and the lists of this process are compared with each other", async () => {
  const folder = temporaryFolder();
  const clock = fakeClock();
  const before = await openProcess(folder, clock, true);
  await before.observe(["A"], ["B"]);
  await before.observations.close();
  const database = new DatabaseSync(join(folder, observationsKind.file));
  database.exec("UPDATE snapshot SET bytes = x''");
  database.close();
  const { observations, observe } = await openProcess(folder, clock, true);
  const words = /is damaged .*Move it away/;
  expect(await observe(["A"], ["C"])).toMatchObject({
    kind: "off",
    why: expect.stringMatching(words),
    storedAt: null,
  });
  await expect(observations.ages("ACME")).rejects.toThrow(words);
  await observe(["A"]);
  expect(await known(observations, clock, "A")).toEqual({ gone: ["C"], pending: { A: 1 } });
});
