import {
  type Column,
  column,
  fitColumns,
  longestTexts,
} from "../../../src/components/list-screen/column.ts";
import * as fc from "../../helpers/fast-check.ts";

const text = () => "";
const widthsOf = (columns: readonly Column<null>[], width: number) =>
  Object.fromEntries(fitColumns(columns, width).map((one) => [one.id, one.width]));

describe("the columns of a list", () => {
  const columns = [
    column<null>("number", "Number", 10, text, { maxWidth: 30 }),
    column<null>("since", "Since", 19, text, { minWidth: 12 }),
    column<null>("checks", "Checks", 6, text, { drop: 2 }),
    column<null>("next", "Next check", 8, text, { drop: 1 }),
  ];

  test("columns are hidden by their number, highest first, and then shrink", () => {
    expect(widthsOf(columns, 53)).toEqual({ number: 10, since: 19, checks: 6, next: 8 });
    expect(widthsOf(columns, 52)).toEqual({ number: 17, since: 19, next: 8 });
    expect(widthsOf(columns, 44)).toEqual({ number: 19, since: 19 });
    expect(widthsOf(columns, 30)).toEqual({ number: 10, since: 14 });
    expect(widthsOf(columns, 10)).toEqual({ number: 10, since: 12 });
  });

  test("columns share the remaining width up to their maximum", () => {
    const sharing = [
      column<null>("a", "A", 5, text, { maxWidth: 8 }),
      column<null>("b", "B", 5, text, { maxWidth: 40 }),
    ];
    expect(widthsOf(sharing, 40)).toEqual({ a: 8, b: 26 });
  });

  test("columns grow to their longest text, and one column takes the rest", () => {
    const some = [
      column<null>("number", "Number", 8, text, { maxWidth: 40 }),
      column<null>("bar", "", 6, text, { fills: true }),
      column<null>("count", "Count", 5, text, { align: "right" }),
    ];
    const fitted = (room: number, cells: number) =>
      fitColumns(some, room, new Map([["number", cells]])).map(({ width }) => width);
    expect(fitted(80, 11)).toEqual([11, 56, 5]);
    expect(fitted(80, 4)).toEqual([8, 59, 5]);
    expect(fitted(30, 60)).toEqual([11, 6, 5]);
  });

  test("stay as wide as the rows before needed", () => {
    const some = [
      column<string>("number", "Number", 8, (row) => row, { maxWidth: 40 }),
      column<string>("state", "State", 8, (row) => row),
    ];
    const before = longestTexts(some, ["EXT-0000000001"], new Map());
    expect(longestTexts(some, ["EXT-1"], before)).toEqual(new Map([["number", 14]]));
    expect(longestTexts(some, ["日本日本日本日本"], before)).toEqual(new Map([["number", 16]]));
  });

  test("a column changes to its wider form before other columns stretch", () => {
    const some = [
      column<null>("a", "A", 5, text, { wider: 12 }),
      column<null>("b", "B", 5, text, { maxWidth: 40 }),
    ];
    expect(widthsOf(some, 22)).toEqual({ a: 5, b: 11 });
    expect(widthsOf(some, 24)).toEqual({ a: 12, b: 6 });
  });

  test("without cells are never drawn", () => {
    expect(widthsOf([column<null>("id", "ID", 0, text), ...columns], 200)).not.toHaveProperty("id");
  });

  test("never take more cells than there are, as soon as the fixed ones fit", () => {
    const any = fc.record({
      width: fc.integer({ min: 1, max: 20 }),
      maxWidth: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      drop: fc.option(fc.nat(5), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(any, { maxLength: 8 }),
        fc.integer({ min: 0, max: 250 }),
        (some, room) => {
          const all = some.map(({ width, maxWidth, drop }, at) =>
            column<null>(String(at), "", width, text, {
              ...(maxWidth === undefined ? {} : { maxWidth }),
              ...(drop === undefined ? {} : { drop }),
            }),
          );
          const used = fitColumns(all, room).reduce((sum, one) => sum + 2 + one.width, 2);
          const fixed = all.filter(({ drop }) => drop === undefined);
          const fewest = fixed.reduce((sum, one) => sum + 2 + (one.minWidth ?? one.width), 2);
          expect(used).toBeLessThanOrEqual(Math.max(fewest, room));
        },
      ),
    );
  });
});
