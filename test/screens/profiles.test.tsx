import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { storeWatched } from "../helpers/state.ts";
import { world } from "../helpers/world.ts";

test("a profile that is removed takes its watch list and its places with it", async () => {
  const { folders, at } = await world();
  const settings = openSettings({ configDir: folders.config });
  settings.add(profileFrom({ name: "old-one", baseUrl: "https://old.example" }));
  const owner = { profile: "old-one", service: "https://old.example" };
  const watch = await storeWatched(folders.state, owner, [
    { kind: "account", supplier: "ACME", number: "EXT-1", addedAt: 1, timeline: [] },
  ]);
  const { screen } = await at([{ kind: "suppliers" }, { kind: "profiles" }]);
  await screen.waitFor("old-one");
  await screen.press("d").until("Remove the profile old-one?");
  expect(screen.text()).toContain("watch list are deleted");
  screen.press("down");
  await screen.press("enter").untilGone("old-one");
  expect(settings.find("old-one")).toBeNull();
  expect(watch.read()).toEqual([]);
  expect((await readFile(join(folders.state, "state.sqlite"))).includes("EXT-1")).toBe(false);
});

test("the cursor starts on the profile in use, which is the one to correct", async () => {
  const { folders, at } = await world({ profile: { name: "used" } });
  const settings = openSettings({ configDir: folders.config });
  settings.add(profileFrom({ name: "other", baseUrl: "https://other.example" }));
  const { screen } = await at([{ kind: "suppliers" }, { kind: "profiles" }]);
  await screen.waitFor("other");
  expect(screen.text()).toMatch(/^▌ +used /m);
});

test("no letter leaves the form of a connection, and a choice takes its first letters", async () => {
  const { at } = await world();
  const { screen } = await at([{ kind: "suppliers" }, { kind: "connect", edit: null }]);
  await screen.waitFor(/▌ Profile/);
  await screen.press("enter", "enter").until(/▌ Environment/);
  await screen.press("P").until(/▌ Environment +production/);
  await screen.press("s").until(/▌ Environment +sandbox/);
  for (const letter of "AqWL:?xr") {
    await screen.press(letter).until("Space takes the next of sandbox, test, production.");
    expect(screen.text()).toContain("Test the connection");
  }
  await screen.press("space").until(/▌ Environment +test/);
  await screen.press("enter", "y").until(/▌ Read-only +yes/);
  await screen.press("enter", "enter", "enter").until(/▌ +\[ More settings \]/);
  await screen.press("tab").until(/▌ +\[ Test the connection \]/);
  await screen.press("q").until("Tab goes to the next field.");
  expect(await screen.waitFor("F1 help")).toContain("Environment");
});

test("a key that works on an account says so on a screen without one", async () => {
  const { at } = await world();
  const { screen } = await at([{ kind: "suppliers" }]);
  await screen.waitFor("go/do");
  await screen.press("n").until("n works on an account.");
  await screen.press("b").until("b works on an account.");
  await screen.press("w").until("w works on an account or a supply point.");
  await screen.press("/").until("There is no row here.");
});
