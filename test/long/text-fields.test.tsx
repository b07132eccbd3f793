import { editLine, type LineState, lineOf } from "../../src/forms/line-editor.ts";
import { editingOn } from "../../src/keys/editing.ts";
import { isPrintable } from "../../src/keys/key-name.ts";
import type { Place } from "../../src/session/places.ts";
import { widthOf } from "../../src/text/width.ts";
import { keyBytes } from "../helpers/key-bytes.ts";
import type { Screen } from "../helpers/screen.tsx";
import { openSandbox } from "../helpers/service.ts";
import { type OpenedConsole, openConsoleAt } from "../screens/opened-console.tsx";

const account: Place = { kind: "account", supplier: "ACME", account: "EXT-0000001" };

async function openAt(
  places: readonly Place[],
  size: { readonly cols?: number; readonly rows?: number } = {},
): Promise<OpenedConsole> {
  const sandbox = await openSandbox();
  return openConsoleAt({ service: sandbox, places: [{ kind: "suppliers" }, ...places], ...size });
}

async function openForm(
  key: string,
  field: RegExp,
  size: { readonly cols?: number; readonly rows?: number } = {},
): Promise<OpenedConsole> {
  const opened = await openAt([account], size);
  await opened.screen.waitFor("COMPLETED");
  await opened.screen.press(key).until(field);
  return opened;
}

/** The text of the line that the cursor is in, from a cell on. */
function lineFrom(screen: Screen, col: number): string {
  return (screen.screen()[screen.cursor().row] ?? "").slice(col);
}

/** Waits until the cursor is this many cells into a text in its line. */
async function cursorIn(screen: Screen, text: string, cells = widthOf(text)): Promise<void> {
  await screen.waitFor(
    () => {
      const { col } = screen.cursor();
      const line = lineFrom(screen, 0);
      const at = line.lastIndexOf(text);
      return at !== -1 && widthOf(line.slice(0, at)) + cells === col;
    },
    { describe: `the cursor ${cells} cells into “${text}”` },
  );
}

/** Returns true if the last sequence for the cursor shows it. */
function showsCursor(screen: Screen): boolean {
  return screen.bytes().lastIndexOf("\x1b[?25h") > screen.bytes().lastIndexOf("\x1b[?25l");
}

test("an amount typed after a review that was refused is the amount that was typed", async () => {
  const { screen } = await openForm("t", /▌ +Transaction ID/);
  await screen.send("T-9\r").until(/▌ +Date/);
  await screen.send("2026-11-20\r").until(/▌ +Amount/);
  await screen.press("ctrl-g").until("Review it without");
  await screen.press("n").until(/▌ +Amount/);
  await screen.send("12.50").until(/Amount +12\.50$/m);
  await cursorIn(screen, "12.50");
});

/** Keys by name, but for those that lead out of a field, and those that begin longer sequences. */
const namedKeys = [
  ...[..."abdefhklnpqrstuvwy\\]^_@"].map((sign) => `ctrl-${sign}`),
  ...[..."abcdefghijklmnopqrstuvwxyzABF0189.,-/;'<>?~!$ "].map((sign) => `alt-${sign}`),
  ...["left", "right", "home", "end", "delete", "backspace"],
].map((name) => ({ name: name.toLowerCase(), bytes: keyBytes(name) }));

/** Sequences that terminals send for further keys; those without a name must do nothing. */
const sequences = [
  { name: "ctrl-left", bytes: "\x1b[1;5D" },
  { name: "ctrl-left", bytes: "\x1bOd" },
  { name: "ctrl-right", bytes: "\x1b[1;5C" },
  { name: "alt-left", bytes: "\x1b[1;3D" },
  { name: "alt-backspace", bytes: "\x1b\x7f" },
  { name: "alt-enter", bytes: "\x1b\r" },
  { name: "ctrl-delete", bytes: "\x1b[3;5~" },
  { name: "home", bytes: "\x1b[1~" },
  { name: "home", bytes: "\x1b[7~" },
  { name: "end", bytes: "\x1bOF" },
  { name: "nothing", bytes: "\x1bOR" },
  { name: "nothing", bytes: "\x1b[15~" },
  { name: "nothing", bytes: "\x1b[2~" },
  { name: "nothing", bytes: "\x1b[I" },
  { name: "nothing", bytes: "\x1b[[C" },
];

const keyboard = [...namedKeys, ...sequences];

function pressed(line: LineState, key: string): LineState {
  if (isPrintable(key)) return editLine(line, { type: "insert", text: key });
  const id = editingOn(key, line.multiline);
  if (id === null || id === "row-up" || id === "row-down") return line;
  return editLine(line, { type: id });
}

/**
 * Presses every key between two typed texts, in a field of one line that has the focus. `except` are
 * the keys that lead out of this field.
 */
async function tryEveryKey(
  screen: Screen,
  shown: (text: string) => string,
  except: readonly string[] = [],
): Promise<void> {
  // Where the field begins is read once it has shown a text: a first frame might still move it.
  const probe = shown("ab");
  screen.send("ab");
  const isBehindProbe = () => {
    const from = screen.cursor().col - probe.length;
    return showsCursor(screen) && from >= 0 && lineFrom(screen, from).startsWith(probe);
  };
  await screen.waitFor(isBehindProbe, { describe: "a cursor behind the first text" });
  const start = { col: screen.cursor().col - probe.length };
  await screen
    .send("\x15")
    .until(() => screen.cursor().col === start.col, { describe: "an empty field" });
  let line = editLine(editLine(lineOf(""), { type: "insert", text: "ab" }), {
    type: "kill-to-start",
  });
  for (const { name, bytes } of keyboard.filter((key) => !except.includes(key.name))) {
    line = ["a", "b", name, "c", "d"].reduce(pressed, line);
    const { text, cursor } = line;
    await screen
      .send(`ab${bytes}cd`)
      .until(
        () =>
          lineFrom(screen, start.col).split(/ {2}/)[0]?.trimEnd() === shown(text) &&
          screen.cursor().col === start.col + cursor,
        { describe: `“${text}” with the cursor at ${cursor} after ab, ${name}, cd` },
      );
    screen.send("\x1b[F\x15");
    line = ["end", "ctrl-u"].reduce(pressed, line);
    await screen.waitFor(() => screen.cursor().col === start.col, { describe: "an empty field" });
  }
}

describe("no key of the keyboard scrambles what is typed after it", () => {
  const asTyped = (text: string) => text;

  test("in the palette", async () => {
    const { screen } = await openAt([account]);
    await screen.waitFor("COMPLETED");
    await screen.openPalette().until("Go to a place");
    await tryEveryKey(screen, asTyped);
  });

  test("in a filter", async () => {
    const { screen } = await openAt([
      { kind: "overview", supplier: "ACME" },
      { kind: "accounts", supplier: "ACME", tab: "all" },
    ]);
    await screen.waitFor("1 of 120");
    await screen.press("/").until("keep filter");
    // It names the filter.
    await tryEveryKey(screen, asTyped, ["ctrl-s"]);
  });

  test("in a field of a form", async () => {
    const opened = await openForm("t", /▌ +Transaction ID/);
    await tryEveryKey(opened.screen, asTyped);
  });

  test("in a password", async () => {
    const { screen } = await openAt([{ kind: "connect", edit: null }]);
    await screen.waitFor("API key");
    for (const field of ["Base URL", "Environment", "Read-only", "API key"]) {
      await screen.press("tab").until(`▌ ${field}`);
    }
    await screen.waitFor(/▌ +API key/);
    await tryEveryKey(screen, (text) => "•".repeat(text.length));
  });
});

test("keys that arrive in one piece all apply, in order, to the newest text", async () => {
  const { screen } = await openForm("n", /▌ +Body/);
  screen.send("one two three\x1bb\x1bbX\x05!\x01>\x06\x06\x04\x1b[D\x7f");
  // Behind ">" it goes two to the right, deletes one, goes one back and deletes one.
  await screen.waitFor(/Body +>n Xtwo three!$/m);
  await cursorIn(screen, ">n Xtwo three!", 1);
});

describe("the terminal's cursor", () => {
  test("is hidden where no text is typed, and stands at the insertion point where it is", async () => {
    const { screen } = await openForm("n", /▌ +Body/);
    screen.send("Zoë漢字");
    await cursorIn(screen, "Zoë漢字", 7);
    expect(showsCursor(screen)).toBe(true);
    screen.press("left", "left");
    await cursorIn(screen, "Zoë漢字", 3);
    await screen.press("page-down").until(/▌ +\[ Review \]/);
    expect(showsCursor(screen)).toBe(false);
    await screen.press("esc").until("COMPLETED");
    await screen.openPalette().until("Go to a place");
    screen.send("ACME");
    await cursorIn(screen, ": ACME");
    expect(showsCursor(screen)).toBe(true);
  });

  test("follows from field to field, and a field that a new size moves", async () => {
    const { screen } = await openForm("p", /▌ +Vendor/, { cols: 100, rows: 30 });
    screen.send("GOODPAY");
    await cursorIn(screen, "GOODPAY");
    await screen.press("tab").until(/▌ +Reference/);
    screen.send("R-1");
    await cursorIn(screen, "R-1");
    screen.resize(60, 15);
    await screen.waitFor((text) => text.split("\n")[0]?.length === 60, {
      describe: "60 columns",
    });
    await cursorIn(screen, "R-1");
    screen.send("23");
    await cursorIn(screen, "R-123");
    screen.resize(40, 10);
    await screen.waitFor("too small");
    expect(showsCursor(screen)).toBe(false);
    screen.send("4");
    screen.resize(80, 24);
    await cursorIn(screen, "R-1234");
    expect(showsCursor(screen)).toBe(true);
  });
});

describe("a field of several lines", () => {
  test("takes line breaks and is moved through, and left at its first and its last line", async () => {
    const { screen } = await openForm("n", /▌ +Body/);
    await screen.send("first\nsecond\x1b\rthird").until(/Body +first\n +second\n +third$/m);
    await screen.send("\x1b[A\x1b[A!").until(/Body +first!\n/);
    await screen.press("up").until(/▌ +▼ Note 1/);
    await screen.press("down").until(/▌ +Body/);
    await cursorIn(screen, "third");
    await screen.press("down").until(/▌ +Documents/);
    await screen.waitFor("first! … (3 lines)");
  });

  test("keeps the lines of a paste, which goes in at the cursor, and shows what cannot be seen", async () => {
    const { screen } = await openForm("n", /▌ +Body/);
    screen.send("[]\x1b[D");
    await screen.paste("one\ntwo\u200b").until(/Body +\[one\n +two⟨U\+200B⟩\]$/m);
    await screen.waitFor("Sent unchanged with characters that cannot be seen: U+200B.");
  });
});

test("keys that page elsewhere edit in a field: Ctrl-B, Ctrl-F, Home, End, Delete", async () => {
  const { screen } = await openForm("t", /▌ +Transaction ID/);
  screen.send("bcd\x02\x02\x1b[3~\x1b[Ha\x1b[F.\x06\x06e");
  await cursorIn(screen, "abd.e");
  await screen.waitFor(/▌ +Transaction ID +abd\.e$/m);
});

test("a paste of 100 kB keeps every character, and the field stays as fast as a short one", async () => {
  const { screen } = await openForm("n", /▌ +Body/);
  const text = Array.from({ length: 12_500 }, (_, at) => String(at).padStart(7, "0")).join(" ");
  screen.send("<>\x1b[D");
  screen.paste(text);
  await cursorIn(screen, `${text.slice(-7)}>`, 7);
  await screen.send("!\x01?").until(/Body +\?<0000000 0000001/);
  screen.resize(60, 15);
  await screen.send("!").until(/Body +\?!<0000000/);
  screen.press("end", "backspace");
  await cursorIn(screen, `${text.slice(-7)}!`, 8);
});
