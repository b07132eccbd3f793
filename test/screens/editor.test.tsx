import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/api/clock.ts";
import { editorFiles } from "../../src/state/drafts.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { storedDrafts } from "../helpers/state.ts";
import { openConsoleAt } from "./opened-console.tsx";

const account = "EXT-0000001";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});

/** An editor made of shell commands; the file it is given is `$1`. */
function editorOf(folders: Folders, commands: string): Record<string, string> {
  const path = join(folders.home, "edit.sh");
  writeFileSync(path, `#!/bin/sh\n${commands}\n`);
  chmodSync(path, 0o755);
  return { VISUAL: path, PATH: process.env.PATH ?? "" };
}

async function openNote(folders: Folders, commands: string, clock = systemClock) {
  const console = await openConsoleAt({
    service: sandbox,
    places: [{ kind: "suppliers" }, { kind: "account", supplier: "ACME", account }],
    folders,
    clock,
    env: editorOf(folders, commands),
  });
  await console.screen.waitFor("COMPLETED");
  await console.screen.press("n").until("Notes for");
  return console;
}

function draftsIn(folders: Folders) {
  return storedDrafts(folders.state, "ad-hoc");
}

/** Returns the texts that editors left for the only draft. */
function leftIn(folders: Folders): readonly string[] {
  return editorFiles(join(folders.state, "drafts"), draftsIn(folders)[0]?.id ?? "");
}

const failures = [
  ["ends with an error", "exit 3", "ended with code 3"],
  ["is killed", "kill -9 $$", "ended with SIGKILL"],
] as const;

test.each(failures)(
  "a text that was saved before the editor %s is offered, not lost",
  async (_, end, words) => {
    const folders = await openFolders();
    const opened = await openNote(folders, `printf 'all I wrote' > "$1"; ${end}`);
    const { screen } = opened;
    await screen.press("ctrl-o").until("The text from the editor is not in the form yet");
    expect(screen.text().replace(/\s+/g, " ")).toContain(
      `${words}. The text is saved with this draft.`,
    );
    expect(draftsIn(folders)[0]).toMatchObject({
      edited: "all I wrote",
      editedField: ["notes", 0, "body"],
    });
    expect(leftIn(folders)).toEqual([]);

    await screen.press("down", "enter").until(/Note 1 +all I wrote/);
  },
);

test("a payload that was saved before the editor failed goes into the form on request", async () => {
  const folders = await openFolders();
  const notes = [{ body: "from the editor" }];
  const payload = { import_supplier: "ACME", external_account_number: account, notes };
  const opened = await openNote(folders, `cp "${folders.home}/next.json" "$1"; exit 1`);
  writeFileSync(join(folders.home, "next.json"), JSON.stringify(payload));
  const { screen } = opened;
  await screen.press("up").until(/▌ +.*Note 1/);
  await screen.press("ctrl-o").until("The text from the editor is not in the form yet");
  await screen.press("esc").until("The text from the editor is saved with the draft");
  await screen.press("ctrl-o").until("The text from the editor is not in the form yet");
  await screen.press("down", "enter").until(/Note 1 +from the editor/);
});

test("a text in another encoding stays as it is, with its path on the form, as long as its draft", async () => {
  const folders = await openFolders();
  const { screen } = await openNote(folders, String.raw`printf 'caf\351 \377 end' > "$1"`);
  await screen.press("ctrl-o").until("The editor saved text that is not UTF-8");
  const [path = ""] = leftIn(folders);
  const pathIsShown = () => expect(screen.text().replace(/\s+/g, "")).toContain(path);
  pathIsShown();
  expect(readFileSync(path)).toEqual(Buffer.from("caf\xe9 \xff end", "latin1"));
  // The form is empty, and its draft is all the same not removed when it is left.
  await screen.press("esc").untilGone("Notes for");
  await screen.press("n").until("An editor left a file with this draft");
  pathIsShown();
  await screen.press("f9").until("Discard this draft?");
  expect(screen.text()).toContain("file of the editor");
  await screen.press("down", "enter").until("The draft is discarded.");
  expect(existsSync(path)).toBe(false);
});

test("a pipe that the editor leaves in place of its file holds nothing up", async () => {
  const folders = await openFolders();
  const opened = await openNote(folders, `rm "$1"; mkfifo "$1"`);
  const { screen } = opened;
  await screen.send("typed").until(/Note 1 +typed/);
  await screen.press("ctrl-o").until("The editor replaced its file with a pipe");
  await screen.send("!").until(/Note 1 +typed!/);
});

test("an editor that returns at once without a change is pointed to the flag that makes it wait", async () => {
  const folders = await openFolders();
  // On a busy machine a process takes longer than a program that returns at once.
  const slow = { ...systemClock, elapsed: () => systemClock.elapsed() / 100 };
  const opened = await openNote(folders, "exit 0", slow);
  await opened.screen.press("ctrl-o").until("returned at once; a window needs its wait flag");
  // It may still be open in a window, and be saved there.
  expect(leftIn(folders)).toHaveLength(1);
  await opened.screen.waitFor("An editor left a file with this draft");
});
