import { runToEnd } from "../../src/accounts/slices.ts";
import { NumberList } from "../../src/triage/account-numbers.ts";
import { suggestionsFor } from "../../src/triage/suggestions.ts";
import * as fc from "../helpers/fast-check.ts";
import { isNear } from "./near.ts";

function listOf(numbers: readonly string[]): NumberList {
  const list = new NumberList();
  for (const number of numbers) {
    const bytes = Buffer.from(number);
    list.add(bytes, 0, bytes.length);
  }
  return list;
}

/** The suggestion for each number; null where there is none. */
function suggested(numbers: readonly string[], listed: readonly string[]): (string | null)[] {
  const rows = Uint32Array.from(numbers.keys());
  const { text, ends, count } = listOf(listed);
  const parts = [{ text, ends, rows: count, fields: 1 }];
  const found = runToEnd(suggestionsFor(listOf(numbers), rows, { parts }));
  return [...found].map((at) => listed[at] ?? null);
}

/** The rule as it is written down, one pair after another. */
function naive(numbers: readonly string[], listed: readonly string[]): (string | null)[] {
  return numbers.map((number) => {
    const near = listed.filter((one) => isNear(one, number));
    return new Set(near).size === 1 ? (near[0] ?? null) : null;
  });
}

test.each([
  ["case", "ext-1x", "EXT-1X"],
  ["spaces, hyphens and underscores", "EX T_12", "EXT-12"],
  ["leading zeros of each run of digits", "EXT-7/12", "EXT-0007/0012"],
  ["leading zeros before a separator", "1-01", "1-1"],
  ["Unicode form", "Zu\u0308rich-1", "Z\u00fcrich-1"],
  ["a missing character", "EXT-000001", "EXT-0000012"],
  ["an added character", "EXT-00000123", "EXT-0000012"],
  ["another character of several bytes", "日本-1", "日木-1"],
  ["two swapped neighbors", "EXT-STUKC", "EXT-STUCK"],
  ["two swapped neighbors of several bytes", "𝒜𝒟-1", "𝒟𝒜-1"],
])("a number that differs by %s is suggested", (_what, number, listed) => {
  expect(suggested([number], ["ANOTHER-9999", listed])).toEqual([listed]);
  // Many numbers are compared by their hashes.
  const others = Array.from({ length: 20 }, (_, at) => `${"#".repeat(at)}!`);
  expect(suggested([number, ...others], ["ANOTHER-9999", listed])[0]).toBe(listed);
});

test.each([
  ["two characters differ", "EXT-11", "EXT-22"],
  ["two characters that are no neighbors are exchanged", "EXT-ABC", "EXT-CBA"],
  ["two neighbors are exchanged and one is another", "EXT-AB1", "EXT-BA2"],
  ["a lone nought is missing", "A-0B", "A-BCC"],
])("nothing is suggested where %s", (_what, number, listed) => {
  expect(suggested([number], [listed])).toEqual([null]);
});

test("nothing is suggested where several numbers are near, by either rule", () => {
  expect(suggested(["EXT-1"], ["ext-1", "EXT-2"])).toEqual([null]);
  expect(suggested(["EXT-1"], ["EXT-2", "EXT-3", "EXT-4"])).toEqual([null]);
  expect(suggested(["EXT-1"], ["ext-1", "ext-1"])).toEqual(["ext-1"]);
});

test("suggestions are those of the rule applied to every pair", () => {
  const character = fc.constantFrom("0", "1", "a", "A", "-", " ", "_", "é", "e\u0301", "日", "𝒜");
  const number = fc.array(character, { minLength: 1, maxLength: 6 }).map((all) => all.join(""));
  const numbers = fc.uniqueArray(number, { maxLength: 12 });
  fc.assert(
    fc.property(numbers, numbers, (mine, listed) => {
      const others = listed.filter((one) => !mine.includes(one));
      expect(suggested(mine, others)).toEqual(naive(mine, others));
    }),
    { numRuns: 1_000 },
  );
});

test("long numbers are compared like short ones", () => {
  const long = "x".repeat(3_000);
  expect(suggested([`${long}1`], [`${long}12`, "y"])).toEqual([`${long}12`]);
});
