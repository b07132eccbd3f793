import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openNoteTemplates } from "../../src/settings/note-templates.ts";
import { newDraftId, openDrafts } from "../../src/state/drafts.ts";
import { wipeProfileData } from "../../src/state/profile-data.ts";
import { profileKey, readUses, storeUse } from "../../src/state/used.ts";
import { openWatched } from "../../src/watch/record.ts";
import { stateIn, storeWatched } from "../helpers/state.ts";
import { freshFolder } from "../settings/settings-folder.ts";

const unseen = { addedAt: 1, timeline: [] };
const here = "https://one.example";

/** Folders in which two profiles have left traces. */
async function used() {
  const { root } = freshFolder();
  const [stateDir, configDir] = [join(root, "state"), join(root, "config")];
  const templates = openNoteTemplates(configDir);
  const state = await stateIn(stateDir);
  const drafts = openDrafts(state, () => 1);
  const watchOf = (profile: string, service = here) => openWatched(state, { profile, service });
  for (const profile of ["gone", "stays"]) {
    drafts.save({
      id: newDraftId(),
      kind: "notes",
      profile,
      service: here,
      supplier: "ACME",
      account: `${profile}-draft`,
      value: {},
      query: {},
      updatedAt: 0,
      refusals: [],
    });
    for (const service of [here, "https://before.example"])
      await storeWatched(stateDir, { profile, service }, [
        { kind: "account", supplier: "ACME", number: `${profile}-watched`, ...unseen },
      ]);
    templates.add(profile, { name: "called", text: `${profile} called` });
    state.commit((rows) => {
      const owner = profileKey(profile, here);
      storeUse(rows, { list: "place", owner, value: `ACME/${profile}-place` });
      storeUse(rows, { list: "filter", owner: "accounts", value: "ext:1" });
    });
  }
  return { folders: { stateDir, configDir }, drafts, watchOf, state, templates };
}

describe("what a removed profile leaves behind", () => {
  test("is wiped from every file, and what others have left is not touched", async () => {
    const { folders, drafts, watchOf, state, templates } = await used();
    expect(await wipeProfileData(folders.stateDir, folders.configDir, "gone")).toEqual({
      drafts: 1,
      watched: 2,
      templates: 1,
      places: 1,
      problems: [],
    });
    expect(readFileSync(join(folders.stateDir, "state.sqlite")).includes("gone")).toBe(false);
    expect(readFileSync(join(folders.configDir, "templates.json"), "utf8")).not.toContain("gone");
    expect(templates.of("stays")).toEqual([{ name: "called", text: "stays called" }]);
    expect(drafts.ofProfile("gone")).toEqual([]);
    expect(drafts.ofProfile("stays")).toHaveLength(1);
    expect(watchOf("stays").read()).toHaveLength(1);
    expect(readUses(state).map(({ value }) => value)).toEqual(["ext:1", "ACME/stays-place"]);
  });

  test("is nothing where it left nothing, and then no folder is made", async () => {
    const { root } = freshFolder();
    const [stateDir, configDir] = [join(root, "state"), join(root, "config")];
    expect(await wipeProfileData(stateDir, configDir, "gone")).toMatchObject({
      drafts: 0,
      watched: 0,
      problems: [],
    });
    expect([stateDir, configDir].filter((folder) => existsSync(folder))).toEqual([]);
  });

  test("is removed as far as possible: a file that cannot be understood is reported, and left", async () => {
    const { folders } = await used();
    const path = join(folders.configDir, "templates.json");
    writeFileSync(path, "{ half", { mode: 0o600 });
    const { drafts, places, problems } = await wipeProfileData(
      folders.stateDir,
      folders.configDir,
      "gone",
    );
    expect({ drafts, places }).toEqual({ drafts: 1, places: 1 });
    expect(problems).toMatchObject([{ kind: "corrupt" }]);
    expect(readFileSync(path, "utf8")).toBe("{ half");
  });
});
