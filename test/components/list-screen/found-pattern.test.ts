import { expect, test } from "vitest";
import { matchPattern } from "../../../src/components/list-screen/row-filter.ts";

/** The parts of a text that are marked. */
function marked(filter: string, column: string, text: string): readonly string[] {
  const pattern = matchPattern(filter, column);
  return pattern === null ? [] : [...text.matchAll(pattern)].map(([found]) => found);
}

test.each([
  ["0941", "external", "NORTH-0000941", ["0941"]],
  ["north 41", "external", "NORTH-0000941", ["NORTH", "41"]],
  ["0000 00", "external", "NORTH-0000941", ["0000"]],
  ["ext:0941", "external", "NORTH-0000941", ["0941"]],
  ["ext:0941", "service", "A-2CE0941D", []],
  ["!0941", "external", "NORTH-0000941", []],
  ["~n41", "external", "NORTH-0000941", []],
  ["is:gone", "state", "gone", []],
  [".", "external", "A.1", ["."]],
  ["", "external", "A", []],
] as const)("the filter %j marks in the column %s of %s: %j", (filter, column, text, expected) => {
  expect(marked(filter, column, text)).toEqual(expected);
});
