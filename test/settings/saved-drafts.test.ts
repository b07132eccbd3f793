import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SavedDraft } from "../../src/settings/saved-drafts.ts";
import { newDraftId, openDrafts } from "../../src/settings/saved-drafts.ts";
import { freshFolder, modeOf, thrownBy } from "./settings-folder.ts";

function draft(more: Partial<SavedDraft> = {}): SavedDraft {
  return {
    id: newDraftId(),
    kind: "notes",
    profile: "acme-test",
    supplier: "ACME",
    account: "EXT-1",
    value: { values: { notes: [{ body: "half a sen" }] }, folded: [] },
    query: {},
    updatedAt: 0,
    refusals: [],
    ...more,
  };
}

function setUp() {
  const stateDir = join(freshFolder().root, "state");
  let now = 1_000;
  const tick = () => ++now;
  return {
    stateDir,
    folder: join(stateDir, "drafts"),
    drafts: openDrafts({ stateDir, now: tick }),
  };
}

describe("a draft", () => {
  test("comes back as it was, with the time it was saved", () => {
    const { stateDir, drafts } = setUp();
    const one = draft({ query: { check_previously_added: false } });
    drafts.save(one);
    const later = openDrafts({ stateDir, now: () => 5 });
    expect(later.find(one.id)).toEqual({ ...one, updatedAt: 1_001 });
  });

  test("is replaced whole by the next save, and nothing is left beside it", () => {
    const { folder, drafts } = setUp();
    const one = draft();
    drafts.save(one);
    drafts.save({ ...one, refusals: [{ path: ["notes", 0, "body"], message: "too short" }] });
    expect(readdirSync(folder)).toEqual([`${one.id}.json`]);
    expect(drafts.find(one.id)?.refusals).toEqual([
      { path: ["notes", 0, "body"], message: "too short" },
    ]);
  });

  test("is for its owner alone, file and folders, whatever the umask", () => {
    const { stateDir, folder, drafts } = setUp();
    const before = process.umask(0);
    const one = draft();
    drafts.save(one);
    process.umask(before);
    expect([stateDir, folder, join(folder, `${one.id}.json`)].map(modeOf)).toEqual([
      "700",
      "700",
      "600",
    ]);
  });

  test("no longer exists once it is removed; removing it again is no error", () => {
    const { drafts } = setUp();
    const one = draft();
    drafts.save(one);
    drafts.remove(one.id);
    drafts.remove(one.id);
    expect(drafts.find(one.id)).toBeNull();
    expect(drafts.list("acme-test")).toEqual([]);
  });

  test("cannot have an id that leads out of the folder", async () => {
    const { drafts } = setUp();
    expect(await thrownBy(() => drafts.save(draft({ id: "../elsewhere" })))).toMatchObject({
      kind: "invalid",
    });
    expect(drafts.find("../elsewhere")).toBeNull();
  });

  test("that cannot be written is said to be unwritable, and the earlier text stays", async () => {
    const { folder, drafts } = setUp();
    const one = draft();
    drafts.save(one);
    chmodSync(folder, 0o755);
    expect(await thrownBy(() => drafts.save({ ...one, account: "EXT-2" }))).toMatchObject({
      kind: "unwritable",
    });
    expect(readFileSync(join(folder, `${one.id}.json`), "utf8")).toContain("EXT-1");
  });
});

describe("the drafts of a profile", () => {
  test("are listed with the latest first, those of other profiles left out", () => {
    const { drafts } = setUp();
    const [first, second, other] = [draft(), draft(), draft({ profile: "acme-prod" })];
    for (const one of [first, second, other]) drafts.save(one);
    expect(drafts.list("acme-test").map(({ id }) => id)).toEqual([second.id, first.id]);
    drafts.save(first);
    expect(drafts.list("acme-test").map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test("are none where nothing was ever kept", () => {
    expect(setUp().drafts.list("acme-test")).toEqual([]);
  });

  test.each([
    ["cut short", '{"id": "', 0o600],
    ["of another shape", '{"id": "broken", "kind": 4}', 0o600],
    ["under another draft's id", JSON.stringify(draft()), 0o600],
    ["open to others", JSON.stringify(draft({ id: "broken" })), 0o644],
  ])("leave out a file that is %s, and leave it alone", (_, text, mode) => {
    const { stateDir, folder, drafts } = setUp();
    const good = draft();
    mkdirSync(stateDir, { mode: 0o700 });
    drafts.save(good);
    const path = join(folder, "broken.json");
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
    expect(drafts.list("acme-test").map(({ id }) => id)).toEqual([good.id]);
    expect(drafts.find("broken")).toBeNull();
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});
