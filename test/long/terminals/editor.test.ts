/** An editor has the terminal to itself, and gives back what it wrote. */
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { account, focused, openForm as openFormOn, savedDrafts } from "../../flows/composing.ts";
import type { Console, TerminalOptions } from "../../helpers/console.ts";
import { type Folders, openFolders } from "../../helpers/folders.ts";
import { spawnConsole } from "../../helpers/terminal.ts";

const openForm = (folders: Folders, key: string, title: string, options?: TerminalOptions) =>
  openFormOn(folders, key, title, options, spawnConsole);

/** An editor that asks for a line on the terminal, then puts `next.json` in the place of the file. */
async function editor(folders: Folders, text: string): Promise<string> {
  const path = join(folders.home, "edit.sh");
  const script = `#!/bin/sh
PATH=/usr/bin:/bin
cp "$1" "${folders.home}/before.json"
stat -c %a "$1" "$(dirname "$1")" > "${folders.home}/modes"
cp "${folders.home}/next.json" "$1"
printf 'the editor has the terminal\\n'
read -r answer
printf '%s' "$answer" > "${folders.home}/answer"
`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  await writeFile(join(folders.home, "next.json"), text);
  return path;
}

/** Waits until the editor was opened for the n-th time: what it said before may still be to be read. */
function editorIsOpen(terminal: Console, times = 1): Promise<string> {
  const opened = () => terminal.bytes().split("the editor has the terminal").length - 1;
  return terminal.waitFor(() => opened() >= times, { describe: `the editor for time ${times}` });
}

function note(fields: Record<string, unknown>): string {
  const notes = [fields];
  return JSON.stringify(
    { import_supplier: "ACME", external_account_number: account, notes },
    null,
    2,
  );
}

test("the editor gets the payload as JSON and the keys; what is wrong comes back with its line", async () => {
  const folders = await openFolders();
  const wrong = note({ body: "mended", is_pinned: "perhaps", color: "red" });
  const EDITOR = await editor(folders, wrong);
  const terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
  await terminal.send("first").until(/Note 1 +first/);
  await terminal.press("up").until(focused("Note 1"));
  terminal.press("ctrl-o");
  await editorIsOpen(terminal);
  await terminal
    .send("q: not for the console\r")
    .until("The text from the editor cannot be sent: 2 problems");
  expect(await readFile(join(folders.home, "answer"), "utf8")).toBe("q: not for the console");
  expect(JSON.parse(await readFile(join(folders.home, "before.json"), "utf8"))).toEqual(
    JSON.parse(note({ body: "first" })),
  );
  expect(await readFile(join(folders.home, "modes"), "utf8")).toBe("600\n700\n");
  expect(terminal.text()).toMatch(/line 7:\d+ +notes\.0\.is_pinned: true or false/);
  expect(terminal.text()).toMatch(/line 8:\d+ +notes\.0\.color: This field is not documented/);
  expect(terminal.text()).not.toContain("Put it into the form");

  await writeFile(join(folders.home, "next.json"), note({ body: "mended", is_pinned: true }));
  terminal.press("enter");
  await editorIsOpen(terminal, 2);
  await terminal.send("\r").until(/Note 1 +mended/);
  expect(terminal.text()).toMatch(/Pinned +yes/);
  expect(await readFile(join(folders.home, "before.json"), "utf8")).toBe(wrong);
  expect(await readdir(join(folders.state, "drafts"))).toEqual([]);
});

test("what the editor left wrong can be taken into the form and fixed there", async () => {
  const folders = await openFolders();
  const EDITOR = await editor(folders, note({ body: "kept", created_at: "soon" }));
  const terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
  await terminal.press("up").until(focused("Note 1"));
  terminal.press("ctrl-o");
  await editorIsOpen(terminal);
  await terminal.send("\r").until("Put it into the form");
  await terminal.press("down", "enter").until(/Created at +soon/);
  await terminal.waitFor("Write a time such as");
  expect(terminal.text()).toMatch(/Note 1 +kept/);
});

test("JSON that cannot be read leaves the form as it was", async () => {
  const folders = await openFolders();
  const EDITOR = await editor(folders, '{\n  "notes": [\n');
  const terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
  await terminal.send("kept").until(/Note 1 +kept/);
  terminal.press("ctrl-o");
  await editorIsOpen(terminal);
  await terminal.send("\r").until(/Body +\{\n +"notes": \[$/m);
  await terminal.press("page-up").until(focused("Notes"));
  terminal.press("ctrl-o");
  await editorIsOpen(terminal, 2);
  await terminal.send("\r").until(/line \d+:\d+/);
  await terminal.press("esc").until("… (2 lines)");
  await terminal.waitFor("The text from the editor is saved with the draft. Ctrl-O opens it.");
  await terminal.press("ctrl-o").until("The text from the editor cannot be sent");
  terminal.press("enter");
  await editorIsOpen(terminal, 3);
  await terminal.send("\r").until(/line \d+:\d+/);
  await terminal.press("down", "enter").until("… (2 lines)");
  expect(await readFile(join(folders.home, "before.json"), "utf8")).toBe('{\n  "notes": [\n');
});

test("what came back from the editor and was saved outlives the form, the console and what is sent", async () => {
  const folders = await openFolders();
  const unreadable = '{\n  "notes": [\n';
  const EDITOR = await editor(folders, unreadable);
  {
    await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
    await terminal.send("kept").until(/Note 1 +kept/);
    await terminal.press("up").until(focused("Note 1"));
    await terminal.press("ctrl-o").until("the editor has the terminal");
    await terminal.send("\r").until("The text from the editor cannot be sent");
    await terminal
      .press("esc")
      .until("The text from the editor is saved with the draft. Ctrl-O opens it.");
    await terminal.press("esc").until("Observed");
    expect(savedDrafts(folders)[0]?.edited).toBe(unreadable);
    terminal.hangUp();
    await terminal.exit;
  }
  const terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
  await terminal.waitFor("The text from the editor is saved with the draft");
  await terminal.act("review").until("Nothing has been sent");
  await terminal.sendReviewed().until("confirmed");
  await terminal.press("enter").until("Observed");
  await terminal.press("n").until("The text from the editor is saved with the draft");
  expect(terminal.text()).not.toMatch(/Note 1 +kept/);
  await terminal.press("ctrl-o").until("The text from the editor cannot be sent");
  await terminal.press("enter").until("the editor has the terminal");
  await terminal.send("\r").until("The text from the editor cannot be sent");
  expect(await readFile(join(folders.home, "before.json"), "utf8")).toBe(unreadable);
  await terminal
    .press("down", "enter")
    .untilGone("The text from the editor is saved with the draft");
  await terminal.press("esc").until("Observed");
  // The editor returned at once, so that a window might still be open on the draft's file.
  expect(savedDrafts(folders)).toHaveLength(1);
  expect(savedDrafts(folders)[0]).not.toHaveProperty("edited");
});

test("an editor that cannot be started, or fails, changes nothing", async () => {
  const folders = await openFolders();
  const env = { VISUAL: "no-such-editor --wait" };
  const terminal = await openForm(folders, "n", "Notes for", { env });
  await terminal.send("kept").until(/Note 1 +kept/);
  await terminal
    .press("ctrl-o")
    .until("no-such-editor --wait could not be started; set VISUAL or EDITOR");
  expect(terminal.text()).toMatch(/Note 1 +kept/);
});

test("a hang-up while the editor is open keeps what was written there, and leaves no file behind", async () => {
  const folders = await openFolders();
  const EDITOR = await editor(folders, note({ body: "written in the editor" }));
  {
    await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
    await terminal.send("before").until(/Note 1 +before/);
    await terminal.press("up").until(focused("Note 1"));
    terminal.press("ctrl-o");
    await editorIsOpen(terminal);
    terminal.hangUp();
    await terminal.exit;
  }
  expect(savedDrafts(folders)[0]?.value).toMatchObject({
    values: { notes: [{ body: "written in the editor" }] },
  });
  expect(await readdir(join(folders.state, "drafts"))).toEqual([]);
});

test("a hang-up before it is said what becomes of an edit keeps the edit", async () => {
  const folders = await openFolders();
  const EDITOR = await editor(folders, note({ body: "edited", created_at: "soon" }));
  {
    await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
    await terminal.press("up").until(focused("Note 1"));
    terminal.press("ctrl-o");
    await editorIsOpen(terminal);
    await terminal.send("\r").until("Put it into the form");
    terminal.hangUp();
    await terminal.exit;
  }
  expect(savedDrafts(folders)[0]?.edited).toBe(note({ body: "edited", created_at: "soon" }));
});
