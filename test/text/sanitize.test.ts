import { Terminal } from "@xterm/headless";
import { safe, safeCell, safeLines } from "../../src/text/sanitize.ts";
import * as fc from "../helpers/fast-check.ts";
import { FORBIDDEN, HOSTILE, mixes } from "./hostile.ts";

describe("untrusted text for a terminal", () => {
  test.each(Object.entries(HOSTILE))("%s leaves nothing a terminal would obey", (_, text) => {
    expect(safe(text)).not.toMatch(FORBIDDEN);
    expect(safe(text)).not.toMatch(/[\t\n]/);
    expect(safeLines(text)).not.toMatch(FORBIDDEN);
    expect(safeLines(text)).not.toContain("\t");
    expect(safeCell(text).replaceAll("\r\n", "")).not.toMatch(FORBIDDEN);
  });

  test("any mix is made safe, and a second pass changes nothing", () => {
    fc.assert(
      fc.property(mixes, (text) => {
        const shown = safe(text);
        expect(shown).not.toMatch(FORBIDDEN);
        expect(shown).not.toMatch(/[\t\n]/);
        expect(safe(shown)).toBe(shown);
        expect(safe(shown)).toBe(shown);
        const lines = safeLines(text);
        expect(lines).not.toMatch(FORBIDDEN);
        expect(safeLines(lines)).toBe(lines);
      }),
      { numRuns: 500 },
    );
  });

  test("everything printable in the payload stays readable, in its order", () => {
    fc.assert(
      fc.property(mixes, (text) => {
        const printable = text.match(/[\x21-\x7e]/g) ?? [];
        // Stand-ins add only their own letters, between ⟨ and ⟩.
        const shown = safe(text).replaceAll(/\u27e8U\+[0-9A-F]+\u27e9/g, "");
        expect(shown.match(/[\x21-\x7e]/g) ?? []).toEqual(printable);
      }),
      { numRuns: 300 },
    );
  });

  test("replacement characters name the removed control character", () => {
    expect(safe("\u001b[31mred")).toBe("␛[31mred");
    expect(safe("a\u0000b\tc\nd\re\u007f")).toBe("a␀b␉c␊d␍e␡");
    expect(safe("\u009b31m")).toBe("⟨U+009B⟩31m");
    expect(safe("EXT-\u202e1")).toBe("EXT-⟨U+202E⟩1");
    expect(safe("x\u{e0041}")).toBe("x⟨U+E0041⟩");
    expect(safe("\ud83d!")).toBe("⟨U+D83D⟩!");
  });

  test("ordinary text comes back as the same string", () => {
    for (const text of [
      "",
      "EXT-1 & co.",
      "Zoë Müller",
      "日本語",
      "e\u0301",
      "ภาษาไทย",
      "שָׁלוֹם",
      "❤️",
      "🇨🇭",
      "1️⃣",
    ]) {
      expect(safe(text)).toBe(text);
      expect(safeLines(text)).toBe(text);
    }
  });

  test("a variation selector is kept once where it has a meaning and shown elsewhere", () => {
    expect(safe("☎\ufe0f 中\u{e0100}")).toBe("☎\ufe0f 中\u{e0100}");
    expect(safe("EXT-1\ufe0f")).toBe("EXT-1⟨U+FE0F⟩");
    expect(safe("☎\ufe0f\ufe0f")).toBe("☎\ufe0f⟨U+FE0F⟩");
    expect(safe("a\u{e0100}")).toBe("a⟨U+E0100⟩");
  });

  test("emoji that only some terminals join are shown as their parts", () => {
    expect(safe("👩\u200d🚀")).toBe("👩⁀🚀");
    expect(safe("👋🏽")).toBe("👋⟨U+1F3FD⟩");
    expect(safe("a\u200db")).toBe("a⟨U+200D⟩b");
  });

  test("a combining mark without a base gets one, and stacked marks are limited", () => {
    expect(safe("\u0301abc")).toBe("\u25cc\u0301abc");
    expect(safeLines("a\n\u0301b")).toBe("a\n\u25cc\u0301b");
    expect(safe(`Z${"\u0301".repeat(10)}`)).toBe(`Z${"\u0301".repeat(8)}⟨U+0301⟩⟨U+0301⟩`);
  });

  test("lines are kept where lines are wanted, and tabs become spaces", () => {
    expect(safeLines("a\r\nb\nc\td\re")).toBe("a\nb\nc    d␍e");
    expect(safeCell("a\r\nb\nc\td\re")).toBe("a\r\nb\nc\td␍e");
  });

  test("a real terminal shows it as text on one line and obeys none of it", async () => {
    const terminal = new Terminal({ cols: 300, rows: 4, allowProposedApi: true });
    let titles = 0;
    terminal.onTitleChange(() => titles++);
    for (const text of Object.values(HOSTILE)) {
      await new Promise<void>((done) => terminal.write("\u001bc", done));
      await new Promise<void>((done) => terminal.write(`>${safe(text)}<`, done));
      expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe(`>${safe(text)}<`);
      expect(terminal.buffer.active.cursorY).toBe(0);
    }
    expect(titles).toBe(0);
    terminal.dispose();
  });
});
