import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { SavedDraft } from "../../src/state/drafts.ts";
import { draftService, newDraftId, openDrafts } from "../../src/state/drafts.ts";
import { memoryState, stateIn } from "../helpers/state.ts";
import { freshFolder, modeOf, thrownBy } from "../settings/settings-folder.ts";

function draft(more: Partial<SavedDraft> = {}): SavedDraft {
  return {
    id: newDraftId(),
    kind: "notes",
    profile: "acme-test",
    service: "https://api.example.com",
    supplier: "ACME",
    account: "EXT-1",
    value: { values: { notes: [{ body: "half a sen" }] }, folded: [] },
    query: {},
    updatedAt: 0,
    refusals: [],
    ...more,
  };
}

function setUp(state = memoryState()) {
  let now = 1_000;
  return openDrafts(state, () => ++now);
}

describe("a draft", () => {
  test("comes back as it was, with the time it was saved", async () => {
    const folder = join(freshFolder().root, "state");
    const one = draft({ query: { check_previously_added: false } });
    setUp(await stateIn(folder)).save(one);
    expect(openDrafts(await stateIn(folder), () => 5).find(one.id)).toEqual({
      ...one,
      updatedAt: 1_001,
    });
    expect([folder, join(folder, "state.sqlite")].map(modeOf)).toEqual(["700", "600"]);
  });

  test("is replaced by the next save, and each version has a later time", () => {
    const drafts = openDrafts(memoryState(), () => 7);
    const first = drafts.save(draft()).draft;
    const refusals = [{ path: ["notes", 0, "body"], message: "too short" }];
    const second = drafts.save({ ...first, refusals }).draft;
    expect(drafts.ofProfile("acme-test")).toEqual([{ ...first, refusals, updatedAt: 8 }]);
    expect(second.updatedAt).toBe(8);
  });

  test("that another console saved meanwhile becomes a separate draft at the next save", async () => {
    const folder = join(freshFolder().root, "state");
    const [mine, theirs] = [setUp(await stateIn(folder)), setUp(await stateIn(folder))];
    const seen = mine.save(draft()).draft;
    theirs.save({ ...seen, account: "THEIRS" });
    const saved = mine.save({ ...seen, account: "MINE" });
    expect(saved.isOtherSeparated).toBe(true);
    expect(mine.find(seen.id)?.account).toBe("MINE");
    expect(mine.ofProfile("acme-test").map(({ account }) => account)).toEqual(
      expect.arrayContaining(["MINE", "THEIRS"]),
    );
    expect(mine.save(saved.draft).isOtherSeparated).toBe(false);
  });

  test("that another console saved meanwhile is not removed with the version that was seen", () => {
    const drafts = setUp();
    const seen = drafts.save(draft()).draft;
    drafts.save({ ...seen, account: "THEIRS" });
    drafts.remove(seen.id, seen);
    expect(drafts.find(seen.id)).toBeNull();
    expect(drafts.ofProfile("acme-test").map(({ account }) => account)).toEqual(["THEIRS"]);
  });

  test("no longer exists once it is removed; removing it again is no error", () => {
    const drafts = setUp();
    const one = drafts.save(draft()).draft;
    drafts.remove(one.id);
    drafts.remove(one.id);
    expect(drafts.find(one.id)).toBeNull();
    expect(drafts.ofProfile("acme-test")).toEqual([]);
  });

  test("that cannot be written is in memory, and the save reports why", async () => {
    const folder = join(freshFolder().root, "state");
    const stored = setUp(await stateIn(folder)).save(draft({ account: "STORED" })).draft;
    chmodSync(join(folder, "state.sqlite"), 0o644);
    const state = await stateIn(folder);
    const drafts = setUp(state);
    const one = draft();
    expect(await thrownBy(() => drafts.save(one))).toMatchObject({
      kind: "unwritable",
      facts: { fix: expect.stringMatching(/^chmod 600/) },
    });
    expect(() => drafts.save({ ...one, account: "LATER" })).toThrow(state.problem ?? "");
    expect(drafts.find(one.id)).toMatchObject({ value: one.value, account: "LATER" });
    expect(drafts.ofProfile("acme-test")).toHaveLength(1);
    chmodSync(join(folder, "state.sqlite"), 0o600);
    expect(setUp(await stateIn(folder)).ofProfile("acme-test")).toEqual([stored]);
  });
});

describe("the drafts of a profile", () => {
  test("are listed with the latest first, those of other profiles left out", () => {
    const drafts = setUp();
    const [first, second, other] = [draft(), draft(), draft({ profile: "acme-prod" })];
    const [saved] = [first, second, other].map((one) => drafts.save(one).draft);
    expect(drafts.ofProfile("acme-test").map(({ id }) => id)).toEqual([second.id, first.id]);
    drafts.save(saved as SavedDraft);
    expect(drafts.ofProfile("acme-test").map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test("are none where nothing was ever kept", () => {
    expect(setUp().ofProfile("acme-test")).toEqual([]);
  });
});

test("a draft is offered only at the service that it was written for", () => {
  const drafts = openDrafts(memoryState(), Date.now);
  const [a, b] = ["https://a.example", "https://b.example"];
  const save = (name: string, baseUrl: string | null) =>
    drafts.save(draft({ profile: name, service: draftService({ baseUrl }) })).draft.id;
  const offered = (name: string, baseUrl: string | null) =>
    drafts.list({ name, baseUrl }).map(({ id }) => id);
  // The profile of the environment, a profile whose address was edited, and the sandbox.
  for (const name of ["ad-hoc", "live"]) {
    const [ofA, ofB] = [save(name, a), save(name, b)];
    expect(offered(name, a)).toEqual([ofA]);
    expect(offered(name, `${b}/`)).toEqual([ofB]);
    expect(offered(name, "https://c.example")).toEqual([]);
    expect(drafts.ofProfile(name)).toHaveLength(2);
  }
  expect(offered("sandbox", null)).toEqual([]);
  const embedded = save("sandbox", null);
  expect(offered("sandbox", null)).toEqual([embedded]);
});

test("a draft without a service is offered to a stored profile, and never lost", () => {
  const drafts = openDrafts(memoryState(), Date.now);
  for (const profile of ["live", "ad-hoc"]) drafts.save(draft({ profile, service: null }));
  expect(drafts.list({ name: "live", baseUrl: "https://a.example" })).toHaveLength(1);
  expect(drafts.list({ name: "ad-hoc", baseUrl: "https://a.example" })).toEqual([]);
  expect(drafts.ofProfile("ad-hoc")).toHaveLength(1);
});
