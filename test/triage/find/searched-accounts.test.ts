import { runToEnd } from "../../../src/accounts/slices.ts";
import { NumberList } from "../../../src/triage/account-numbers.ts";
import { rowsContaining } from "../../../src/triage/find/searched-accounts.ts";
import * as fc from "../../helpers/fast-check.ts";

function containing(numbers: readonly string[], text: string): readonly string[] {
  const list = new NumberList();
  for (const number of numbers) {
    const bytes = Buffer.from(number);
    list.add(bytes, 0, bytes.length);
  }
  const found = runToEnd(rowsContaining(list, list.count, text, numbers.length, () => true));
  expect(found.count).toBe(found.rows.length);
  return found.rows.map((row) => numbers[row] as string);
}

test("a text is found in the numbers that contain it, whatever its case", () => {
  const numbers = ["EXT-0941", "north-0941-0941", "", "EXT-094", "1-EXT", "Ω-0941"];
  expect(containing(numbers, "0941")).toEqual(["EXT-0941", "north-0941-0941", "Ω-0941"]);
  expect(containing(numbers, "ext")).toEqual(["EXT-0941", "EXT-094", "1-EXT"]);
  expect(containing(numbers, "ω")).toEqual(["Ω-0941"]);
  expect(containing(numbers, "7")).toEqual([]);
});

test("a text that begins in one number and ends in the next is not found", () => {
  expect(containing(["EXT-1", "2-EXT"], "12")).toEqual([]);
  expect(containing(["11", "1", "111"], "111")).toEqual(["111"]);
});

test("a letter is found in the other ways to write it", () => {
  expect(containing(["\u212a-1", "\u017f-1", "k-1"], "k-")).toEqual(["\u212a-1", "k-1"]);
});

test("what is found is what a search of each number alone finds", () => {
  const character = fc.constantFrom("0", "1", "a", "A", "s", "S", "\u017f", "-", "é", "日");
  const number = fc.array(character, { maxLength: 6 }).map((all) => all.join(""));
  const text = fc.array(character, { minLength: 1, maxLength: 3 }).map((all) => all.join(""));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 12 }), text, (numbers, wanted) => {
      const pattern = new RegExp(wanted, "iu");
      expect(containing(numbers, wanted)).toEqual(numbers.filter((one) => pattern.test(one)));
    }),
    { numRuns: 1_000 },
  );
});
