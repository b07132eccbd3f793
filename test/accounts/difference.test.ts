import { RowChange, tableDifference } from "../../src/accounts/difference.ts";
import { Marks } from "../../src/accounts/marks.ts";
import { runToEnd } from "../../src/accounts/slices.ts";
import * as fc from "../helpers/fast-check.ts";
import { type Row, tableOf } from "./rows.ts";

const compare = (earlier: readonly Row[], later: readonly Row[]) =>
  runToEnd(tableDifference(tableOf(earlier), tableOf(later)));

describe("the difference between two loads", () => {
  test("the difference finds new, changed and gone accounts at any position", () => {
    const found = compare(
      [["a"], ["b", "1", "2026-01-01T00:00:00Z"], ["c", "2"], ["d"]],
      [["d", "9", "2026-02-01T00:00:00Z"], ["new"], ["b", "1", "2026-01-01T00:00:00Z"], ["c", "3"]],
    );
    expect(found).toMatchObject({ added: 1, changed: 2, removed: 1 });
    expect([...found.changes]).toEqual([
      RowChange.changed,
      RowChange.added,
      RowChange.none,
      RowChange.changed,
    ]);
    expect([...found.previous]).toEqual([3, -1, 1, 2]);
  });

  test("null and empty text are not the same", () => {
    expect(compare([["a", null]], [["a", ""]]).changed).toBe(1);
    expect(compare([["a", "xy", "z"]], [["a", "x", "yz"]]).changed).toBe(1);
  });

  test("an account listed twice is neither new nor gone", () => {
    expect(compare([["a"], ["a"]], [["a"]])).toMatchObject({ added: 0, changed: 0, removed: 0 });
    expect(compare([["a"]], [["a"], ["b"], ["a"]])).toMatchObject({
      added: 1,
      changed: 0,
      removed: 0,
    });
  });

  test("the difference agrees with a comparison of maps for any two lists", () => {
    const list = fc.uniqueArray(
      fc.tuple(fc.constantFrom(..."abcdefghijklmnop"), fc.option(fc.constantFrom("1", "2"))),
      { selector: ([external]) => external },
    );
    fc.assert(
      fc.property(list, list, (earlier, later) => {
        const before = new Map(earlier.map(([external, service]) => [external, service]));
        const after = new Map(later.map(([external, service]) => [external, service]));
        expect(compare(earlier, later)).toMatchObject({
          added: later.filter(([external]) => !before.has(external)).length,
          changed: later.filter(
            ([external, service]) => before.has(external) && before.get(external) !== service,
          ).length,
          removed: earlier.filter(([external]) => !after.has(external)).length,
        });
      }),
    );
  });
});

describe("marks", () => {
  test("marks stay on their accounts after a reload, even on accounts that left the list", () => {
    const earlier = tableOf([["a"], ["b"], ["c"]]);
    const later = tableOf([["c"], ["new"], ["a"]]);
    const marks = new Marks(earlier, () => {});
    for (const external of ["b", "c", "elsewhere"]) marks.toggle(external);
    expect(marks.externals()).toEqual(["b", "c", "elsewhere"]);
    marks.moveTo(later, runToEnd(tableDifference(earlier, later)).previous);
    expect(marks.count).toBe(3);
    expect([0, 1, 2].map((row) => marks.has(row))).toEqual([true, false, false]);
    expect(marks.externals()).toEqual(["c", "b", "elsewhere"]);
    expect(marks.externals(2)).toEqual(["c", "b"]);
    const again = tableOf([["b"], ["elsewhere"]]);
    marks.moveTo(again, runToEnd(tableDifference(later, again)).previous);
    expect(marks.externals()).toEqual(["b", "elsewhere", "c"]);
    marks.toggle("c");
    marks.toggle("b");
    expect(marks.externals()).toEqual(["elsewhere"]);
    marks.clear();
    expect(marks.count).toBe(0);
  });
});
