import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { actionIds } from "../../src/keys/bindings.ts";
import { openConsole } from "../helpers/console.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { runCli } from "../helpers/process.ts";

async function keymap(folders: Folders, lines: readonly string[]): Promise<void> {
  await mkdir(folders.config, { recursive: true, mode: 0o700 });
  await writeFile(join(folders.config, "keymap.json"), `{\n${lines.join(",\n")}\n}\n`);
}

test("footer, help and palette show the user's keys, and these are the ones that work", async () => {
  const folders = await openFolders();
  await keymap(folders, ['  "refresh": "Q"', '  "help": ["N", "?"]', '  "open": "l"']);
  const terminal = await openConsole(["--sandbox"], { folders, cols: 120, rows: 40 });
  await terminal.waitFor(/ACME .*\d\.\d +\d/);
  await terminal.waitFor(/l Enter open .*Q refresh .*N help/);
  const help = await terminal.press("N").until("Keys on Suppliers");
  expect(help).toMatch(/Q +refresh/);
  expect(help).toMatch(/l Enter +open/);
  await terminal.press("/").until(/Q +Ask the service again now/);
  await terminal.press("esc").until(/Esc close {2}Tab keys {2}\/ search/);
  await terminal.press("?").untilGone("All keys");
  // While it loads, there is nothing to refresh.
  await terminal.waitFor(/1 of 4 {2}checked/);
  await terminal.openPalette("refresh").until(/refresh +Q {2}Ask the service again now/);
  await terminal.press("esc").untilGone("Go to a place");
  await terminal.press("l").until(/of [\d,]+ imported/);
});

test.each([
  { cols: 200, rows: 50 },
  { cols: 60, rows: 15 },
])(
  "a wrong line is reported at the start and in the help, and the others hold, at $cols×$rows",
  async (size) => {
    const folders = await openFolders();
    await keymap(folders, ['  "refesh": "e"', '  "watch": "n"', '  "pause": "Q"']);
    const terminal = await openConsole(["--sandbox"], { folders, ...size });
    await terminal.waitFor("2 invalid lines; ? lists all. keymap.json line 2: there");
    await terminal.waitFor(/ACME .*\d\.\d +\d/);
    await terminal.press("?").until("Lines of keymap.json that do not work");
    expect(terminal.text().replace(/\s+/g, " ")).toContain("did you mean refresh?");
    await terminal.press("?").untilGone("Lines of keymap.json");
    await terminal.press("enter").until(/of [\d,]+ imported/);
    await terminal.press("Q").until(/loaded .* paused/);
    terminal.press("q");
    await terminal.exit;
    // What was said before the console came is still to be read behind it.
    expect(terminal.text().replace(/\s+/g, " ")).toContain("line 3: n is the key of note");
  },
);

test("doctor reports the lines that do not hold, and says nothing where there is no keymap", async () => {
  const folders = await openFolders();
  expect((await runCli(["doctor", "--sandbox"], { folders })).stdout).not.toContain("keymap");
  await keymap(folders, ['  "send": "enter"']);
  const { stdout } = await runCli(["doctor", "--sandbox"], { folders });
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "warn keymap keymap.json line 2: enter is reserved for fields and terminals: choose another; send keeps s",
  );
});

test("the schema of the keymap names every action with what it does", async () => {
  const { code, stdout } = await runCli(["schema", "keymap"]);
  expect(code).toBe(0);
  const schema = JSON.parse(stdout);
  expect(Object.keys(schema.properties)).toEqual(["$schema", ...actionIds]);
  expect(schema.properties.refresh.description).toBe("Ask the service again now");
  expect(schema.additionalProperties).toBe(false);
});

test.each([
  { cols: 200, rows: 50 },
  { cols: 60, rows: 15 },
])("sentences name the keys that work, and menus hear them, at $cols×$rows", async (size) => {
  const folders = await openFolders();
  await keymap(folders, [
    '  "down": "h"',
    '  "up": "l"',
    '  "refresh": "j"',
    '  "send": "#"',
    '  "activity": "N"',
    '  "runs": []',
    '  "discard": "f7"',
  ]);
  const terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    folders,
    ...size,
  });
  await terminal.waitFor("final, checked");
  // A narrow footer has no room for it.
  await terminal.waitFor(size.cols < 80 ? "Esc to ACME" : "j refresh");
  // What has no key is in the palette, and not in the footer.
  expect(terminal.text()).not.toMatch(/ runs\b/);
  await terminal.press("n").until("Note 1");
  await terminal.send("mine").until("mine");
  await terminal.press("ctrl-g").until("# send now");
  terminal.press("s");
  await terminal.press("esc").until("Note 1");
  terminal.press("page-up");
  await terminal.press("f7").until("Discard this draft?");
  // j is refresh now, and no way down a menu; h is.
  terminal.press("j");
  await terminal.press("enter").untilGone("Discard this draft?");
  await terminal.press("ctrl-g").until("# send now");
  await terminal.press("#").until("NOTE_CREATION_SUCCESS");
  await terminal.press("esc").until("N shows all");
  await terminal.press("n").until("Note 1");
  await terminal.send("another").until("another");
  terminal.press("page-up");
  await terminal.press("f7").until("Discard this draft?");
  terminal.press("h");
  await terminal.press("enter").until("The draft is discarded.");
});
