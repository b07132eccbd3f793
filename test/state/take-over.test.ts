import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDrafts } from "../../src/state/drafts.ts";
import { hasOldFiles } from "../../src/state/take-over.ts";
import { readUses, recentlyUsed } from "../../src/state/used.ts";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { openWatched } from "../../src/watch/record.ts";
import { stateIn } from "../helpers/state.ts";
import { freshFolder } from "../settings/settings-folder.ts";

const old = {
  id: "11111111-2222-3333-4444-555555555555",
  kind: "notes",
  profile: "acme-test",
  supplier: "ACME",
  account: "EXT-1",
  value: { values: { notes: [{ body: "half a sen" }] }, folded: [] },
  query: {},
  updatedAt: 5,
  refusals: [],
};

function setUp() {
  const folder = join(freshFolder().root, "state");
  mkdirSync(join(folder, "drafts"), { recursive: true, mode: 0o700 });
  const write = (name: string, value: unknown) => {
    const path = join(folder, name);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const drafts = async () => openDrafts(await stateIn(folder), () => 9).ofProfile("acme-test");
  return { folder, write, drafts };
}

describe("a draft of version 0.2.0", () => {
  test("is taken over as it was, and its file is removed", async () => {
    const { folder, write, drafts } = setUp();
    const path = write(`drafts/${old.id}.json`, old);
    expect(hasOldFiles(folder)).toBe(true);
    expect(await drafts()).toEqual([{ ...old, service: null }]);
    expect(existsSync(path)).toBe(false);
    expect(await drafts()).toEqual([{ ...old, service: null }]);
  });

  test("does not return after it was sent, if a killed process left its file", async () => {
    const { folder, write, drafts } = setUp();
    const path = write(`drafts/${old.id}.json`, old);
    openDrafts(await stateIn(folder), () => 9).remove(old.id);
    write(`drafts/${old.id}.json`, old);
    expect(await drafts()).toEqual([]);
    expect(existsSync(path)).toBe(false);
  });

  test("that version 0.2.0 changed afterwards is stored beside the one that was taken over", async () => {
    const { write, drafts } = setUp();
    write(`drafts/${old.id}.json`, old);
    await drafts();
    write(`drafts/${old.id}.json`, { ...old, account: "EXT-2", updatedAt: 6 });
    expect((await drafts()).map(({ account }) => account).toSorted()).toEqual(["EXT-1", "EXT-2"]);
  });

  test.each([
    ["cut short", '{"id": "', 0o600],
    ["of another shape", { id: "broken", kind: 4 }, 0o600],
    ["with another draft's id", old, 0o600],
    ["open to other users", { ...old, id: "broken" }, 0o644],
  ])("that is %s stays, and its path is reported", async (_, value, mode) => {
    const { folder, write } = setUp();
    write(`drafts/${old.id}.json`, old);
    const path = write("drafts/broken.json", value);
    chmodSync(path, mode);
    const before = readFileSync(path, "utf8");
    const state = await stateIn(folder);
    expect(state.unreadableFiles.map((one) => one.path)).toEqual([path]);
    expect(openDrafts(state, () => 9).ofProfile("acme-test")).toEqual([{ ...old, service: null }]);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("that is a link is not followed", async () => {
    const { folder, write } = setUp();
    const victim = write("victim", old);
    symlinkSync(victim, join(folder, "drafts", `${old.id}.json`));
    const state = await stateIn(folder);
    expect(state.unreadableFiles).toHaveLength(1);
    expect(openDrafts(state, () => 9).ofProfile("acme-test")).toEqual([]);
  });

  test("can be read where nothing can be stored, and its file stays", async () => {
    const { folder, write, drafts } = setUp();
    const path = write(`drafts/${old.id}.json`, old);
    write("state.sqlite", "");
    chmodSync(join(folder, "state.sqlite"), 0o644);
    expect(await drafts()).toEqual([{ ...old, service: null }]);
    expect(existsSync(path)).toBe(true);
  });
});

test("two processes that start at once take a draft over once", async () => {
  const { folder, write } = setUp();
  write(`drafts/${old.id}.json`, old);
  const states = await Promise.all([stateIn(folder), stateIn(folder), stateIn(folder)]);
  for (const state of states)
    expect(openDrafts(state, () => 9).ofProfile("acme-test")).toEqual([{ ...old, service: null }]);
});

test("the history of version 0.2.0 is taken over in its order, without its unreadable parts", async () => {
  const { folder, write } = setUp();
  const path = write("history.json", {
    places: { '["p","s"]': ["ACME/2", "ACME/1"], broken: 4 },
    filters: { accounts: ["newer", 5, "older"] },
    actions: ["reload"],
    tour: 3,
  });
  const uses = readUses(await stateIn(folder));
  expect(recentlyUsed(uses, "place", '["p","s"]')).toEqual(["ACME/2", "ACME/1"]);
  expect(recentlyUsed(uses, "filter", "accounts")).toEqual(["newer", "older"]);
  expect(recentlyUsed(uses, "action")).toEqual(["reload"]);
  expect(recentlyUsed(uses, "tour")).toEqual(["3"]);
  expect(existsSync(path)).toBe(false);
});

test("a damaged history of version 0.2.0 stays, and its path is reported", async () => {
  const { folder, write } = setUp();
  const path = write("history.json", "{ half");
  const state = await stateIn(folder);
  expect(state.unreadableFiles).toEqual([{ path, why: "it is not JSON" }]);
  expect(readUses(state)).toEqual([]);
  expect(readFileSync(path, "utf8")).toBe("{ half");
});

test("the watch lists of version 0.2.0 are taken over, without what a number cannot hold", async () => {
  const { folder, write } = setUp();
  const timeline = [{ state: "UNKNOWN", firstSeenAt: 2, lastSeenAt: 3 }];
  const one = { kind: "account", supplier: "ACME", number: "EXT-1", addedAt: 1, timeline };
  const lists = {
    '["p","s"]': [one, { ...one, number: "endless", addedAt: "endless" }, { ...one, kind: "?" }],
    '["p","t"]': [{ ...one, kind: "cohort", number: "wave-3" }],
  };
  const text = JSON.stringify({ lists });
  const path = write("watch.json", text.replace('"addedAt":"endless"', '"addedAt":1e999'));
  const state = await stateIn(folder);
  expect(openWatched(state, { profile: "p", service: "s" }).read()).toEqual([one]);
  expect(openWatched(state, { profile: "p", service: "t" }).read()).toHaveLength(1);
  expect(existsSync(path)).toBe(false);
});

describe("a cohort of version 0.2.0", () => {
  const source = "\ufeffid;no\n1;A\n";
  const described = {
    version: 1,
    name: "wave-3",
    import_supplier: "ACME",
    sha256: createHash("sha256").update(source).digest("hex"),
    rows: 1,
    accounts: 1,
    column: "no",
    format: "csv",
    created_at: "2026-11-20T12:00:00.000Z",
  };
  const store = (name: string, value: unknown = { ...described, name }) => {
    const { folder, write } = setUp();
    mkdirSync(join(folder, "cohorts", name), { recursive: true, mode: 0o700 });
    write(`cohorts/${name}/source`, source);
    write(`cohorts/${name}/cohort.json`, value);
    return { folder, write, path: join(folder, "cohorts", name) };
  };

  test("is taken over with the bytes of its list, and its folder is removed", async () => {
    const { folder } = store("wave-3");
    mkdirSync(join(folder, "cohorts", ".wave-4.1.part"));
    const [cohort] = await openCohorts(folder).list();
    expect(cohort).toEqual({
      name: "wave-3",
      supplier: "ACME",
      sha256: described.sha256,
      rows: 1,
      accounts: 1,
      column: "no",
      layout: "csv",
      createdAt: Date.parse(described.created_at),
    });
    const { numbers } = await openCohorts(folder).read("wave-3", "ACME");
    expect([...numbers.numbers()]).toEqual(["A"]);
    expect(existsSync(join(folder, "cohorts"))).toBe(false);
  });

  test("keeps its list although another one has its name", async () => {
    const { folder } = store("wave-3");
    const [first] = await openCohorts(folder).list();
    mkdirSync(join(folder, "cohorts", "wave-3"), { recursive: true });
    for (const [name, text] of [
      ["source", "B"],
      ["cohort.json", JSON.stringify({ ...described, sha256: "f".repeat(64) })],
    ] as const)
      writeFileSync(join(folder, "cohorts", "wave-3", name), text, { mode: 0o600 });
    const all = await openCohorts(folder).list();
    expect(all.map(({ name }) => name)).toEqual(["wave-3", "wave-3.ffffffff"]);
    expect(all[0]).toEqual(first);
  });

  test.each([
    ["not JSON", "{"],
    ["another shape", {}],
    ["another name", { ...described, name: "two" }],
    ["no count of rows", { ...described, rows: -2 }],
    ["an unknown format", { ...described, format: "xlsx" }],
    ["no time", { ...described, created_at: "never" }],
    ["a later version", { ...described, version: 2 }],
  ])("with a description that is %s stays, and its path is reported", async (_, value) => {
    const { folder, path } = store("wave-3", value);
    const state = await stateIn(folder);
    expect(state.unreadableFiles.map((one) => one.path)).toEqual([path]);
    expect(readFileSync(join(path, "source"), "utf8")).toBe(source);
  });

  test.each(["source", "cohort.json"])("without its %s stays", async (name) => {
    const { folder, path } = store("wave-3");
    rmSync(join(path, name));
    expect((await stateIn(folder)).unreadableFiles.map((one) => one.path)).toEqual([path]);
  });
});
