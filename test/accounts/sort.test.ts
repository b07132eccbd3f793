import { runToEnd } from "../../src/accounts/slices.ts";
import { sortRows } from "../../src/accounts/sort.ts";
import * as fc from "../helpers/fast-check.ts";
import { manyRows, type Row, tableOf } from "./rows.ts";

type Column = "external" | "service" | "created";

/** The same by Array.sort, which is stable. */
function expected(rows: readonly Row[], column: Column, descending: boolean): number[] {
  const text = ([external, service, created]: Row) =>
    ({ external, service: service ?? null, created: created ?? null })[column];
  const turn = descending ? -1 : 1;
  const rank = (row: Row) => {
    const value = text(row);
    if (value === null) return 2;
    return column === "created" && Number.isNaN(Date.parse(value)) ? 1 : 0;
  };
  return rows
    .map((_, at) => at)
    .sort((left, right) => {
      const a = rows[left] as Row;
      const b = rows[right] as Row;
      if (rank(a) !== rank(b)) return rank(a) - rank(b);
      const [textA, textB] = [text(a) ?? "", text(b) ?? ""];
      if (column === "created" && rank(a) === 0) {
        return turn * (Date.parse(textA) - Date.parse(textB));
      }
      return turn * Buffer.compare(Buffer.from(textA), Buffer.from(textB));
    });
}

const columns = ["external", "service", "created"] as const;

function check(rows: readonly Row[]) {
  const table = tableOf(rows);
  for (const column of columns) {
    for (const descending of [false, true]) {
      const order = runToEnd(sortRows(table, column, descending));
      expect([...order], `${column} ${descending}`).toEqual(expected(rows, column, descending));
    }
  }
}

describe("sorting", () => {
  test("null values sort last in both directions, and equal rows keep their order", () => {
    const rows: Row[] = [["b", "x"], ["a"], ["b", "w"], ["c", "x"], ["a", "w"]];
    const table = tableOf(rows);
    const by = (column: Column, descending: boolean) => [
      ...runToEnd(sortRows(table, column, descending)),
    ];
    expect(by("external", false)).toEqual([1, 4, 0, 2, 3]);
    expect(by("external", true)).toEqual([3, 0, 2, 1, 4]);
    expect(by("service", false)).toEqual([2, 4, 0, 3, 1]);
    expect(by("service", true)).toEqual([0, 3, 2, 4, 1]);
  });

  test("times sort by the instant; those that cannot be read stand between them and none at all", () => {
    const rows: Row[] = [
      ["a", "s", "soon"],
      ["b", "s", "2026-01-01T12:00:00+02:00"],
      ["c", "s", null],
      ["d", "s", "2026-01-01T11:00:00Z"],
      ["e", "s", "1970-01-01T00:00:00Z"],
      ["f", "s", "9000-01-01T00:00:00.001Z"],
    ];
    const table = tableOf(rows);
    expect([...runToEnd(sortRows(table, "created", false))]).toEqual([4, 1, 3, 5, 0, 2]);
    expect([...runToEnd(sortRows(table, "created", true))]).toEqual([5, 3, 1, 4, 0, 2]);
  });

  test("a text sorts before longer texts that start with it", () => {
    const rows: Row[] = ["aa", "a", "aaa", "", "b", "a\u0000", "é", "z", "a"].map((service) => [
      "E",
      service,
    ]);
    check(rows);
  });

  test("lists in order, in the opposite order, and almost so sort like Array.sort", () => {
    const rows = Array.from({ length: 9_000 }, (_, at): Row => [`E-${10_000 + at}`, `A-${at % 7}`]);
    const [first, second] = rows as [Row, Row];
    check(rows);
    check(rows.toReversed());
    check([...rows.slice(1), first]);
    check([...rows.slice(2).reverse(), first, second]);
    check([first, ...rows]);
    check([first]);
  });

  test("small lists sort like Array.sort", () => {
    const text = fc.string({ unit: "binary", maxLength: 6 }).filter((one) => one.isWellFormed());
    const row = fc.tuple(
      text.filter((one) => one !== ""),
      fc.option(text),
      fc.option(
        fc.oneof(
          fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"),
          fc
            .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
            .map((one) => one.toISOString()),
        ),
      ),
    );
    fc.assert(fc.property(fc.array(row, { maxLength: 40 }), check), { numRuns: 300 });
  });

  test("large lists: numbers, few different values, long common beginnings, any bytes", () => {
    check(manyRows(10_000));
    const names = ["x", "xy", "", "Straße", "EXT"];
    check(
      Array.from(
        { length: 5000 },
        (_, at): Row => [
          `${"same/".repeat(10)}${(at * 7919) % 500}`,
          names[at % 5],
          new Date(((at * 7919) % 5003) * 1e9).toISOString(),
        ],
      ),
    );
    const sample = fc.sample(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), {
      numRuns: 3000,
      seed: 7,
    });
    check(
      sample
        .filter((one) => one.isWellFormed())
        .map((one): Row => [one, one.slice(0, 3).toWellFormed()]),
    );
    const random = fc.sample(fc.uuid(), { numRuns: 3000, seed: 7 });
    check(random.map((one): Row => [one, one.slice(0, 2) + random[0]]));
    // Eight hexadecimal digits are as many texts as there are keys.
    check(random.map((one): Row => [one.slice(0, 8), one.slice(-8)]));
  });
});
