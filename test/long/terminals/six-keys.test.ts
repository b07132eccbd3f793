import { type Folders, openFolders } from "../../helpers/folders.ts";
import type { KeyName } from "../../helpers/key-bytes.ts";
import { openSandbox, type TestSandbox } from "../../helpers/service.ts";
import { openTerminal, type Terminal } from "../../helpers/terminal.ts";
import { shellEnvironment } from "./pasted.ts";

let service: TestSandbox;
let folders: Folders;

beforeEach(async () => {
  service = await openSandbox({ speed: 20 });
  folders = await openFolders();
});

const sizes = [
  { cols: 200, rows: 50 },
  { cols: 80, rows: 24 },
  { cols: 60, rows: 15 },
] as const;

const number = "EXT-0000001";
const text = "seen, called back";

/** Hands that press keys and paste, and count each: a paste is one. */
function counting(terminal: Terminal) {
  let keys = 0;
  return {
    keys: () => keys,
    press(key: KeyName) {
      keys++;
      terminal.press(key);
    },
    paste(what: string) {
      keys++;
      terminal.paste(what);
    },
  };
}

async function shell(size: (typeof sizes)[number]): Promise<Terminal> {
  const env = await shellEnvironment(folders, {
    ...service.env,
    PS1: "$ ",
  });
  const terminal = await openTerminal("/bin/sh", ["-i"], { ...size, env });
  await terminal.waitFor(/^\$/);
  return terminal;
}

const landed = () => service.ledger().filter(({ cause }) => cause === "request");

/** From the account's screen: the note pasted, reviewed and sent. */
async function sendNote(terminal: Terminal, hands: ReturnType<typeof counting>) {
  await terminal.waitFor("COMPLETED");
  hands.press("n");
  await terminal.waitFor("Note 1");
  hands.paste(text);
  await terminal.waitFor(text);
  hands.press("ctrl-g");
  await terminal.waitFor("s send now");
  hands.press("s");
  await terminal.waitFor("NOTE_CREATION_SUCCESS");
}

test.each(sizes)(
  "from a shell with a number on the clipboard to its status, and a note sent, at $cols×$rows",
  async (size) => {
    const terminal = await shell(size);
    const hands = counting(terminal);
    // The command's own words are typed as on any day.
    terminal.send("supplyline open ACME ");
    await terminal.paste(number).until(`open ACME ${number}`);
    hands.press("enter");
    await sendNote(terminal, hands);
    expect(hands.keys()).toBe(5);
    expect(landed()).toMatchObject([{ endpoint: "notes", identifier: number, key: text }]);
  },
);

test.each(sizes)(
  "in a console that is open: the number pasted, and the note, in six keys at $cols×$rows",
  async (size) => {
    const terminal = await shell(size);
    const hands = counting(terminal);
    await terminal.send("supplyline open ACME\r").until("of 120 imported");
    hands.paste(number);
    await terminal.waitFor(new RegExp(`ACME/${number} +imported`));
    hands.press("enter");
    await sendNote(terminal, hands);
    expect(hands.keys()).toBe(6);
    expect(landed()).toMatchObject([{ endpoint: "notes", identifier: number, key: text }]);
  },
);

test("Ctrl-G on a form with something wrong goes to it, and to no review", async () => {
  const terminal = await shell(sizes[1]);
  await terminal.send(`supplyline open ACME ${number}\r`).until("COMPLETED");
  await terminal.press("n").until("Ctrl-G review");
  await terminal.press("ctrl-g").until("1 problem to correct first, marked !");
  expect(terminal.text()).toContain("Note 1");
  expect(landed()).toEqual([]);
});

test("a send key typed ahead of the review sends nothing, and counts when it is pressed again", async () => {
  const terminal = await shell(sizes[1]);
  await terminal.send(`supplyline open ACME ${number}\r`).until("COMPLETED");
  await terminal.press("n").until("Note 1");
  await terminal.send(`${text}\x07s`).until("press it again");
  expect(terminal.text()).toContain("Nothing has been sent");
  expect(landed()).toEqual([]);
  await terminal.press("s").until("NOTE_CREATION_SUCCESS");
  expect(landed()).toHaveLength(1);
});

test("a key typed ahead of the console itself is not lost, and stands on no line of it", async () => {
  const terminal = await shell(sizes[1]);
  await terminal.send(`supplyline --sandbox open ACME ${number}\rn`).until("Note 1");
  expect(terminal.text()).toMatch(/^Compose/);
  await terminal.press("esc").until("COMPLETED");
  expect(terminal.text()).toMatch(/^Suppliers › ACME › Accounts › EXT-0000001 /);
});
