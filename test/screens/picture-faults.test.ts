import type { Cell } from "../helpers/cell.ts";
import { colorFaults } from "./picture-faults.ts";

const colors = { ok: "green", busy: "cyan", waiting: "yellow", bad: "red" } as const;

/** Cells of one color. */
function cells(text: string, fg: string): Cell[] {
  const plain = { bold: false, dim: false, italic: false, underline: false, inverse: false };
  return [...text].map((chars) => ({
    chars,
    width: 1,
    fg,
    bg: "default",
    strikethrough: false,
    ...plain,
  }));
}

describe("the check of the colors", () => {
  test.each([
    ["4 gone at NORTH", "red"],
    ["oldest pending ≥ 6 d, 6 over a day", "yellow"],
    ["● IN_PROGRESS", "cyan"],
    ["✓ confirmed", "green"],
    ["██████▍", "green"],
    ["92.9 %", "red"],
    ["The journal cannot be read: it is locked by another process.", "red"],
  ])("accepts %s in %s", (text, fg) => {
    expect(colorFaults(cells(text, fg), colors)).toEqual([]);
  });

  test.each([
    ["a sentence", "The connection works: 1 token was created.", "green"],
    ["a short sentence", "Compare it again.", "yellow"],
    ["a long text without a period", "3 rows are pending and can be sent again now", "yellow"],
    ["a sentence in the color of a failure", "8 not staged. On no list of it.", "red"],
    ["a key", "Enter", "cyan"],
    ["a heading with a figure", "Attempts 3", "green"],
    ["a color without a meaning", "4 gone", "magenta"],
    ["pending in the color of what is done", "○ pending ✓", "green"],
    ["unknown in the color of a failure", "✗ 1 unknown", "red"],
    ["confirmed in the color of what waits", "confirmed, not pending", "yellow"],
    ["rejected in the color of what waits", "2 rejected, 1 open", "yellow"],
    ["failed in the color of what is in progress", "● failed", "cyan"],
  ])("rejects %s", (_, text, fg) => {
    expect(colorFaults([...cells("Now  ", "default"), ...cells(text, fg)], colors)).toHaveLength(1);
  });

  test("rejects any color where there is none", () => {
    expect(colorFaults(cells("4 gone", "red"), null)).toHaveLength(1);
  });
});
