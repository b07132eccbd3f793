import { join } from "node:path";
import { openWatched } from "../../src/watch/record.ts";
import { cohortState, finalityOf, progressIn, type StoredWatch } from "../../src/watch/timeline.ts";
import { stateIn, storeWatched } from "../helpers/state.ts";
import { freshFolder, inOtherProcess } from "../settings/settings-folder.ts";

const watched = (number: string): StoredWatch => ({
  kind: "account",
  supplier: "ACME",
  number,
  addedAt: 1,
  timeline: [{ state: "UNKNOWN", firstSeenAt: 2, lastSeenAt: 3 }],
});

const owner = { profile: "test", service: "https://one.example" };
const freshState = () => join(freshFolder().root, "state");

test("a watch list comes back as it was stored", async () => {
  const folder = freshState();
  expect((await storeWatched(folder, owner, [watched("EXT-1")])).read()).toEqual([
    watched("EXT-1"),
  ]);
  expect(openWatched(await stateIn(folder), owner).read()).toEqual([watched("EXT-1")]);
});

test("a watch list belongs to one profile at one service", async () => {
  const folder = freshState();
  await storeWatched(folder, owner, [watched("EXT-1")]);
  const prod = await storeWatched(folder, { ...owner, profile: "prod" }, [watched("EXT-2")]);
  expect(prod.read()).toEqual([watched("EXT-2")]);
  const moved = { ...owner, service: "https://two.example" };
  expect(openWatched(await stateIn(folder), moved).read()).toEqual([]);
  prod.change({ removed: [watched("EXT-1"), watched("EXT-2")], added: [], seen: [] });
  expect(prod.read()).toEqual([]);
  expect(openWatched(await stateIn(folder), owner).read()).toEqual([watched("EXT-1")]);
});

test("several processes that change a watch list at the same time lose nothing", async () => {
  const folder = freshState();
  const urlOf = (path: string) =>
    JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
  const body = (name: string) => `
    const { openState } = await import(${urlOf("state/open-state.ts")});
    const { openWatched } = await import(${urlOf("watch/record.ts")});
    const record = openWatched(await openState(folder), ${JSON.stringify(owner)});
    for (let n = 0; n < 15; n++) record.change({ removed: [], seen: [], added: [{
      kind: "account", supplier: "ACME", number: "${name}" + n, addedAt: 1, timeline: [] }] });`;
  await Promise.all(["A", "B", "C"].map((name) => inOtherProcess(folder, body(name))));
  const list = openWatched(await stateIn(folder), owner).read();
  expect(new Set(list.map(({ number }) => number)).size).toBe(45);
});

const cohort = (...timeline: StoredWatch["timeline"]): StoredWatch => ({
  ...watched("wave-3"),
  kind: "cohort",
  timeline,
});

test("the progress of a cohort is stored as figures, and each change of them is stored", async () => {
  const folder = freshState();
  const steps = [
    { done: 2, open: 3, failed: 0 },
    { done: 3, open: 2, failed: 0 },
    { done: 3, open: 1, failed: 1 },
    { done: 4, open: 0, failed: 1 },
  ];
  const record = await storeWatched(folder, owner, [cohort()]);
  for (const [at, figures] of steps.entries()) {
    const state = { ...cohortState(figures), firstSeenAt: at, lastSeenAt: at };
    record.change({ added: [], removed: [], seen: [cohort(state)] });
    expect(record.read().map(({ timeline }) => progressIn(timeline))).toEqual([figures]);
  }
  const words = (await stateIn(folder)).read((rows) => rows.all("SELECT timeline FROM watched"));
  expect(JSON.stringify(words)).not.toContain("done,");
});

test.each([
  ["2 done, 3 open, 0 failed", { done: 2, open: 3, failed: 0 }, "open"],
  ["5 done, 0 open, 0 failed", { done: 5, open: 0, failed: 0 }, "reached"],
  ["4 done, 0 open, 1 failed", { done: 4, open: 0, failed: 1 }, "ended"],
])(
  "version 0.3.0's text %s is read as figures, and is stored as figures with the next check",
  async (state, figures, finality) => {
    const folder = freshState();
    const record = await storeWatched(folder, owner, [
      cohort({ state, firstSeenAt: 1, lastSeenAt: 1 }),
    ]);
    const [read] = record.read();
    expect(progressIn(read?.timeline ?? [])).toEqual(figures);
    expect(finalityOf("cohort", read?.timeline ?? [])).toBe(finality);
    const next = { done: 9, open: 0, failed: 0 };
    const later = { ...cohortState(next), firstSeenAt: 2, lastSeenAt: 2 };
    record.change({ added: [], removed: [], seen: [cohort(...(read?.timeline ?? []), later)] });
    expect(record.read()[0]?.timeline.map(({ progress }) => progress)).toEqual([figures, next]);
    const stored = (await stateIn(folder)).read((rows) => rows.all("SELECT timeline FROM watched"));
    expect(JSON.stringify(stored)).not.toContain("done,");
  },
);
