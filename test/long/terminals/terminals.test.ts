import { programInShell } from "../../helpers/built-program.ts";
import { type Console, openConsole } from "../../helpers/console.ts";
import { openFolders, programEnvironment } from "../../helpers/folders.ts";
import { openTerminal, spawnConsole, type Terminal } from "../../helpers/terminal.ts";

test("a build server's variables and NO_COLOR change neither the drawing nor what the cursor shows", async () => {
  const terminal = await spawnConsole(["--sandbox", "open", "ACME"], {
    env: { CI: "true", GITHUB_ACTIONS: "true", NO_COLOR: "1" },
  });
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  const { row, col } = terminal.find("imported");
  expect(terminal.cell(row, col).fg).toBe("default");
  expect(terminal.cell(row, col)).toMatchObject({ bold: true, inverse: false });
});

test("a terminal that does not speak UTF-8 is drawn on with ASCII alone", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME"], { env: { LANG: "C" } });
  await terminal.waitFor("of 120 imported");
  expect(terminal.text()).toContain("Suppliers > ACME");
  expect(terminal.text()).toMatch(/#{5,}=?-/);
  expect(terminal.text().replace(/[\x20-\x7e\n]/g, "")).toBe("");
});

test("a terminal that is made narrower and wider again shows no rest of the frame before", async () => {
  const terminal = await spawnConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    cols: 120,
    rows: 30,
  });
  await terminal.waitFor("final, checked");
  const sizes = [
    [100, 28],
    [80, 24],
    [61, 16],
    [90, 24],
    [80, 24],
  ] as const;
  for (const [cols, rows] of sizes) {
    terminal.resize(cols, rows);
    await terminal.waitFor(
      (screen) => {
        const lines = screen.split("\n");
        return (
          (lines[0] ?? "").endsWith("sandbox  UTC") &&
          lines.some((line) => /^Service account +A-2FEF5C8F$/.test(line)) &&
          (lines.at(-1) ?? "").endsWith("q quit")
        );
      },
      { describe: `a whole frame at ${cols}×${rows}` },
    );
    expect(terminal.text().match(/Service account/g)).toHaveLength(1);
  }
});

test("a resize that was undone before it was noticed still draws everything, as a multiplexer may need it", async () => {
  const terminal = await spawnConsole(["--sandbox", "open", "ACME", "EXT-0000001"]);
  await terminal.waitFor("final, checked");
  const before = terminal.bytes().length;
  terminal.signal("SIGWINCH");
  const isWhole = () => {
    const drawn = terminal.bytes().slice(before);
    return drawn.includes("Suppliers") && drawn.includes("Service account");
  };
  await terminal.waitFor(isWhole, { describe: "a whole frame" });
});

const terminals = ["xterm-256color", "tmux-256color", "screen", "linux", "vt100"];
const sizes = [
  [200, 50],
  [80, 24],
  [60, 15],
] as const;

test.each(terminals.flatMap((term) => sizes.map(([cols, rows]) => [term, cols, rows] as const)))(
  "draws on a %s of %i×%i, and gives it back as it was",
  async (TERM, cols, rows) => {
    // What a terminal can do is by its name, whatever its size.
    const open = cols === 80 ? spawnConsole : openConsole;
    const terminal = await open(["--sandbox", "open", "ACME"], {
      cols,
      rows,
      env: { TERM },
    });
    await terminal.waitFor("of 120 imported");
    await terminal.press("enter").until("1 of 120");
    await terminal.press("down").until("2 of 120");
    terminal.press("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
    expect(terminal.altScreen()).toBe(false);
    expect(terminal.bytes()).toContain("\x1b[?25h");
    expect(terminal.bytes().lastIndexOf("\x1b[?2004l")).toBeGreaterThan(
      terminal.bytes().lastIndexOf("\x1b[?2004h"),
    );
  },
);

test("a terminal smaller than it can draw on says so in one line, whatever is pressed", async () => {
  // Where nothing is loading: the first Ctrl-C would only cancel that.
  const terminal = await openConsole([], { cols: 40, rows: 10 });
  const words = "40×10 is too small: 60×15 or more";
  await terminal.waitFor(words);
  terminal.send("jk/W:?\r\t");
  terminal.resize(30, 5);
  await terminal.waitFor("30×5 is too small");
  terminal.resize(1, 1);
  terminal.resize(40, 10);
  const alone = (screen: string) => screen.split("\n").filter(Boolean).join() === words;
  await terminal.waitFor(alone, { describe: "the one line" });
  terminal.press("ctrl-c");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a storm of sizes ends in a whole frame of the last one", async () => {
  const terminal = await spawnConsole(["--sandbox", "open", "ACME"], {
    cols: 120,
    rows: 40,
  });
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  for (let turn = 0; turn < 60; turn++)
    terminal.resize(20 + ((turn * 37) % 180), 5 + ((turn * 13) % 45));
  terminal.resize(80, 24);
  await terminal.waitFor(
    (screen) => {
      const lines = screen.split("\n");
      return (
        /^Suppliers.*sandbox {2}UTC$/.test(lines[0] ?? "") &&
        lines[3]?.includes("External account") === true &&
        /q quit$/.test(lines.at(-1) ?? "") &&
        screen.match(/EXT-0000002/g)?.length === 1
      );
    },
    { describe: "a whole frame at 80×24" },
  );
});

test("is stopped by Ctrl-Z in a shell and comes back with fg, and what was typed for the shell is not its own", async () => {
  const folders = await openFolders();
  const terminal = await openTerminal("/bin/bash", ["--norc", "-i"], {
    cwd: folders.home,
    env: { ...programEnvironment(folders), PS1: "shell> ", HISTFILE: "" },
  });
  await terminal.waitFor("shell>");
  await terminal.send(`${programInShell()} --sandbox open ACME\r`).until("of 120 imported");
  await terminal.press("ctrl-z").until(/Stopped/);
  expect(terminal.altScreen()).toBe(false);
  await terminal
    .send("echo in the sh\x08\x08shell; /usr/bin/stty -a | /usr/bin/grep -c ' icanon'\r")
    .until(/in the shell\n1\n/);
  await terminal.send("fg\r").until("of 120 imported");
  expect(terminal.altScreen()).toBe(true);
  await terminal.press("enter").until("1 of 120");
  await terminal.press("q").until(/fg[\s\S]*shell>\s*$/);
  expect(terminal.altScreen()).toBe(false);
  terminal.send("exit\r");
  await terminal.exit;
});

test.each([
  ["a form", async (terminal: Terminal) => void (await terminal.waitFor("Note 1"))],
  [
    "its review",
    async (terminal: Terminal) => {
      await terminal.press("ctrl-g").until("s send now");
    },
  ],
  [
    "a dialog",
    async (terminal: Terminal) => {
      await terminal.press("f9").until("Discard this draft?");
    },
  ],
  [
    "the palette",
    async (terminal: Terminal) => {
      await terminal.press("esc").until("final, checked");
      await terminal.openPalette().until("Go to a place");
    },
  ],
])("Ctrl-Z stops it in front of %s, and fg comes back to what was there", async (_name, go) => {
  const folders = await openFolders();
  const terminal = await openTerminal("/bin/bash", ["--norc", "-i"], {
    cwd: folders.home,
    env: { ...programEnvironment(folders), PS1: "shell> ", HISTFILE: "" },
  });
  await terminal.waitFor("shell>");
  await terminal
    .send(`${programInShell()} --sandbox open ACME EXT-0000001\r`)
    .until("final, checked");
  await terminal.press("n").until("Note 1");
  await terminal.send("before the stop").until("before the stop");
  await go(terminal);
  // The footer follows a frame later, and a notice goes by itself.
  const above = (screen: string) => screen.split("\n").slice(0, -2).join("\n");
  const before = above(terminal.text());
  await terminal.press("ctrl-z").until("Stopped");
  expect(terminal.altScreen()).toBe(false);
  // The window may be another one when it goes on; what is typed in the shell is the shell's.
  await terminal.send("echo qqss\r").until(/\nqqss\n/);
  await terminal
    .send("fg\r")
    .until((screen) => above(screen) === before, { describe: "the frame before" });
  expect(terminal.altScreen()).toBe(true);
});

test("a resize while it is stopped clears nothing of the shell's, and counts when it goes on", async () => {
  const folders = await openFolders();
  const terminal = await openTerminal("/bin/bash", ["--norc", "-i"], {
    cwd: folders.home,
    cols: 120,
    rows: 30,
    env: { ...programEnvironment(folders), PS1: "shell> ", HISTFILE: "" },
  });
  await terminal.waitFor("shell>");
  await terminal
    .send(`${programInShell()} --sandbox open ACME EXT-0000001\r`)
    .until("final, checked");
  await terminal.press("ctrl-z").until("Stopped");
  await terminal.send("echo to be kept\r").until(/\nto be kept\n/);
  terminal.resize(80, 24);
  await terminal
    .send("fg\r")
    .until(
      (screen) =>
        /^Suppliers.*sandbox {2}UTC$/.test(screen.split("\n")[0] ?? "") &&
        screen.endsWith("q quit"),
      { describe: "a whole frame at 80×24" },
    );
  await terminal.press("q").until(/to be kept[\s\S]*shell>\s*$/);
});

test.each([
  [{ TERM: "unknown" }, /Suppliers [>›] ACME/],
  [{ LANG: "" }, /Suppliers › ACME/],
  [{ LANG: "C.UTF-8" }, /Suppliers › ACME/],
  [{ LANG: "en_US.UTF-8" }, /Suppliers › ACME/],
  [{ LANG: "C", LC_ALL: "en_US.UTF-8" }, /Suppliers › ACME/],
])("is usable with %j", async (env, shows) => {
  const terminal = await openConsole(["--sandbox", "open", "ACME"], { env });
  await terminal.waitFor("of 120 imported");
  expect(terminal.text()).toMatch(shows);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("takes the colors for a light background once the terminal answers, and takes no key from that", async () => {
  const terminal = await spawnConsole(["--sandbox", "open", "ACME"]);
  await terminal.waitFor(/\d+ of 120 imported/);
  expect(terminal.bytes()).toContain("\x1b]11;?");
  const imported = () => {
    const { row, col } = terminal.find("█");
    return terminal.cell(row, col).fg;
  };
  expect(imported()).toBe("green");
  terminal.send("\x1b]11;rgb:ffff/ff");
  await terminal.send("ff/ffff\x1b\\").until(() => imported() === "color-28", {
    describe: "the bar of the imported accounts in a darker green",
  });
  expect(terminal.screen()[0]).toMatch(/^Suppliers › ACME +sandbox {2}UTC$/);
});

test("takes the colors for a light background from COLORFGBG, and then does not ask", async () => {
  const terminal = await spawnConsole(["--sandbox", "open", "ACME"], {
    env: { COLORFGBG: "0;15" },
  });
  await terminal.waitFor(/\d+ of 120 imported/);
  const { row, col } = terminal.find("█");
  expect(terminal.cell(row, col).fg).toBe("color-28");
  expect(terminal.bytes()).not.toContain("\x1b]11;?");
});

test("keys typed for an editor that it did not read are not taken for the console's", async () => {
  const terminal = await spawnConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    env: { EDITOR: "echo the editor is open; read line; true" },
  });
  await terminal.waitFor("final, checked");
  await terminal.press("n").until("Enter next field");
  await terminal.press("page-down").until("Enter review");
  await terminal.press("ctrl-o").until("the editor is open");
  await terminal.send("a line for it\rqqqq").until("Enter review");
  expect(terminal.altScreen()).toBe(true);
  await terminal.press("esc").until("final, checked");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

/** Sends keys and waits until they have been heard: the last one has the screen drawn again. */
async function blindly(terminal: Console, keys: string): Promise<void> {
  const from = terminal.bytes().length;
  await terminal.send(`${keys}\x0c`).until(() => terminal.bytes().slice(from).includes("\x1b[2J"), {
    describe: "the screen drawn again",
  });
}

test("is written in lines where TERM is not set, and without a clipboard", async () => {
  const folders = await openFolders();
  const program = `${programInShell()} --sandbox open ACME EXT-0000001`;
  const terminal = await openTerminal("/bin/sh", ["-c", `unset TERM; exec ${program}`], {
    cwd: folders.home,
    env: programEnvironment(folders),
  });
  await terminal.waitFor("no further change expected");
  expect(terminal.altScreen()).toBe(false);
  await terminal.press("y").until(/has no clipboard/);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a window that is too small for a moment loses nothing: not the form, nor what is typed meanwhile", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"]);
  await terminal.waitFor("final, checked");
  await terminal.press("n").until("Note 1");
  terminal.resize(40, 10);
  await terminal.waitFor("40×10 is too small");
  // Text goes into the field; what would act on something unseen does not.
  await blindly(terminal, "quite blind\r\t\x07");
  terminal.resize(80, 24);
  await terminal.waitFor(/▌ +Body +quite blind/);
  terminal.resize(40, 10);
  await terminal.waitFor("40×10 is too small");
  terminal.paste(", and pasted");
  await blindly(terminal, "");
  terminal.resize(80, 24);
  const shown = await terminal.waitFor(/▌ +Body +quite blind, and pasted/);
  expect(shown).not.toContain("no longer exists");
  await terminal.press("ctrl-g").until("s send now");
  terminal.resize(30, 5);
  await terminal.waitFor("30×5 is too small");
  await blindly(terminal, "s\rq");
  terminal.resize(80, 24);
  await terminal.waitFor("s send now");
});

test("what is pasted where no field is, in a window that is too small, is said not to be taken", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"]);
  await terminal.waitFor("final, checked");
  terminal.resize(40, 10);
  await terminal.waitFor("40×10 is too small");
  await terminal.paste("EXT-0000002").until("The paste was ignored.");
  terminal.resize(80, 24);
  await terminal.waitFor("final, checked");
  await terminal.waitForGone("The paste was ignored.");
});

test("a hidden menu ignores keys", async () => {
  const terminal = await openConsole([], { cols: 80, rows: 24 });
  await terminal.waitFor("Connect to a service");
  terminal.resize(30, 5);
  await terminal.waitFor("30×5 is too small");
  await blindly(terminal, "j\r");
  terminal.resize(80, 24);
  await terminal.waitFor(/▌ Sandbox/);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});
