import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newDraftId, openDrafts, type SavedDraft } from "../../src/state/drafts.ts";
import { openState, withState } from "../../src/state/open-state.ts";
import { openSmallDisk } from "../helpers/small-disk.ts";
import { stateIn } from "../helpers/state.ts";
import { freshFolder } from "../settings/settings-folder.ts";

const draft = (body: string): SavedDraft => ({
  id: newDraftId(),
  kind: "notes",
  profile: "acme-test",
  service: "https://api.example.com",
  supplier: "ACME",
  account: "EXT-1",
  value: { values: { notes: [{ body }] }, folded: [] },
  query: {},
  updatedAt: 0,
  refusals: [],
});

test("a damaged state file is left as it is, with the command that moves it away", async () => {
  const folder = join(freshFolder().root, "state");
  const path = join(folder, "state.sqlite");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(path, "no database ".repeat(500), { mode: 0o600 });
  const before = readFileSync(path, "utf8");
  const state = await stateIn(folder);
  expect(state.problem).toMatchObject({
    kind: "unwritable",
    facts: { fix: expect.stringMatching(/^mv \S*state\.sqlite /) },
  });
  expect(() => openDrafts(state, () => 1).save(draft("typed"))).toThrow(state.problem ?? "");
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("a state file that was moved away is not written to", async () => {
  const folder = join(freshFolder().root, "state");
  const state = await stateIn(folder);
  const path = join(folder, "state.sqlite");
  renameSync(path, `${path}.elsewhere`);
  expect(() => openDrafts(state, () => 1).save(draft("typed"))).toThrow(
    expect.objectContaining({ kind: "unwritable", message: expect.stringContaining("moved") }),
  );
});

test("a commit that fails changes nothing", async () => {
  const state = await stateIn(join(freshFolder().root, "state"));
  const failing = () =>
    state.commit((rows) => {
      rows.insert("used", { list: "file", owner: "", value: "/a.csv" });
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  expect(state.read((rows) => rows.number("SELECT count(*) FROM used"))).toBe(0);
});

test("a command that only reads makes no state file", async () => {
  const folder = join(freshFolder().root, "state");
  expect(await withState(folder, () => 1)).toBeNull();
  expect(existsSync(folder)).toBe(false);
});

const disk = openSmallDisk();
test.skipIf(disk === null)("a full or read-only disk stores no draft, and says why", async () => {
  using small = disk as NonNullable<typeof disk>;
  const folder = join(small.path, "state");
  const state = await openState(folder);
  const drafts = openDrafts(state, () => 1);
  const first = drafts.save(draft("typed before")).draft;
  expect(() => drafts.save(draft("x".repeat(4_000_000)))).toThrow(
    expect.objectContaining({ kind: "unwritable", message: expect.stringContaining("no space") }),
  );
  expect(drafts.ofProfile("acme-test")).toEqual([first]);
  state.close();
  small.makeReadOnly();
  const later = await openState(folder);
  expect(later.problem?.message).toContain("read-only");
  expect(openDrafts(later, () => 1).ofProfile("acme-test")).toEqual([first]);
  expect(() => openDrafts(later, () => 1).save({ ...first, account: "EXT-2" })).toThrow(
    expect.objectContaining({ kind: "unwritable" }),
  );
  later.close();
});
