import { asciiCells } from "../../src/text/ascii-cells.ts";
import { widthOf } from "../../src/text/width.ts";

test("shows the likeness of a sign, and a question mark for each cell of what has none", () => {
  expect(asciiCells("a–b → “c” …")).toBe('a-b > "c" ~');
  expect(asciiCells("Zoë 東京 👍")).toBe("Zo? ???? ??");
});

test("writes a comparison out in the cells of its sign and its space", () => {
  expect(asciiCells("≥ 9 min, ≤ 3 d, ≥9")).toBe(">=9 min, <=3 d, >9");
});

test("leaves control sequences as they are", () => {
  expect(asciiCells("\x1b[31m✗\x1b[39m\x1b[2;5H")).toBe("\x1b[31mx\x1b[39m\x1b[2;5H");
});

test.each(["é", "e\u0301", "한국", "a\u0300\u0301b", "🇩🇪", "1\ufe0f\u20e3"])(
  "takes as many cells as %s",
  (text) => {
    expect(widthOf(asciiCells(text))).toBe(widthOf(text));
    expect(asciiCells(text)).toMatch(/^[\x20-\x7e]*$/);
  },
);
