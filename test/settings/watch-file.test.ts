import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openWatchFile, type StoredWatchState } from "../../src/settings/watch-file.ts";
import { freshFolder, inOtherProcess, modeOf, thrownBy } from "./settings-folder.ts";

const watched = (number: string): StoredWatchState => ({
  kind: "account",
  supplier: "ACME",
  number,
  addedAt: 1,
  timeline: [{ state: "UNKNOWN", firstSeenAt: 2, lastSeenAt: 3 }],
});

function setUp() {
  const stateDir = join(freshFolder().root, "state");
  const open = (profile = "test", service = "https://one.example") =>
    openWatchFile({ stateDir, profile, service });
  const path = join(stateDir, "watch.json");
  const add = (file: ReturnType<typeof open>, number: string) =>
    file.change((kept) => [...kept, watched(number)]);
  return { stateDir, path, open, add };
}

const moduleUrl = new URL("../../src/settings/watch-file.ts", import.meta.url).href;

describe("the watch list on disk", () => {
  test("comes back as it was kept, for its owner alone", () => {
    const { stateDir, path, open, add } = setUp();
    expect(open().read()).toEqual([]);
    expect(add(open(), "EXT-1")).toEqual([watched("EXT-1")]);
    expect(open().read()).toEqual([watched("EXT-1")]);
    expect([modeOf(stateDir), modeOf(path)]).toEqual(["700", "600"]);
  });

  test("has as many entries after a change as before, also with a time that no number can hold", () => {
    const { path, open, add } = setUp();
    add(open(), "EXT-1");
    add(open(), "EXT-2");
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      text
        .replace('"addedAt": 1,', '"addedAt": 1e999,')
        .replace('"addedAt":1,', '"addedAt":1e999,'),
    );
    expect(open().read()).toEqual([watched("EXT-2")]);
    add(open(), "EXT-3");
    expect(open().read()).toEqual([watched("EXT-2"), watched("EXT-3")]);
  });

  test("is another one for every profile, and for another service behind the same profile", () => {
    const { open, add } = setUp();
    add(open(), "EXT-1");
    add(open("prod"), "EXT-2");
    expect(open("prod").read()).toEqual([watched("EXT-2")]);
    expect(open("test", "https://two.example").read()).toEqual([]);
    open("prod").change(() => []);
    expect(open().read()).toEqual([watched("EXT-1")]);
  });

  test("loses nothing when several processes change it at the same time", async () => {
    const { stateDir, open } = setUp();
    const body = (name: string) => `
      const { openWatchFile } = await import(${JSON.stringify(moduleUrl)});
      const file = openWatchFile({ stateDir: folder, profile: "test", service: "https://one.example" });
      for (let n = 0; n < 15; n++) file.change((kept) => [...kept, {
        kind: "account", supplier: "ACME", number: "${name}" + n, addedAt: 1, timeline: [] }]);`;
    await Promise.all(["A", "B", "C"].map((name) => inOtherProcess(stateDir, body(name))));
    expect(
      new Set(
        open()
          .read()
          .map(({ number }) => number),
      ).size,
    ).toBe(45);
  });

  test("leaves alone what it cannot read, which a later version may have written", () => {
    const { path, open, add } = setUp();
    add(open(), "EXT-1");
    const kept = JSON.parse(readFileSync(path, "utf8"));
    const [list] = Object.values<unknown[]>(kept.lists);
    list?.push({ kind: "portfolio", supplier: "ACME" });
    writeFileSync(path, JSON.stringify({ ...kept, later: true }));
    expect(open().read()).toEqual([watched("EXT-1")]);
    add(open(), "EXT-2");
    expect(
      open()
        .read()
        .map(({ number }) => number),
    ).toEqual(["EXT-1", "EXT-2"]);
    expect(readFileSync(path, "utf8")).toContain("portfolio");
    expect(JSON.parse(readFileSync(path, "utf8")).later).toBe(true);
  });

  test("that is no JSON, or open to others, is reported and left as it is", async () => {
    const { path, open, add } = setUp();
    add(open(), "EXT-1");
    chmodSync(path, 0o644);
    expect(await thrownBy(() => open().read())).toMatchObject({ kind: "exposed" });
    chmodSync(path, 0o600);
    writeFileSync(path, "{ cut");
    expect(await thrownBy(() => add(open(), "EXT-2"))).toMatchObject({ kind: "corrupt" });
    expect(readFileSync(path, "utf8")).toBe("{ cut");
  });
});
