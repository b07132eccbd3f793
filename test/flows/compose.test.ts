import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newDraftId, openDrafts } from "../../src/settings/saved-drafts.ts";
import { type Console, openConsole, type TerminalOptions } from "../helpers/console.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { spawnConsole } from "../helpers/terminal.ts";

const account = "EXT/0000011";

async function openAccount(folders: Folders, options: TerminalOptions = {}): Promise<Console> {
  // An editor takes the terminal itself, so it has to be a real one.
  const open = options.env?.EDITOR === undefined ? openConsole : spawnConsole;
  const terminal = await open(["--sandbox", "open", "ACME", account], {
    cols: 100,
    rows: 30,
    folders,
    ...options,
  });
  await terminal.waitFor("COMPLETED");
  return terminal;
}

async function openForm(
  folders: Folders,
  key: string,
  title: string,
  options: TerminalOptions = {},
): Promise<Console> {
  const terminal = await openAccount(folders, options);
  terminal.press(key);
  await terminal.waitFor(title);
  return terminal;
}

/** What is kept of the drafts, the latest first. */
function kept(folders: Folders) {
  return openDrafts({ stateDir: folders.state, now: () => 0 }).list("sandbox");
}

/** A line of the form that is in focus. */
function focused(label: string): RegExp {
  return new RegExp(`^▌ +.*${label}`, "m");
}

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

test("a note is composed: what is left empty is not sent, times are shown as they will be sent", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", `Notes for ACME/${account}`);
  await terminal.waitFor(focused("Body"));
  terminal.send("Called the customer");
  await terminal.waitFor("Called the customer");
  terminal.press("tab");
  await terminal.waitFor(focused("Documents"));
  terminal.press("tab");
  await terminal.waitFor(focused("Created at"));
  terminal.send("2026-11-20 14:00");
  await terminal.waitFor("→ 2026-11-20T14:00:00Z");
  terminal.press("tab");
  await terminal.waitFor(focused("Pinned"));
  await terminal.waitFor(/Created at +2026-11-20T14:00:00Z/);
  terminal.press("space");
  await terminal.waitFor(/Pinned +yes/);
  terminal.press("tab");
  await terminal.waitFor(focused("Unpin at"));
  terminal.send("soon");
  await terminal.waitFor("Write a time such as");
  terminal.press("ctrl-u");
  await terminal.waitForGone("Write a time such as");
  terminal.press("tab");
  await terminal.waitFor(focused(String.raw`\[ Review \]`));
  terminal.press("enter");
  await terminal.waitForGone("[ Review ]");
  expect(kept(folders)[0]?.value).toMatchObject({
    values: {
      import_supplier: "ACME",
      external_account_number: account,
      notes: [
        { body: "Called the customer", created_at: "2026-11-20T14:00:00Z", is_pinned: "true" },
      ],
    },
  });
});

test("what is missing is named when Review is tried, and not before", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "p", "Payment instruction for");
  await terminal.waitFor(focused("Vendor"));
  expect(terminal.text()).not.toContain("supplyline expects this field");
  terminal.press("page-down", "enter");
  await terminal.waitFor("Review it without 3 fields that supplyline expects?");
  await terminal.waitFor(/whether\s+they\s+can\s+be\s+left\s+out/);
  terminal.press("n");
  await terminal.waitFor(focused("Vendor"));
  expect(terminal.text().match(/! supplyline expects this field/g)).toHaveLength(3);
  terminal.send("STRIPE");
  await terminal.waitFor((text) => text.match(/supplyline expects this field/g)?.length === 2, {
    describe: "two fields that are missing",
  });
});

test("rows are added, duplicated, moved and removed, which asks when something is filled in", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", "Notes for");
  terminal.send("one");
  await terminal.waitFor(/Note 1 +one/);
  terminal.press("up");
  await terminal.waitFor(focused("Note 1"));
  terminal.press("=");
  await terminal.waitFor(focused("Note 2 +one"));
  terminal.press("a");
  await terminal.waitFor("Note 3");
  await terminal.waitFor(focused("Body"));
  terminal.send("three");
  await terminal.waitFor(/Note 3 +three/);
  terminal.press("up");
  await terminal.waitFor(focused("Note 3 +three"));
  terminal.press("K");
  await terminal.waitFor(focused("Note 2 +three"));
  terminal.press("space");
  await terminal.waitFor(/› Note 2 +three/);
  terminal.press("d");
  await terminal.waitFor("Remove Note 2?");
  terminal.press("down", "enter");
  await terminal.waitFor(/Notes +2/);
  expect(terminal.text()).not.toContain("three");
  terminal.press("esc");
  await terminal.waitFor("Observed");
  expect(kept(folders)[0]?.value).toMatchObject({
    values: { notes: [{ body: "one" }, { body: "one" }] },
  });
});

test("a transaction shows the fields of its type; one of another type stays while it is filled in", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "t", "Transactions for", { rows: 40 });
  expect(terminal.text()).not.toContain("Product code");
  terminal.send("T-1");
  terminal.press("tab");
  await terminal.waitFor(focused("Date"));
  terminal.send("today");
  await terminal.waitFor(/→ \d{4}-\d{2}-\d{2}/);
  terminal.press("tab");
  await terminal.waitFor(focused("Amount"));
  terminal.send("+1e3");
  await terminal.waitFor("without an exponent");
  terminal.press("ctrl-u");
  terminal.send("+10.505");
  await terminal.waitFor("More than 2 decimal places");
  terminal.press("tab");
  await terminal.waitFor(focused("Type"));
  await terminal.waitFor(/Amount +10\.505/);
  terminal.send("SUPLY_CHARGE");
  await terminal.waitFor("Any other value is sent as typed.");
  await terminal.waitFor(/Value +SUPLY_CHARGE/);
  terminal.press("enter");
  await terminal.waitFor(/Did\s+you\s+mean\s+SUPPLY_CHARGE\?/);
  terminal.press("space", "space", "space", "space");
  await terminal.waitFor(focused("Type +REPAYMENT"));
  expect(terminal.text()).not.toContain("Product code");
  terminal.press("tab", "tab", "tab");
  await terminal.waitFor(focused("Reference"));
  terminal.send("R-9");
  await terminal.waitFor(/Reference +R-9/);
  terminal.press("shift-tab", "shift-tab", "shift-tab");
  await terminal.waitFor(focused("Type +REPAYMENT"));
  terminal.press("space");
  await terminal.waitFor(focused("Type +SUPPLY_CHARGE"));
  await terminal.waitFor("Product code");
  expect(terminal.text()).toContain("Line items");
  expect(terminal.text()).not.toContain("Payment type");
  expect(terminal.text()).toMatch(/Reference +R-9/);
  expect(terminal.text()).toContain("The interface does not show it with SUPPLY_CHARGE.");
});

test("the editor gets the payload as JSON and the keys; what is wrong comes back with its line", async () => {
  await using folders = await openFolders();
  const wrong = note({ body: "mended", is_pinned: "perhaps", color: "red" });
  const EDITOR = await editor(folders, wrong);
  await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
  terminal.send("first");
  await terminal.waitFor(/Note 1 +first/);
  terminal.press("up");
  await terminal.waitFor(focused("Note 1"));
  terminal.press("ctrl-o");
  await editorIsOpen(terminal);
  terminal.send("q: not for the console\r");
  await terminal.waitFor("What you wrote cannot be sent: 2 problems");
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
  terminal.send("\r");
  await terminal.waitFor(/Note 1 +mended/);
  expect(terminal.text()).toMatch(/Pinned +yes/);
  expect(await readFile(join(folders.home, "before.json"), "utf8")).toBe(wrong);
  expect(
    (await readdir(join(folders.state, "drafts"))).filter((name) => !name.endsWith(".json")),
  ).toEqual([]);
});

test("what the editor left wrong can be taken into the form and fixed there", async () => {
  await using folders = await openFolders();
  const EDITOR = await editor(folders, note({ body: "kept", created_at: "soon" }));
  await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
  terminal.press("up");
  await terminal.waitFor(focused("Note 1"));
  terminal.press("ctrl-o");
  await editorIsOpen(terminal);
  terminal.send("\r");
  await terminal.waitFor("Put it into the form");
  terminal.press("down", "enter");
  await terminal.waitFor(/Created at +soon/);
  await terminal.waitFor("Write a time such as");
  expect(terminal.text()).toMatch(/Note 1 +kept/);
});

test("JSON that cannot be read leaves the form as it was", async () => {
  await using folders = await openFolders();
  const EDITOR = await editor(folders, '{\n  "notes": [\n');
  await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
  terminal.send("kept");
  await terminal.waitFor(/Note 1 +kept/);
  terminal.press("ctrl-o");
  await editorIsOpen(terminal);
  terminal.send("\r");
  await terminal.waitFor(/Body +\{\n +"notes": \[$/m);
  terminal.press("page-up");
  await terminal.waitFor(focused("Notes"));
  terminal.press("ctrl-o");
  await editorIsOpen(terminal, 2);
  terminal.send("\r");
  await terminal.waitFor(/line \d+:\d+/);
  terminal.press("esc");
  await terminal.waitFor("… (2 lines)");
  await terminal.waitFor("What you wrote in the editor is saved with the draft: Ctrl-O opens it.");
  terminal.press("ctrl-o");
  await terminal.waitFor("What you wrote cannot be sent");
  terminal.press("enter");
  await editorIsOpen(terminal, 3);
  terminal.send("\r");
  await terminal.waitFor(/line \d+:\d+/);
  terminal.press("down", "enter");
  await terminal.waitFor("… (2 lines)");
  expect(await readFile(join(folders.home, "before.json"), "utf8")).toBe('{\n  "notes": [\n');
});

test("what came back from the editor and was saved outlives the form, the console and what is sent", async () => {
  await using folders = await openFolders();
  const unreadable = '{\n  "notes": [\n';
  const EDITOR = await editor(folders, unreadable);
  {
    await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
    terminal.send("kept");
    await terminal.waitFor(/Note 1 +kept/);
    terminal.press("up");
    await terminal.waitFor(focused("Note 1"));
    terminal.press("ctrl-o");
    await terminal.waitFor("the editor has the terminal");
    terminal.send("\r");
    await terminal.waitFor("What you wrote cannot be sent");
    terminal.press("esc");
    await terminal.waitFor(
      "What you wrote in the editor is saved with the draft: Ctrl-O opens it.",
    );
    terminal.press("esc");
    await terminal.waitFor("Observed");
    expect(kept(folders)[0]?.edited).toBe(unreadable);
    terminal.hangUp();
    await terminal.exit;
  }
  await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
  await terminal.waitFor("What you wrote in the editor is saved with the draft");
  terminal.press("ctrl-g");
  await terminal.waitFor("s sends it");
  terminal.press("s");
  await terminal.waitFor("confirmed");
  terminal.press("enter");
  await terminal.waitFor("Observed");
  terminal.press("n");
  await terminal.waitFor("What you wrote in the editor is saved with the draft");
  expect(terminal.text()).not.toMatch(/Note 1 +kept/);
  terminal.press("ctrl-o");
  await terminal.waitFor("What you wrote cannot be sent");
  terminal.press("enter");
  await terminal.waitFor("the editor has the terminal");
  terminal.send("\r");
  await terminal.waitFor("What you wrote cannot be sent");
  expect(await readFile(join(folders.home, "before.json"), "utf8")).toBe(unreadable);
  terminal.press("down", "enter");
  await terminal.waitForGone("What you wrote in the editor is saved with the draft");
  terminal.press("esc");
  await terminal.waitFor("Observed");
  // The editor returned at once, so that a window might still be open on the draft's file.
  expect(kept(folders)).toHaveLength(1);
  expect(kept(folders)[0]).not.toHaveProperty("edited");
});

test("an editor that cannot be started, or fails, changes nothing", async () => {
  await using folders = await openFolders();
  const env = { VISUAL: "no-such-editor --wait" };
  await using terminal = await openForm(folders, "n", "Notes for", { env });
  terminal.send("kept");
  await terminal.waitFor(/Note 1 +kept/);
  terminal.press("ctrl-o");
  await terminal.waitFor("no-such-editor --wait could not be started; set VISUAL or EDITOR");
  expect(terminal.text()).toMatch(/Note 1 +kept/);
});

test("a paste of several lines stays one text, and submits nothing", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", "Notes for");
  terminal.paste("first line\nsecond line\n");
  await terminal.waitFor(/Body +first line\n +second line$/m);
  await terminal.waitFor(focused("Body"));
  terminal.press("page-down");
  await terminal.waitFor(focused(String.raw`\[ Review \]`));
  terminal.paste("\n\n");
  terminal.press("up");
  await terminal.waitFor(focused("Unpin at"));
  terminal.press("esc");
  await terminal.waitFor("Observed");
  expect(kept(folders)[0]?.value).toMatchObject({
    values: { notes: [{ body: "first line\nsecond line" }] },
  });
});

test("a hang-up in mid-form loses nothing: the next console takes the draft up again", async () => {
  await using folders = await openFolders();
  {
    await using terminal = await openForm(folders, "n", "Notes for");
    terminal.send("half a sent");
    await terminal.waitFor(/Note 1 +half a sent/);
    terminal.hangUp();
    await terminal.exit;
  }
  await using terminal = await openAccount(folders);
  terminal.press("n");
  await terminal.waitFor(/\bDraft of \d\d:\d\d restored; F9 discards it\./);
  await terminal.waitFor(/Note 1 +half a sent/);
  terminal.send("ence");
  await terminal.waitFor(/Note 1 +half a sentence/);
  terminal.press("f9");
  await terminal.waitFor("Discard this draft?");
  terminal.press("down", "enter");
  await terminal.waitFor("The draft is discarded.");
  expect(kept(folders)).toEqual([]);
});

test("a hang-up while the editor is open keeps what was written there, and leaves no file behind", async () => {
  await using folders = await openFolders();
  const EDITOR = await editor(folders, note({ body: "written in the editor" }));
  {
    await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
    terminal.send("before");
    await terminal.waitFor(/Note 1 +before/);
    terminal.press("up");
    await terminal.waitFor(focused("Note 1"));
    terminal.press("ctrl-o");
    await editorIsOpen(terminal);
    terminal.hangUp();
    await terminal.exit;
  }
  expect(kept(folders)[0]?.value).toMatchObject({
    values: { notes: [{ body: "written in the editor" }] },
  });
  expect(
    (await readdir(join(folders.state, "drafts"))).filter((name) => !name.endsWith(".json")),
  ).toEqual([]);
});

test("a hang-up before it is said what becomes of an edit keeps the edit", async () => {
  await using folders = await openFolders();
  const EDITOR = await editor(folders, note({ body: "edited", created_at: "soon" }));
  {
    await using terminal = await openForm(folders, "n", "Notes for", { env: { EDITOR } });
    terminal.press("up");
    await terminal.waitFor(focused("Note 1"));
    terminal.press("ctrl-o");
    await editorIsOpen(terminal);
    terminal.send("\r");
    await terminal.waitFor("Put it into the form");
    terminal.hangUp();
    await terminal.exit;
  }
  expect(kept(folders)[0]?.edited).toBe(note({ body: "edited", created_at: "soon" }));
});

test("a form that nothing was typed into leaves no draft", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", "Notes for");
  terminal.press("esc");
  await terminal.waitFor("Observed");
  expect(kept(folders)).toEqual([]);
});

test("what the service refused stands at its field and above the form until it is changed", async () => {
  await using folders = await openFolders();
  await mkdir(folders.state, { mode: 0o700 });
  openDrafts({ stateDir: folders.state, now: () => Date.now() }).save({
    id: newDraftId(),
    kind: "notes",
    profile: "sandbox",
    supplier: "ACME",
    account,
    value: {
      values: { notes: [{ body: "fine" }, { body: "refused", is_pinned: "true" }] },
      folded: ['["notes",1]'],
    },
    query: {},
    updatedAt: 0,
    refusals: [
      { path: ["notes", 1, "body"], message: "No such words here." },
      { path: [], message: "The account is closed." },
    ],
  });
  await using terminal = await openForm(folders, "n", "Notes for");
  await terminal.waitFor(focused("Body +refused"));
  const screen = await terminal.waitFor("The service: No such words here.");
  expect(screen).toContain("The service: The account is closed.");
  terminal.send("!");
  await terminal.waitForGone("No such words here.");
  expect(terminal.text()).toContain("The account is closed.");
});

test("a form keeps to ASCII where the terminal asks for it", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "n", "Notes for", {
    cols: 60,
    rows: 20,
    env: { LANG: "C" },
  });
  terminal.press("tab", "tab");
  await terminal.waitFor(/^> +Created at/m);
  terminal.send("2026-11-20 14:00");
  await terminal.waitFor("-> 2026-11-20T14:00:00Z");
  terminal.press("shift-tab", "shift-tab");
  await terminal.waitFor(/^> +Body/m);
  terminal.paste("one\ntwo\n");
  await terminal.waitFor(/Body +one\n +two$/m);
  terminal.press("tab");
  await terminal.waitFor("one ~ (2 lines)");
  expect(terminal.text()).toMatch(/^[\n\x20-\x7e]*$/);
});

test("a long form can be filled in at 60×15: it scrolls, and its sections fold", async () => {
  await using folders = await openFolders();
  await using terminal = await openForm(folders, "S", "Supply point for ACME", {
    cols: 60,
    rows: 15,
  });
  await terminal.waitFor(focused("Identifier"));
  terminal.send("SP-77");
  await terminal.waitFor("SP-77");
  terminal.press("up");
  await terminal.waitFor(focused("Supply point"));
  terminal.press("space");
  await terminal.waitFor(/› Supply point/);
  terminal.press("page-down", "page-down", "page-down");
  await terminal.waitFor(focused(String.raw`\[ Review \]`));
  terminal.press("up");
  await terminal.waitFor(focused("Outage contact"));
  terminal.press("enter");
  await terminal.waitFor("Given name");
  terminal.press("ctrl-g");
  await terminal.waitFor("Nothing to review yet");
  await terminal.waitFor(focused("Customer 1"));
  expect(terminal.text()).toContain("This is empty: fill it in or remove it.");
  terminal.press("d");
  await terminal.waitForGone("Customer 1");
});
