import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { profileFrom } from "../../src/settings/validate-profile.ts";
import { openWatchFile } from "../../src/settings/watch-file.ts";
import { openFolders } from "../helpers/folders.ts";
import { openConsoleAt } from "./opened-console.tsx";

test("a profile that is removed takes its watch list and its places with it", async () => {
  const sandbox = await startSandbox({ speed: 0 });
  onTestFinished(() => sandbox.close());
  await using folders = await openFolders();
  const settings = openSettings({ configDir: folders.config });
  settings.add(profileFrom({ name: "old-one", baseUrl: "https://old.example" }));
  const watch = openWatchFile({
    stateDir: folders.state,
    profile: "old-one",
    service: "https://old.example",
  });
  watch.change(() => [
    { kind: "account", supplier: "ACME", number: "EXT-1", addedAt: 1, timeline: [] },
  ]);
  await using opened = await openConsoleAt({
    service: sandbox,
    folders,
    places: [{ kind: "suppliers" }, { kind: "profiles" }],
  });
  const { screen } = opened;
  await screen.waitFor("old-one");
  screen.press("d");
  await screen.waitFor("Remove the profile old-one?");
  expect(screen.text()).toContain("watch list are wiped");
  screen.press("down");
  screen.press("enter");
  await screen.waitFor("Removed old-one.");
  expect(settings.find("old-one")).toBeNull();
  expect(await readFile(join(folders.state, "watch.json"), "utf8")).not.toContain("EXT-1");
});
