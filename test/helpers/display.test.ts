import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Display } from "./display.ts";
import { openFolders } from "./folders.ts";
import { FrameGate } from "./frame-gate.ts";
import { keyBytes, keysBytes } from "./key-bytes.ts";
import { watchedScreen } from "./watched-screen.ts";

/** A display that has been fed and has drawn all of it. */
async function drawn(cols: number, rows: number, ...chunks: string[]): Promise<Display> {
  const display = new Display(cols, rows, () => {});
  for (const chunk of chunks) display.feed(chunk);
  await display.end("no more output");
  return display;
}

describe("what is seen on the screen", () => {
  test("has colors and styles by name", async () => {
    const display = await drawn(
      20,
      2,
      "\x1b[1;31mA\x1b[0;7mB\x1b[0;2;92mC\x1b[48;2;1;2;3mD\x1b[0mE",
    );
    expect(display.cell(0, 0)).toMatchObject({ chars: "A", fg: "red", bold: true, inverse: false });
    expect(display.cell(0, 1)).toMatchObject({ chars: "B", fg: "default", inverse: true });
    expect(display.cell(0, 2)).toMatchObject({ chars: "C", fg: "bright-green", dim: true });
    expect(display.cell(0, 3)).toMatchObject({ chars: "D", bg: "#010203" });
    expect(display.cell(0, 4)).toMatchObject({ chars: "E", fg: "default", bg: "default" });
    expect(() => display.cell(2, 0)).toThrow(RangeError);
  });

  test.each([
    ["宽", 2],
    ["🎉", 2],
    ["é", 1],
    ["❤️", 2],
    ["👩‍💻", 2],
    ["👍🏽", 2],
    ["🇩🇪", 2],
  ])("%s takes %i cells, as in today's terminals", async (character, width) => {
    const display = await drawn(20, 1, `${character}|`);
    expect(display.find("|")).toEqual({ row: 0, col: width });
    expect(display.text()).toBe(`${character}|`);
    expect(display.cell(0, 0)).toMatchObject({ chars: character, width });
  });

  test("never shows half of a synchronised drawing", async () => {
    const display = new Display(20, 2, () => {});
    display.feed("\x1b[?2026hone\x1b[?2026l\x1b[?20");
    expect(await display.waitFor("one")).toBe("one\n");
    display.feed("26h\rtw");
    display.feed("o\x1b[?2026");
    const seen: string[] = [];
    const gone = display.waitForGone((screen) => {
      seen.push(screen);
      return screen.startsWith("one");
    });
    display.feed("l");
    expect(await gone).toBe("two\n");
    expect(new Set(seen)).toEqual(new Set(["one\n", "two\n"]));
  });

  test("has a title, an alternate screen, and the bytes behind them", async () => {
    const display = await drawn(20, 1, "\x1b]2;Suppliers\x07\x1b[?1049hin front");
    expect([display.title(), display.altScreen(), display.text()]).toEqual([
      "Suppliers",
      true,
      "in front",
    ]);
    expect(display.bytes()).toContain("\x1b[?1049h");
  });

  test("the display helper names the text that did not appear", async () => {
    const display = new Display(9, 1, () => {});
    display.feed("here");
    await display.waitFor("here");
    await expect(display.waitFor(/there/, { bound: 1 })).rejects.toThrow(
      "waited for /there/; gave up after 0.001 s\n┌─────────┐\n│here     │\n└─────────┘",
    );
    await expect(
      display.waitForGone(() => true, { bound: 1, describe: "the heading" }),
    ).rejects.toThrow("waited for this to go: the heading");
    expect(() => display.find("there")).toThrow("“there” is not on the screen");
  });
});

describe("frames", () => {
  test("come out whole and in order, however the output was cut", () => {
    const output = "a\x1b[?2026hb\x1b[?2026lc\x1b[31md\x1b[?2026he\x1b[?2026l\x1b[?25h";
    for (let size = 1; size <= output.length; size++) {
      const gate = new FrameGate();
      let out = "";
      for (let at = 0; at < output.length; at += size) {
        const shown = gate.push(output.slice(at, at + size));
        const opened = shown.split("\x1b[?2026h").length;
        expect(shown.split("\x1b[?2026l").length, `cut by ${size}`).toBe(opened);
        out += shown;
      }
      expect(out + gate.flush()).toBe(output);
    }
  });
});

describe("keys", () => {
  test("key helpers send the bytes of a terminal", () => {
    expect(keysBytes(["ctrl-c", "enter", "shift-tab", "page-down", "G", "ü"])).toBe(
      "\x03\r\x1b[Z\x1b[6~Gü",
    );
    expect(keyBytes("up", true)).toBe("\x1bOA");
    expect(keyBytes("alt-x")).toBe("\x1bx");
  });

  test("refuse what no terminal could distinguish, and names that are none", () => {
    expect(() => keysBytes(["esc", "j"])).toThrow("reads as Alt");
    expect(() => keyBytes("pagedown")).toThrow("no key is called “pagedown”");
  });
});

test("a watched terminal gets what the test sees, and none does by default", async () => {
  await using folders = await openFolders();
  const terminal = join(folders.home, "tty");
  mkdirSync(folders.home, { recursive: true });
  const show = watchedScreen(terminal);
  show("\x1b[1mACME");
  show(" 1,200");
  watchedScreen("")("not shown");
  expect(readFileSync(terminal, "utf8")).toBe("\x1b[1mACME 1,200");
});
