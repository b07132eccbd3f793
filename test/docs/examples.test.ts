/** The example files that users copy into their settings folder, both at once. */
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readUserCommands, readUserKeys } from "../../src/commands/open/user-keys.ts";
import { openFolders } from "../helpers/folders.ts";
import { project } from "./pages.ts";

test("the examples of keymap.json and commands.json work beside each other", async () => {
  const folders = await openFolders();
  await mkdir(folders.config, { recursive: true, mode: 0o700 });
  for (const file of ["keymap.json", "commands.json"])
    await copyFile(join(project, "examples", file), join(folders.config, file));
  await chmod(join(folders.config, "commands.json"), 0o600);
  const { keymap, issues } = readUserKeys(folders.config);
  const custom = readUserCommands(folders.config, keymap);
  expect([...issues, ...custom.issues]).toEqual([]);
  expect(custom.commands.length).toBeGreaterThan(5);
});
