import { expect, test } from "vitest";
import {
  drawTable,
  keyEntry,
  type TableEntry,
  titleEntry,
} from "../../src/components/overlays/help-table.ts";
import { widthOf } from "../../src/text/width.ts";

const linesOf = (stacks: readonly (readonly TableEntry[])[], columns: number) =>
  drawTable(stacks, columns).map((pieces) => pieces.map(({ text }) => text).join(""));

const stacks = [
  [titleEntry("Look"), keyEntry("r", "refresh", false), keyEntry("z", "pause", false)],
  [titleEntry("Act"), keyEntry("Ctrl-O", "editor", true), keyEntry("S", "new supply point", false)],
  [titleEntry("Go"), keyEntry("Tab", "Needs attention", false)],
];

test("no label is cut while a column beside it has room", () => {
  const lines = linesOf(stacks, 72);
  expect(lines.join("\n")).toContain("S       new supply point");
  expect(lines.join("\n")).not.toContain("…");
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(72);
});

test("where there is no room the widest column is cut, and every line fits", () => {
  const lines = linesOf(stacks, 50);
  expect(lines.join("\n")).toMatch(/new sup.*…/);
  expect(lines.join("\n")).toContain("refresh");
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(50);
});
