import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Folders, openFolders } from "../../helpers/folders.ts";
import { openSandbox } from "../../helpers/service.ts";
import { type SpawnConsoleOptions, spawnConsole, type Terminal } from "../../helpers/terminal.ts";
import { losses, openHeld } from "./hung-up.ts";
import { layLifeline } from "./lifeline.ts";

let folders: Folders;
beforeEach(async () => {
  folders = await openFolders();
});

const account = ["--sandbox", "open", "ACME", "EXT-0000001"];

async function onAccount(options: SpawnConsoleOptions = {}): Promise<Terminal> {
  const terminal = await spawnConsole(account, { folders, ...options });
  await terminal.waitFor("final, checked");
  return terminal;
}

/** A pager that shows what it was given, with its arguments, and stays until a line is entered. */
async function pager(extra = ""): Promise<string> {
  const path = join(folders.home, "pager.sh");
  const script = `#!/bin/bash
${extra}
printf 'the pager has the terminal: %s\\n' "$*"
/bin/cat
read -r answer < /dev/tty
printf '%s' "$answer" > '${folders.home}/answer'
`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}

/** Waits until the pager was started for the n-th time. */
function pagerIsOpen(terminal: Terminal, times = 1): Promise<string> {
  const opened = () => terminal.bytes().split("the pager has the terminal").length - 1;
  return terminal.waitFor(() => opened() >= times, { describe: `the pager for time ${times}` });
}

describe.each([
  { cols: 200, rows: 50 },
  { cols: 80, rows: 24 },
  { cols: 60, rows: 15 },
])("at $cols×$rows", (size) => {
  test("M reads the raw answer in $PAGER with its arguments, and comes back to where it was", async () => {
    const PAGER = `${await pager()} --one 'two words'`;
    const terminal = await onAccount({ ...size, env: { PAGER } });
    const shown = await terminal
      .press("M")
      .until(/has the terminal: --one two words[\s\S]*COMPLETED/);
    expect(terminal.altScreen()).toBe(false);
    expect(shown).toContain('"status": "COMPLETED"');
    await terminal.send("\rqqqqn").until("final, checked");
    expect(terminal.altScreen()).toBe(true);
    await terminal.press("v").until("Raw:");
    terminal.press("M");
    await pagerIsOpen(terminal, 2);
    await terminal.send("\r").until("Raw:");
    await terminal.press("esc").until("final, checked");
    await terminal.openPalette("pager").until(/pager +M/);
    terminal.press("enter");
    await pagerIsOpen(terminal, 3);
    await terminal.send("\r").until("final, checked");
    terminal.press("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });

  test("Review and the help are read there in whole", async () => {
    const PAGER = await pager();
    const terminal = await onAccount({ ...size, env: { PAGER } });
    await terminal.press("?").until("Keys on Account");
    terminal.press("M");
    await pagerIsOpen(terminal);
    await terminal.waitFor(() => /Works elsewhere/.test(terminal.bytes()));
    await terminal.send("\r").until("Keys on Account");
    await terminal.press("esc").untilGone("Keys on Account");
    await terminal.press("n").until("Note 1");
    await terminal.send("for the pager").until("for the pager");
    await terminal.press("ctrl-g").until("s send now");
    terminal.press("M");
    await pagerIsOpen(terminal, 2);
    await terminal.waitFor(() => terminal.bytes().includes("On failure"));
    await terminal.send("\r").until("s send now");
  });
});

test("less is taken where nothing is set, and stays with a text that fits the screen", async () => {
  const terminal = await onAccount({
    env: { LESS: "-FRX", PATH: `${process.env.PATH}:/usr/bin:/bin` },
  });
  await terminal.press("M").until("(END)");
  await terminal.press("q").until("final, checked");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("what only prints, like cat, is read before the console comes back", async () => {
  const terminal = await onAccount({ env: { PAGER: "/bin/cat" } });
  await terminal.press("M").until(/"status": "COMPLETED"[\s\S]*Enter comes back to supplyline/);
  await terminal.send("\r").until("final, checked");
  expect(terminal.altScreen()).toBe(true);
});

// A shell starts it, which reports it: in a root without one there is another message.
test("a pager that cannot be started is reported, and the text is shown all the same", async () => {
  const terminal = await onAccount({ env: { PAGER: "no-such-pager -x" } });
  await terminal.press("M").until("no-such-pager -x could not be started; set PAGER");
  await terminal.waitFor("Raw:");
  terminal.press("M");
  const told = () => terminal.bytes().split("could not be started").length - 1;
  await terminal.waitFor(() => told() > 1, { describe: "that it is reported again" });
  await terminal.waitFor("Raw:");
});

test("a resize while another program has the terminal writes nothing over it, and counts afterwards", async () => {
  const PAGER = await pager();
  const terminal = await onAccount({ cols: 120, rows: 30, env: { PAGER } });
  await terminal.press("M").until(/has the terminal[\s\S]*COMPLETED/);
  const before = terminal.bytes().length;
  terminal.resize(70, 20);
  await terminal
    .send("done\r")
    .until((screen) => screen.split("\n").at(-1)?.endsWith("q quit") === true, {
      describe: "a whole frame at 70×20",
    });
  expect(terminal.screen()).toHaveLength(20);
  const written = terminal.bytes().slice(before);
  expect(written.slice(0, written.indexOf("\x1b[?1049h"))).not.toMatch(/\x1b\[(?:2J|[HJ]|\d*A)/);
});

test.each(losses)("the pager ends too when $name", async (loss) => {
  const pagers = layLifeline(folders.home, "pagers");
  const PAGER = await pager(`exec 8>'${pagers.path}'`);
  const held = await openHeld(account, { folders, env: { PAGER }, loss });
  await held.terminal.waitFor("final, checked");
  await held.terminal.press("M").until("has the terminal");
  await held.hangUp();
  await pagers.gone;
});

test("what a service sends cannot speak to the terminal through the pager", async () => {
  const service = await openSandbox({ speed: 1, faults: ["shape=hostile@account-status"] });
  const PAGER = await pager();
  await using terminal = await spawnConsole(["open", "ACME", "EXT-0000001"], {
    folders,
    env: { ...service.env, PAGER },
  });
  await terminal.waitFor("checked just now");
  await terminal.press("M").until("has the terminal");
  await terminal.waitFor(/status/);
  const from = terminal.bytes().lastIndexOf("has the terminal");
  expect(terminal.bytes().slice(from)).not.toMatch(/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
});
