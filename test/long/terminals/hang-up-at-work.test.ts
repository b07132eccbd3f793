import { chmod, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ObservedRequest } from "../../../src/sandbox/index.ts";
import { programInShell } from "../../helpers/built-program.ts";
import { fastClock } from "../../helpers/clock.ts";
import { runCommand } from "../../helpers/command.ts";
import { type Console, openConsole } from "../../helpers/console.ts";
import { type Folders, openFolders, programEnvironment } from "../../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../../helpers/service.ts";
import { openTerminal } from "../../helpers/terminal.ts";
import { type Loss, losses, openHeld } from "./hung-up.ts";
import { layLifeline } from "./lifeline.ts";

let service: TestSandbox;
let folders: Folders;

let onPost = () => {};

beforeEach(async () => {
  const arrived = ({ endpoint }: ObservedRequest) => {
    if (endpoint === "notes") onPost();
  };
  service = await openSandbox({ speed: 20, observer: { arrived, ended: () => {} } });
  folders = await openFolders();
});

/** Resolves when the service has been asked to add a note. */
function nextPost(): Promise<void> {
  return new Promise((resolve) => {
    onPost = resolve;
  });
}

const landed = () => service.ledger().filter(({ cause }) => cause === "request");

function open(words: readonly string[], loss: Loss, env: Record<string, string> = {}) {
  return openHeld(words, { folders, env: { ...service.env, ...env }, loss });
}

/** The console of a user who comes back. */
function openAgain(words: readonly string[] = ["open", "ACME", "EXT-0000001"]) {
  return openConsole(words, { folders, env: service.env, cols: 100, rows: 30 });
}

async function press(terminal: Console, key: string, seen: string | RegExp): Promise<void> {
  await terminal.press(key).until(seen);
}

async function type(terminal: Console, text: string): Promise<void> {
  await terminal.send(text).until(text);
}

async function noteUnderReview(terminal: Console, text: string): Promise<void> {
  await terminal.waitFor("COMPLETED");
  await press(terminal, "n", "Note 1");
  await type(terminal, text);
  await press(terminal, "page-down", /▌.*Review/);
  await press(terminal, "enter", "s send now");
}

async function command(...words: string[]) {
  return runCommand(words, { folders, env: service.env, clock: fastClock() });
}

async function outcomes(): Promise<readonly string[]> {
  const { stdout } = await command("activity", "list", "--json");
  return JSON.parse(stdout).map(({ outcome }: { outcome: string }) => outcome);
}

/** An editor that says when it has the terminal, and stays until it is ended. */
async function lastingEditor(lifeline: string): Promise<string> {
  const path = join(folders.home, "edit.sh");
  const script = `#!/bin/sh
PATH=/usr/bin:/bin
exec 8>'${lifeline}'
printf 'the editor has the terminal\\n'
exec sleep 1000
`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}

describe.each(losses)("when $name", (loss) => {
  test.each([
    ["and has not taken effect", "hang@notes", 0],
    ["and has taken effect", "hang-after@notes", 1],
  ])(
    "a write that is under way %s is unknown, and once verified it has taken effect once",
    async (_name, fault, before) => {
      service.setFaults([fault]);
      const posted = nextPost();
      {
        await using held = await open(["open", "ACME", "EXT-0000001"], loss);
        await noteUnderReview(held.terminal, "sent as the link went");
        held.terminal.press("s");
        await posted;
        await held.hangUp();
      }
      expect(landed()).toHaveLength(before);
      expect(await outcomes()).toEqual(["unknown"]);
      service.setFaults([]);
      {
        await using terminal = await openAgain();
        await terminal.waitFor("1 entry, 1 unknown");
        terminal.hangUp();
      }
      const { code } = await command("activity", "verify", "1", "--yes");
      expect(code).toBe(0);
      expect(await outcomes()).toEqual(["confirmed"]);
      expect(landed()).toHaveLength(1);
    },
  );

  test("a bulk run is resumed, and takes effect once on each account", async () => {
    service.setFaults(["latency=300ms@notes"]);
    let run = "";
    let marks = 0;
    {
      await using held = await open(["open", "ACME"], loss);
      const { terminal } = held;
      await terminal.waitFor("of 120 imported");
      await press(terminal, "enter", "1 of 120");
      await press(terminal, "tab", "[Pending");
      await press(terminal, "tab", "[Imported");
      await terminal.waitFor(/1 of \d+/);
      await press(terminal, "+", /\d+ marked/);
      marks = Number(/(\d+) marked/.exec(terminal.text())?.[1]);
      await press(terminal, "B", `Compose for ${marks} marked accounts`);
      await press(terminal, "enter", `Notes for ${marks} marked accounts`);
      await type(terminal, "in the middle of it");
      await press(terminal, "page-down", /▌.*Review/);
      await press(terminal, "enter", "s sends them");
      await press(terminal, "s", "Yes, send");
      await press(terminal, "down", "▌ y  Yes, send");
      await press(terminal, "enter", /[1-9]\d* being sent/);
      run = /Runs › (\w+)/.exec(terminal.text())?.[1] ?? "";
      await held.hangUp();
    }
    expect(landed().length).toBeLessThan(marks);
    service.setFaults([]);
    const resumed = await command("bulk", "resume", run, "--yes");
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    expect(new Set(landed().map(({ identifier }) => identifier)).size).toBe(marks);
    expect(landed()).toHaveLength(marks);
  });

  test("a run of a file is opened by its link, resumed, and takes effect once on each row", async () => {
    const path = join(folders.home, "wave.csv");
    // Rows of one account go out one after the other: it is under way for 20 seconds.
    const rows = 70;
    const line = (_: unknown, at: number) => `ACME,EXT-0000001,Wave ${at}`;
    const lines = Array.from({ length: rows }, line);
    const head = "import_supplier,external_account_number,body";
    await writeFile(path, [head, ...lines, ""].join("\n"));
    service.setFaults(["latency=300ms@notes"]);
    let run = "";
    {
      await using held = await open(["open", "--file", path], loss);
      const { terminal } = held;
      await terminal.waitFor(`${rows} rows of notes: ${rows} ready.`);
      await press(terminal, "ctrl-g", /s sends them .*\./);
      await press(terminal, "s", `Yes, send ${rows} rows`);
      await press(terminal, "down", "▌ y  Yes, send");
      await press(terminal, "enter", /[1-9]\d* being sent/);
      run = /Runs › (\w+)/.exec(terminal.text())?.[1] ?? "";
      await held.hangUp();
    }
    expect(landed().length).toBeLessThan(rows);
    service.setFaults([]);
    const terminal = await openAgain(["open", "--run", run]);
    await terminal.waitFor(/Ctrl-R resume/);
    await press(terminal, "ctrl-r", /Yes, resume|Yes, send/);
    await press(terminal, "down", /▌ y {2}Yes/);
    await press(terminal, "enter", `${rows} confirmed`);
    expect(landed()).toHaveLength(rows);
  });

  test("an editor that is open ends too, and what was typed before it is kept", async () => {
    const editors = layLifeline(folders.home, "editors");
    const EDITOR = await lastingEditor(editors.path);
    {
      await using held = await open(["open", "ACME", "EXT-0000001"], loss, { EDITOR });
      await held.terminal.waitFor("COMPLETED");
      await press(held.terminal, "n", "Note 1");
      await type(held.terminal, "before the editor");
      await press(held.terminal, "ctrl-o", "the editor has the terminal");
      await held.hangUp();
      await editors.gone;
    }
    expect((await readdir(folders.state)).filter((name) => name.startsWith("editing"))).toEqual([]);
    const terminal = await openAgain();
    await terminal.waitFor("COMPLETED");
    await press(terminal, "n", /Draft of \d\d:\d\d restored/);
    await terminal.waitFor("before the editor");
  });

  test("a linear screen ends, and what was typed there is kept", async () => {
    const words = ["--accessible", "open", "ACME", "EXT-0000001"];
    {
      await using held = await open(words, loss);
      await held.terminal.waitFor("no further change expected");
      await press(held.terminal, "n", "Body:");
      await type(held.terminal, "shown in lines");
      await held.hangUp();
    }
    const terminal = await openAgain(words);
    await terminal.waitFor("no further change expected");
    await press(terminal, "n", "shown in lines");
  });

  test("a list that is still coming in is dropped, with the sandbox in the program", async () => {
    const held = await openHeld(["--sandbox", "open", "ACME"], { folders, loss });
    await held.terminal.waitFor(/imported/);
    await held.hangUp();
  });
});

test("a console whose input ends while it can still draw gives the screen back and ends", async () => {
  // Another terminal to read from, held open by a program that reads nothing.
  const other = await openTerminal("/bin/sh", [
    "-c",
    "PATH=/usr/bin:/bin; tty; stty raw -echo; exec sleep 1000",
  ]);
  await other.waitFor(/\/dev\/\S+/);
  const input = /\/dev\/\S+/.exec(other.text())?.[0] ?? "";
  const loss: Loss = { name: "its input ends", detached: false, lose: () => other.hangUp() };
  const words = ["open", "ACME", "EXT-0000001"];
  {
    await using held = await openHeld(words, { folders, env: service.env, loss, input });
    await held.terminal.waitFor("COMPLETED");
    other.press("n");
    await held.terminal.waitFor("Note 1");
    other.send("from elsewhere");
    await held.terminal.waitFor("from elsewhere");
    await held.hangUp();
    expect(await held.terminal.exit).toEqual({ code: 129, signal: null });
    expect(held.terminal.altScreen()).toBe(false);
  }
  const terminal = await openAgain();
  await terminal.waitFor("COMPLETED");
  await press(terminal, "n", "from elsewhere");
});

describe("a console that was stopped with Ctrl-Z", () => {
  /** Bash with the console stopped in it, a note half typed. */
  async function stopped() {
    const lifeline = layLifeline(folders.home);
    const terminal = await openTerminal("/bin/bash", ["--norc", "-i"], {
      cwd: folders.home,
      env: { ...programEnvironment(folders, service.env), PS1: "shell> ", HISTFILE: "" },
    });
    await terminal.waitFor("shell>");
    const program = `${programInShell()} open ACME EXT-0000001`;
    await terminal
      .send(`/bin/sh -c 'echo $$ > pid; exec ${program.replaceAll("'", `"`)}' 9>lifeline\r`)
      .until("COMPLETED");
    await press(terminal, "n", "Note 1");
    await type(terminal, "before the stop");
    await press(terminal, "ctrl-z", "Stopped");
    return { terminal, gone: lifeline.gone };
  }

  const kept = async () => {
    await using terminal = await openAgain();
    await terminal.waitFor("COMPLETED");
    await press(terminal, "n", "before the stop");
  };

  test("ends with its terminal", async () => {
    const { terminal, gone } = await stopped();
    await using _ = terminal;
    terminal.hangUp();
    await gone;
    await kept();
  });

  test("ends when SIGHUP was sent meanwhile, as soon as it goes on", async () => {
    const { terminal, gone } = await stopped();
    await using _ = terminal;
    terminal.send("kill -HUP $(<pid); fg\r");
    await gone;
    await terminal.waitFor(/fg[\s\S]*shell>\s*$/);
    expect(terminal.altScreen()).toBe(false);
    await kept();
  });
});
