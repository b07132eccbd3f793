import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readKeymapFile } from "../../src/commands/open/user-keys.ts";
import { openFolders } from "../helpers/folders.ts";

async function read(content: string | Buffer) {
  await using folders = await openFolders();
  await mkdir(folders.config, { recursive: true });
  await writeFile(join(folders.config, "keymap.json"), content);
  return readKeymapFile(folders.config);
}

test("a folder without a keymap changes nothing", async () => {
  const folders = await openFolders();
  expect(readKeymapFile(folders.config)).toMatchObject({ changes: [], issues: [] });
});

test("every member is reported with its line, also one named twice", async () => {
  const { changes, issues } = await read(
    '{\n  "$schema": "keymap.schema.json",\n  "refresh": "ctrl-e", "watch": ["Q",\n "X"],\n\n  "refresh": ["{,}\\"", ":"]\n}\n',
  );
  expect(issues).toEqual([]);
  expect(changes).toEqual([
    { action: "refresh", keys: ["ctrl-e"], line: 3 },
    { action: "watch", keys: ["Q", "X"], line: 3 },
    { action: "refresh", keys: ['{,}"', ":"], line: 6 },
  ]);
});

test.each([
  ["{}", []],
  ["", [{ line: 1, message: expect.stringContaining("is not JSON") }]],
  ['{\n  "refresh": "x",\n}', [{ line: 3, message: expect.stringContaining("is not JSON") }]],
  ['["refresh"]', [{ line: 1, message: expect.stringContaining("must be an object") }]],
  ['{\n"refresh": 5}', [{ line: 2, message: expect.stringContaining("refresh takes a key") }]],
  ['{"refresh": {"a": ["b", 1]}}', [{ line: 1, message: expect.stringContaining("takes a key") }]],
  ['{"refresh": [""]}', [{ line: 1, message: expect.stringContaining("takes a key") }]],
  [`"${"x".repeat(300_000)}"`, [{ line: 0, message: expect.stringContaining("far too large") }]],
])("an error in %j is reported with its line, and it is ignored", async (text, wanted) => {
  expect(await read(text)).toMatchObject({ changes: [], issues: wanted });
});

test("a keymap may be a link into a dotfiles folder", async () => {
  const folders = await openFolders();
  await mkdir(folders.config, { recursive: true });
  await writeFile(join(folders.home, "keys"), '{"refresh": "Q"}');
  await symlink(join(folders.home, "keys"), join(folders.config, "keymap.json"));
  expect(readKeymapFile(folders.config).changes).toHaveLength(1);
});
