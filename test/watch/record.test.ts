import { join } from "node:path";
import { expect, test } from "vitest";
import { openWatched } from "../../src/watch/record.ts";
import type { StoredWatch } from "../../src/watch/timeline.ts";
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
