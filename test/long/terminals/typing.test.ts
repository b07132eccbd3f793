/** Typing as a terminal delivers it: fast, with the service silent, and with the cursor it is drawn at. */
import { spawnSync } from "node:child_process";
import { editLine, type LineState, lineOf } from "../../../src/forms/line-editor.ts";
import { editingOn } from "../../../src/keys/editing.ts";
import { isPrintable } from "../../../src/keys/key-name.ts";
import { widthOf } from "../../../src/text/width.ts";
import { programInShell } from "../../helpers/built-program.ts";
import { type Console, openConsole } from "../../helpers/console.ts";
import { type Folders, openFolders, programEnvironment } from "../../helpers/folders.ts";
import { keyBytes } from "../../helpers/key-bytes.ts";
import { openService } from "../../helpers/service.ts";
import { storedDrafts } from "../../helpers/state.ts";
import { openTerminal } from "../../helpers/terminal.ts";
import { toolPath } from "../../helpers/tools.ts";

const tmuxPath = toolPath("tmux");

/** Milliseconds between two keys: 200 keys a second. */
const pace = 5;

/** Text with the slips and repairs of a fast typist, key by key. */
function keysOf(length: number): readonly string[] {
  const words = "The quick brown fox jumps over 13 lazy dogs; amount 12.50 now. ";
  const repairs = [
    ["left", "left", "X", "right", "right"],
    ["alt-b", "Y", "ctrl-e"],
    ["backspace", "z"],
    ["ctrl-a", "Z", "end"],
    ["ctrl-w", "ctrl-y"],
    ["ctrl-b", "ctrl-d"],
    ["ctrl-_", "alt-x", "ctrl-t"],
  ];
  return Array.from({ length }, (_, at) => [
    words[at % words.length] ?? "",
    ...(at % 9 === 8 ? (repairs[Math.floor(at / 9) % repairs.length] ?? []) : []),
  ]).flat();
}

function pressed(line: LineState, key: string): LineState {
  if (isPrintable(key)) return editLine(line, { type: "insert", text: key });
  const id = editingOn(key, true);
  if (id === null || id === "row-up" || id === "row-down") return line;
  return editLine(line, { type: id });
}

/** Types keys at their pace: the time of each is counted from the start, however late one is. */
async function typeAtPace(terminal: Console, keys: readonly string[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const start = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(keys.length, Math.floor((performance.now() - start) / pace) + 1);
    while (sent < due) terminal.send(keyBytes(keys[sent++] ?? ""));
    if (sent === keys.length) resolve();
  }, pace);
  await promise;
  clearInterval(timer);
}

/** The body of the one note that is saved as a draft. */
function savedBody(folders: Folders): unknown {
  const [draft] = storedDrafts(folders.state, "ad-hoc");
  return (draft?.value as { values?: { notes?: { body?: unknown }[] } } | undefined)?.values
    ?.notes?.[0]?.body;
}

test("at 200 keys a second, with a service that is silent, every key does what it should, in order", async () => {
  const folders = await openFolders();
  const { env } = await openService(() => {});
  const terminal = await openConsole(["open", "ACME", "EXT-0000001"], { env, folders });
  await terminal.waitFor("EXT-0000001");
  await terminal.press("n").until(/▌ +Body/);
  const keys = keysOf(1_000);
  await typeAtPace(terminal, keys);
  const { text } = keys.reduce(pressed, lineOf("", { multiline: true }));
  await terminal.send("#").until((screen) => screen.includes("#"), { describe: "the last key" });
  await terminal.press("esc").untilGone("Body");
  expect(savedBody(folders)).toBe(`${text}#`);
});

test("a paste of 100 kB while the window changes its size keeps every character", async () => {
  const folders = await openFolders();
  const { env } = await openService(() => {});
  const terminal = await openConsole(["open", "ACME", "EXT-0000001"], { env, folders });
  await terminal.waitFor("EXT-0000001");
  await terminal.press("n").until(/▌ +Body/);
  const text = Array.from({ length: 12_500 }, (_, at) => String(at).padStart(7, "0")).join(" ");
  terminal.send("<>\x1b[D");
  terminal.paste(text);
  for (const [at, letter] of [..."typed meanwhile"].entries()) {
    terminal.resize(20 + ((at * 37) % 180), 5 + ((at * 13) % 45));
    terminal.send(letter);
  }
  terminal.resize(100, 30);
  await terminal.waitFor("typed meanwhile>");
  await terminal.press("esc").untilGone("Body");
  expect(savedBody(folders)).toBe(`<${text}typed meanwhile>`);
});

/** Returns true if the last sequence for the cursor shows it. */
function showsCursor(terminal: Console): boolean {
  return terminal.bytes().lastIndexOf("\x1b[?25h") > terminal.bytes().lastIndexOf("\x1b[?25l");
}

/** Waits until the cursor stands behind a text. */
async function cursorBehind(terminal: Console, text: string): Promise<void> {
  await terminal.waitFor(
    () => {
      const { row, col } = terminal.cursor();
      return (terminal.screen()[row] ?? "").slice(0, col).trimEnd().endsWith(text);
    },
    { describe: `the cursor behind “${text}”` },
  );
}

test("the cursor comes back to its place after Ctrl-Z and fg, and the shell has it in between and after", async () => {
  const folders = await openFolders();
  const terminal = await openTerminal("/bin/bash", ["--norc", "-i"], {
    cwd: folders.home,
    env: { ...programEnvironment(folders), PS1: "shell> ", HISTFILE: "" },
  });
  await terminal.waitFor("shell>");
  await terminal.send(`${programInShell()} --sandbox open ACME EXT-0000001\r`).until("COMPLETED");
  expect(showsCursor(terminal)).toBe(false);
  await terminal.press("n").until(/▌ +Body/);
  terminal.send("here and there\x1bb");
  await cursorBehind(terminal, "here and");
  expect(showsCursor(terminal)).toBe(true);
  await terminal.press("ctrl-z").until("Stopped");
  expect(showsCursor(terminal)).toBe(true);
  await terminal.send("fg\r").until(/Body +here and there/);
  await cursorBehind(terminal, "here and");
  expect(showsCursor(terminal)).toBe(true);
  await terminal
    .press("ctrl-c")
    .until(() => !terminal.altScreen(), { describe: "the shell's screen" });
  await terminal.waitFor(() => showsCursor(terminal), { describe: "the shell's cursor" });
});

test("a linear console says the line that is edited up to the insertion point", async () => {
  const terminal = await openConsole(["--accessible", "--sandbox", "open", "ACME", "EXT-0000001"], {
    rows: 60,
    cols: 120,
  });
  await terminal.waitFor("COMPLETED");
  await terminal.press("n").until(/Body:/);
  terminal.send("Called Ms Ames");
  await cursorBehind(terminal, "Body: Called Ms Ames");
  terminal.press("alt-b", "alt-b");
  await cursorBehind(terminal, "Body: Called");
  await terminal.send("twice ").until("Called twice Ms Ames");
  await cursorBehind(terminal, "Body: Called twice");
});

test.runIf(tmuxPath)(
  "tmux has the cursor where the next character goes, in a form and in the palette",
  async () => {
    const folders = await openFolders();
    const env = programEnvironment(folders, { TMUX_TMPDIR: folders.home, SHELL: "/bin/sh" });
    const tmux = (...words: string[]) => ["-L", "cursor", "-f", "/dev/null", ...words];
    const asked = () =>
      spawnSync(String(tmuxPath), tmux("display", "-p", "#{cursor_flag} #{cursor_x},#{cursor_y}"), {
        env,
        encoding: "utf8",
      }).stdout.trim();
    // Before the folders go, and with them the way to the server.
    using _ = {
      [Symbol.dispose]: () => void spawnSync(String(tmuxPath), tmux("kill-server"), { env }),
    };
    const command = `${programInShell()} --sandbox open ACME EXT-0000001`;
    const terminal = await openTerminal(String(tmuxPath), tmux("new-session", command), {
      cols: 80,
      rows: 25,
      env,
    });
    await terminal.waitFor("COMPLETED");
    expect(asked()).toMatch(/^0 /);
    await terminal.press("n").until(/▌ +Body/);
    await terminal.send("漢字 and é|\x1b[D").until(/漢字 and é\|/);
    const { row } = terminal.find("Body");
    const col = terminal.screen()[row]?.indexOf("漢字") ?? 0;
    await expect.poll(asked).toBe(`1 ${col + widthOf("漢字 and é")},${row}`);
    await terminal.press("page-up").until(/▌ +▼ Notes/);
    await expect.poll(asked).toMatch(/^0 /);
    await terminal.press("esc").until("COMPLETED");
    await terminal.openPalette().until("Go to a place");
    terminal.send("ACME");
    await expect.poll(asked).toMatch(/^1 6,/);
  },
);
