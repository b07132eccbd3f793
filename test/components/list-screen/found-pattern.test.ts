import { parseFilter } from "../../../src/accounts/filter-query.ts";
import { column } from "../../../src/components/list-screen/column.ts";
import {
  matchPattern,
  rowFilter,
  rowWords,
} from "../../../src/components/list-screen/row-filter.ts";

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
  ["svc:0941", "service", "A-2CE0941D", ["0941"]],
  ["!0941", "external", "NORTH-0000941", []],
  ["~n41", "external", "NORTH-0000941", []],
  ["is:gone", "state", "gone", []],
  [".", "external", "A.1", ["."]],
  ["", "external", "A", []],
] as const)("the filter %j marks in the column %s of %s: %j", (filter, column, text, expected) => {
  expect(marked(filter, column, text)).toEqual(expected);
});

const columns = [
  column<string>("ext", "External", 10, (row) => row),
  column<string>("name", "Name", 10, (row) => row),
];

test.each(["ext:", "!ext:", "ext:~", "ext:1 ext:", "none:1"])(
  "%j is a problem of every list",
  (text) => {
    expect(parseFilter(text).problem).not.toBeNull();
    expect(rowFilter(text, columns).problem).not.toBeNull();
  },
);

test.each(["a", "!a", "~a", "ext:a", "!ext:~a", "EXT:a", "is:marked", "!is:marked"])(
  "%j is a filter of every list",
  (text) => {
    expect(parseFilter(text).problem).toBeNull();
    expect(rowFilter(text, columns).problem).toBeNull();
  },
);

test("every offered word is the beginning of a filter", () => {
  for (const word of rowWords(columns))
    expect(rowFilter(word.endsWith(":") ? `${word}a` : word, columns).problem).toBeNull();
});
