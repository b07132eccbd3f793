/** Tests that input without a key press does nothing, on every screen. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAccount, openForm } from "../flows/composing.ts";
import { fakeClock } from "../helpers/clock.ts";
import { openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { openReview } from "./reviewing.tsx";

/** Sequences with letters and digits that are keys of the screens below. */
const stray = {
  "a click, in the coordinates of the oldest mouse mode": "\x1b[M s*\x1b[M#s*",
  "a click far to the right": "\x1b[M \u0100s\x1b[M q\u0110",
  "a click in the newer mouse modes": "\x1b[<0;83;10M\x1b[<0;83;10m\x1b[32;83;10M",
  "a key that is released": "\x1b[115;1:3u\x1b[13;1:3u\x1b[1;1:3B\x1b[32;1:3u\x1b[121;1:3u",
  "a change of the focus, a position and modes":
    "\x1b[I\x1b[O\x1b[12;40R\x1b[?2026;2$y\x1b[?62;22c",
  "the name of the terminal": "\x1bP>|xterm(370) sysx\x1b\\",
  "an answer of the graphics protocol": "\x1b_Gi=31;OK sysx\x1b\\",
  "a clipboard": `\x1b]52;c;${"c3lzeA".repeat(40)}\x1b\\`,
  colors: "\x1b]11;rgb:1e1e/1e1e/1e1e\x07\x1b]4;1;rgb:cdcd/0000/0000\x1b\\",
  "a string that another one interrupts": "\x1bP1$r s\x1b_sysx\x07",
} as const;

test("nothing that is no key press sends a payment", async () => {
  const service = await openSandbox();
  const sent = () => service.ledger().filter(({ cause }) => cause === "request").length;
  const { screen } = await openReview({
    service,
    kind: "payment-instructions",
    values: { vendor: "GOODPAY", reference: "R-1", type: "CARD" },
  });
  await screen.waitFor("s send now");
  for (const [name, bytes] of Object.entries(stray)) {
    for (const cut of [bytes.length, 2, 3, 4, bytes.length - 1]) {
      screen.send(bytes.slice(0, cut));
      screen.send(bytes.slice(cut));
    }
    await screen.press("x").until("curl -sS -X POST");
    await screen.press("esc").untilGone("curl -sS");
    await screen.waitFor("s send now");
    expect(sent(), name).toBe(0);
  }
  await screen.act("send").until("confirmed");
  expect(sent()).toBe(1);
});

test("nothing that is no key press is typed into a field", async () => {
  const folders = await openFolders();
  const terminal = await openForm(folders, "n", "Notes for");
  for (const bytes of Object.values(stray)) terminal.send(`${bytes}.`);
  const count = Object.keys(stray).length;
  await terminal.waitFor(new RegExp(`Note 1 +\\.{${count}}$`, "m"));
});

test("the answer about the background, cut after one byte or two, opens nothing", async () => {
  const folders = await openFolders();
  const terminal = await openAccount(folders);
  for (const cut of [1, 2, 3]) {
    const answer = "\x1b]11;rgb:1e1e/1e1e/1e1e\x07";
    terminal.send(answer.slice(0, cut));
    terminal.send(answer.slice(cut));
    await terminal.press("n").until("Notes for");
    expect(terminal.text()).not.toContain("1e1e");
    await terminal.press("esc").untilGone("Notes for");
  }
});

test("Ctrl-C works in the forms in which a terminal sends it when asked", async () => {
  for (const bytes of ["\x1b[27;5;99~", "\x1b[99;5u", "\x1b[1089::99;5u"]) {
    await using terminal = await openConsole(["--sandbox"]);
    await terminal.waitFor("ACME");
    // The first one cancels what is loading, if something is.
    terminal.send(bytes.repeat(2));
    await terminal.exit;
    expect(terminal.altScreen(), bytes).toBe(false);
  }
});

test("what the terminal still owes an editor does not reach the note, and keys after it do", async () => {
  const folders = await openFolders();
  const editor = join(folders.home, "edit.sh");
  writeFileSync(editor, `#!/bin/sh\nprintf 'edited text' > "$1"\n`);
  chmodSync(editor, 0o755);
  const answers: string[] = [];
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  const terminal = await openAccount(
    folders,
    { env: { VISUAL: editor, PATH: process.env.PATH ?? "" } },
    (args, options) =>
      openConsole(args, {
        ...options,
        clock: fakeClock(),
        answer: (bytes) => {
          answers.push(bytes);
          resolve();
        },
      }),
  );
  await terminal.press("n").until("Notes for");
  terminal.press("ctrl-o");
  await answered;
  // The editor read the beginning of the first answer.
  terminal.send("|Konsole 23.08.11\x1b\\\x1bP1$r2 q\x1b\\");
  terminal.send(`:wq\r${answers.join("")}, more`);
  await terminal.waitFor(/Note 1 +edited text, more$/m);
});
