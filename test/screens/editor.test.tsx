import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEditing } from "../../src/settings/editing-folder.ts";
import { openDrafts } from "../../src/settings/saved-drafts.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

const account = "EXT-0000001";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** An editor made of shell commands; the file it is given is `$1`. */
function editorOf(folders: Folders, commands: string): Record<string, string> {
  const path = join(folders.home, "edit.sh");
  writeFileSync(path, `#!/bin/sh\n${commands}\n`);
  chmodSync(path, 0o755);
  return { VISUAL: path, PATH: process.env.PATH ?? "" };
}

async function openNote(folders: Folders, commands: string) {
  const console = await openConsoleAt({
    service: sandbox,
    places: [{ kind: "suppliers" }, { kind: "account", supplier: "ACME", account }],
    folders,
    env: editorOf(folders, commands),
  });
  await console.screen.waitFor("COMPLETED");
  console.screen.press("n");
  await console.screen.waitFor("Notes for");
  return console;
}

function draftsIn(folders: Folders) {
  return openDrafts({ stateDir: folders.state, now: () => 0 }).list("ad-hoc");
}

function editingIn(folders: Folders): string[] {
  return readdirSync(folders.state).filter((name) => name.startsWith("editing-"));
}

const failures = [
  ["ends with an error", "exit 3", "ended with code 3"],
  ["is killed", "kill -9 $$", "ended with SIGKILL"],
] as const;

test.each(failures)(
  "a text that was saved before the editor %s is offered, not lost",
  async (_, end, words) => {
    await using folders = await openFolders();
    await using opened = await openNote(folders, `printf 'all I wrote' > "$1"; ${end}`);
    const { screen } = opened;
    screen.press("ctrl-o");
    await screen.waitFor("What you wrote in the editor is not in the form yet");
    expect(screen.text().replace(/\s+/g, " ")).toContain(
      `${words}. What you wrote is saved with this draft.`,
    );
    expect(draftsIn(folders)[0]).toMatchObject({
      edited: "all I wrote",
      editedField: ["notes", 0, "body"],
    });
    expect(editingIn(folders)).toEqual([]);

    screen.press("down", "enter");
    await screen.waitFor(/Note 1 +all I wrote/);
  },
);

test("a payload that was saved before the editor failed goes into the form on request", async () => {
  await using folders = await openFolders();
  const notes = [{ body: "from the editor" }];
  const payload = { import_supplier: "ACME", external_account_number: account, notes };
  await using opened = await openNote(folders, `cp "${folders.home}/next.json" "$1"; exit 1`);
  writeFileSync(join(folders.home, "next.json"), JSON.stringify(payload));
  const { screen } = opened;
  screen.press("up");
  await screen.waitFor(/▌ +.*Note 1/);
  screen.press("ctrl-o");
  await screen.waitFor("What you wrote in the editor is not in the form yet");
  screen.press("esc");
  await screen.waitFor("What you wrote in the editor is saved with the draft");
  screen.press("ctrl-o");
  await screen.waitFor("What you wrote in the editor is not in the form yet");
  screen.press("down", "enter");
  await screen.waitFor(/Note 1 +from the editor/);
});

test("a text saved in another encoding is stored as it is, and its path stays on the form", async () => {
  await using folders = await openFolders();
  await using opened = await openNote(folders, String.raw`printf 'caf\351 \377 end' > "$1"`);
  const { screen } = opened;
  screen.send("typed");
  await screen.waitFor(/Note 1 +typed/);
  screen.press("ctrl-o");
  await screen.waitFor("Not in the form, because it is not UTF-8 text");
  expect(screen.text()).toMatch(/Note 1 +typed/);
  const [stored = ""] = readdirSync(join(folders.state, "drafts")).filter((name) =>
    name.includes(".from-editor-"),
  );
  const path = join(folders.state, "drafts", stored);
  expect(screen.text().replace(/\s+/g, "")).toContain(path);
  expect(readFileSync(path)).toEqual(Buffer.from("caf\xe9 \xff end", "latin1"));
});

test("a pipe that the editor leaves in place of its file holds nothing up", async () => {
  await using folders = await openFolders();
  await using opened = await openNote(folders, `rm "$1"; mkfifo "$1"`);
  const { screen } = opened;
  screen.send("typed");
  await screen.waitFor(/Note 1 +typed/);
  screen.press("ctrl-o");
  await screen.waitFor("The editor left a pipe in place of its file");
  screen.send("!");
  await screen.waitFor(/Note 1 +typed!/);
});

test("an editor that returns at once without a change is pointed to the flag that makes it wait", async () => {
  await using folders = await openFolders();
  await using opened = await openNote(folders, "exit 0");
  opened.screen.press("ctrl-o");
  await opened.screen.waitFor("returned at once; a window needs its wait flag");
  // It may still be open in a window: what is saved there is found at the next start.
  expect(editingIn(folders)).toHaveLength(1);
});

test("a text left by a console that was killed is offered with its draft at the next start", async () => {
  await using folders = await openFolders();
  {
    await using opened = await openNote(folders, "exit 0");
    opened.screen.send("typed");
    await opened.screen.waitFor(/Note 1 +typed/);
    opened.screen.press("esc");
    await opened.screen.waitForGone("Notes for");
  }
  const [draft] = draftsIn(folders);
  const owner = JSON.stringify([999_999_999, "long ago", "another boot", "elsewhere"]);
  const gone = { draft: draft?.id ?? "", field: ["notes", 0, "body"], before: "typed", owner };
  writeFileSync(
    openEditing(folders.state, { ...gone, owner: "unreadable" }, "txt"),
    "typed and edited",
  );

  await using opened = await openConsoleAt({
    service: sandbox,
    places: [{ kind: "suppliers" }, { kind: "account", supplier: "ACME", account }],
    folders,
  });
  const { screen } = opened;
  await screen.waitFor(
    "Text from an interrupted editor is saved with the draft for ACME/EXT-0000001",
  );
  screen.press("n");
  await screen.waitFor("What you wrote in the editor is saved with the draft");
  screen.press("ctrl-o");
  await screen.waitFor("What you wrote in the editor is not in the form yet");
  screen.press("down", "enter");
  await screen.waitFor(/Note 1 +typed and edited/);
});

test("a text left for a removed draft becomes a file beside the drafts", async () => {
  await using folders = await openFolders();
  mkdirSync(folders.state, { mode: 0o700 });
  const text = { draft: "draft-gone", field: null, before: "before", owner: "unreadable" };
  const file = openEditing(folders.state, text, "json");
  writeFileSync(file, "all I wrote");
  await using opened = await openConsoleAt({
    service: sandbox,
    places: [{ kind: "suppliers" }],
    folders,
  });
  await opened.screen.waitFor("Text from an interrupted editor is stored in");
  expect(existsSync(file)).toBe(false);
  const [stored = ""] = readdirSync(join(folders.state, "drafts"));
  expect(readFileSync(join(folders.state, "drafts", stored), "utf8")).toBe("all I wrote");
});

test("a text that another console is editing is left alone", async () => {
  await using folders = await openFolders();
  mkdirSync(folders.state, { mode: 0o700 });
  const { ownerText, processLife } = await import("../../src/writes/owner.ts");
  const owner = ownerText(processLife(process.pid).self);
  const file = openEditing(folders.state, { draft: "d", field: null, before: "b", owner }, "txt");
  writeFileSync(file, "half a word");
  const { takeUpLeftovers } = await import("../../src/screens/shell/editor-leftovers.ts");
  const drafts = openDrafts({ stateDir: folders.state, now: () => 0 });
  const found = await takeUpLeftovers({
    stateDir: folders.state,
    drafts,
    pid: process.pid,
    now: Date.now(),
  });
  expect(found).toEqual([]);
  expect(readFileSync(file, "utf8")).toBe("half a word");
});
