/** Tests that typed and edited text survives kill -9, and that the sandbox leaves no trace. */
import { existsSync, readdirSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalOptions } from "../../helpers/console.ts";
import { type Folders, openFolders } from "../../helpers/folders.ts";
import { storedDrafts } from "../../helpers/state.ts";
import { spawnConsole, type Terminal } from "../../helpers/terminal.ts";

async function openNote(folders: Folders, options: TerminalOptions = {}): Promise<Terminal> {
  const terminal = await spawnConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    cols: 200,
    rows: 30,
    folders,
    ...options,
  });
  await terminal.waitFor("COMPLETED");
  await terminal.press("n").until("Notes for");
  return terminal;
}

/** The drafts in the state folder, as text. */
function savedText(folders: Folders): string {
  return JSON.stringify(storedDrafts(folders.state, "sandbox"));
}

test("typing that never pauses is saved while it goes on, and survives kill -9", async () => {
  const folders = await openFolders();
  const terminal = await openNote(folders);
  // Each number follows as soon as the one before it is on the screen, wherever the line breaks.
  for (let n = 1; !savedText(folders).includes("1.2.3."); n++) {
    if (n > 500) throw new Error("nothing was saved while keys kept coming");
    await terminal
      .send(`${n}.`)
      .until((text) => text.replace(/\s+/g, "").includes(`${n - 1}.${n}.`) || n === 1);
  }
  terminal.signal("SIGKILL");
  await terminal.exit;
  const again = await openNote(folders);
  await again.waitFor(/Draft of \d\d:\d\d restored/);
  await again.waitFor(/Note 1 +1\.2\.3\./);
});

test("a text saved in an editor whose console was killed stays, and its path is on the form", async () => {
  const folders = await openFolders();
  const editor = join(folders.home, "edit.sh");
  const pid = join(folders.home, "editor.pid");
  await writeFile(
    editor,
    `#!/bin/sh\nprintf 'all I wrote' > "$1"\necho $$ > "${pid}"\nprintf 'the text is saved\\n'\nexec /bin/sleep 600\n`,
  );
  await chmod(editor, 0o755);
  {
    await using terminal = await openNote(folders, { env: { VISUAL: editor } });
    await terminal.press("ctrl-o").until("the text is saved");
    terminal.signal("SIGKILL");
    process.kill(Number(await readFile(pid, "utf8")), "SIGKILL");
    await terminal.exit;
  }
  const again = await openNote(folders);
  await again.waitFor("An editor left a file with this draft");
  const drafts = join(folders.state, "drafts");
  const [name = ""] = readdirSync(drafts).filter((one) => one.includes(".from-editor-"));
  const path = join(drafts, name, "payload.txt");
  expect(again.text().replace(/\s+/g, "")).toContain(path);
  expect(await readFile(path, "utf8")).toBe("all I wrote");
});

test("what is sent to an embedded sandbox is listed while it runs, and reaches no journal on disk", async () => {
  const folders = await openFolders();
  const terminal = await openNote(folders);
  await terminal.send("only a trial").until(/Note 1 +only a trial/);
  await terminal.act("review").until("Nothing has been sent");
  await terminal.sendReviewed().until("confirmed");
  await terminal.press("enter").until("Observed");
  await terminal.press("A").until(/notes create/);
  expect(existsSync(join(folders.state, "journal.sqlite"))).toBe(false);
});
