import { safe } from "../../src/text/sanitize.ts";
import {
  padOrTruncate as fitTo,
  graphemes,
  segmentsOf,
  truncate,
  widest,
  widthOf,
  wrap,
} from "../../src/text/width.ts";
import * as fc from "../helpers/fast-check.ts";
import { FORBIDDEN, mixes } from "./hostile.ts";

const where = fc.constantFrom("end", "middle") as fc.Arbitrary<"end" | "middle">;

describe("text in cells", () => {
  test("wide, combining and joined characters count as a terminal shows them", () => {
    expect(widthOf("EXT-1")).toBe(5);
    expect(widthOf("日本")).toBe(4);
    expect(widthOf("e\u0301")).toBe(1);
    expect(widthOf("🇨🇭")).toBe(2);
  });

  test("signs that are longer in ASCII are measured as they are shown there", () => {
    expect(fitTo("≥ 9 min", 9, { ascii: true })).toBe(">= 9 min ");
    expect(fitTo("≤ 3 min", 8, { ascii: true, align: "right" })).toBe("<= 3 min");
    expect(fitTo("2–10 d", 6, { ascii: true })).toBe("2-10 d");
    expect(fitTo("≥ 9 min", 7, { ascii: true })).toBe(">= 9 m~");
  });

  test("the widest of many texts is found, more than a call can take one by one", () => {
    expect(widest(["EXT-1", "日本日本", "a\u0007"])).toBe(8);
    expect(widest([])).toBe(0);
    expect(widest(Array.from({ length: 200_000 }, (_, n) => `EXT-${n}`))).toBe(10);
  });

  test("any text has the characters that a segmenter finds, at any index", () => {
    fc.assert(
      fc.property(mixes, fc.nat(40), (text, at) => {
        const segments = [...new Intl.Segmenter().segment(text)];
        expect(graphemes(text).map((one) => one.text)).toEqual(segments.map((one) => one.segment));
        const found = segmentsOf(text).containing(at);
        const expected = new Intl.Segmenter().segment(text).containing(at);
        expect(found?.segment).toBe(expected?.segment);
        expect(found?.index).toBe(expected?.index);
      }),
    );
    expect(graphemes("a–b").map(({ width }) => width)).toEqual([1, 1, 1]);
  });

  test("a cut is marked, at the end or in the middle", () => {
    expect(truncate("EXT-123456", 6)).toBe("EXT-1…");
    expect(truncate("EXT-123456", 6, { where: "middle" })).toBe("EXT…56");
    expect(truncate("EXT-123456", 6, { ascii: true })).toBe("EXT-1~");
    expect(truncate("EXT-12", 6)).toBe("EXT-12");
    expect(truncate("EXT-12", 1)).toBe("…");
    expect(truncate("EXT-12", 0)).toBe("");
  });

  test("a wide character is left out whole rather than cut", () => {
    expect(truncate("日本語", 5)).toBe("日本…");
    expect(truncate("日本語", 4)).toBe("日…");
    expect(truncate("日本語です", 6, { where: "middle" })).toBe("日…す");
    expect(fitTo("日本語", 4)).toBe("日… ");
  });

  test("a combining mark is never cut from its base", () => {
    expect(truncate("ae\u0301bcd", 3)).toBe("ae\u0301…");
    expect(truncate("abcde\u0301", 3, { where: "middle" })).toBe("a…e\u0301");
    expect(truncate("🇨🇭🇨🇭🇨🇭", 5)).toBe("🇨🇭🇨🇭…");
  });

  test("fit pads to the left or the right", () => {
    expect(fitTo("ab", 4)).toBe("ab  ");
    expect(fitTo("ab", 4, { align: "right" })).toBe("  ab");
    expect(fitTo("ab", 0)).toBe("");
    expect(fitTo("ab", -3)).toBe("");
  });

  test.each([
    ["FLAKYPAY (500 twice, then 201)", 12, "FLAKYPAY (…"],
    ["FLAKYPAY (500 twice, then 201)", 14, "FLAKYPAY (500…"],
    ["sum of −1,204.10 in 38 rows", 11, "sum of …"],
    ["日本 500 rows", 7, "日本 …"],
    ["12345678", 5, "1234…"],
    ["EXT 12345678", 9, "EXT …"],
  ])("a figure within a sentence is shown whole or not: %s in %d cells", (text, width, shown) => {
    expect(truncate(text, width)).toBe(shown);
  });

  test("whatever the text, fit is exactly as wide as asked and truncate never wider", () => {
    fc.assert(
      fc.property(
        mixes,
        fc.integer({ min: 0, max: 30 }),
        where,
        fc.constantFrom("left", "right") as fc.Arbitrary<"left" | "right">,
        fc.boolean(),
        (text, width, cut, align, ascii) => {
          const fitted = fitTo(text, width, { where: cut, align, ascii });
          expect(widthOf(fitted)).toBe(width);
          expect(fitted).not.toMatch(FORBIDDEN);
          expect(fitted).not.toMatch(/[\t\n]/);
          expect(widthOf(truncate(text, width, { where: cut, ascii }))).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("a cut keeps a beginning, and in the middle also an end, of whole graphemes", () => {
    fc.assert(
      fc.property(mixes, fc.integer({ min: 1, max: 30 }), (text, width) => {
        const whole = safe(text);
        fc.pre(widthOf(whole) > width && !whole.includes("…"));
        const segments = (part: string) =>
          [...new Intl.Segmenter().segment(part)].map((s) => s.segment);
        const all = segments(whole);
        const [head = "", tail = ""] = truncate(text, width, { where: "middle" }).split("…");
        expect(all.slice(0, segments(head).length).join("")).toBe(head);
        if (tail !== "") expect(all.slice(-segments(tail).length).join("")).toBe(tail);
      }),
      { numRuns: 300 },
    );
  });
});

describe("wrapping", () => {
  test("breaks at spaces, and inside a word only when the word is too long", () => {
    expect(wrap("the quick brown fox", 9)).toEqual(["the quick", "brown fox"]);
    expect(wrap("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
    expect(wrap("日本語日本語", 5)).toEqual(["日本", "語日", "本語"]);
    expect(wrap("x abcdefghij", 4)).toEqual(["x ab", "cdef", "ghij"]);
  });

  test("keeps line breaks, empty lines and the indent", () => {
    expect(wrap("a\n\n  b c", 4)).toEqual(["a", "", "  b", "c"]);
    expect(wrap('  "key": "value"', 9)).toEqual(['  "key":', '"value"']);
  });

  test("has no line in no room", () => {
    expect(wrap("abc", 0)).toEqual([]);
    expect(wrap("", 5)).toEqual([""]);
  });

  test("no line is too wide and no word is lost", () => {
    fc.assert(
      fc.property(mixes, fc.integer({ min: 2, max: 20 }), (text, width) => {
        const lines = wrap(text, width);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        const letters = (part: string) => part.match(/[\x21-\x7e]/g) ?? [];
        expect(letters(lines.join("").replaceAll(/\u27e8|\u27e9/g, ""))).toEqual(
          letters(lines.length === 0 ? "" : wrap(text, 10_000).join("")),
        );
      }),
      { numRuns: 500 },
    );
  });
});
