import { describe, expect, test } from "vitest";
import { bar, columns, spark } from "../../src/text/chart.ts";
import * as fc from "../helpers/fast-check.ts";

describe("progress bar", () => {
  test("shows eighths of a cell, or marks in ASCII", () => {
    expect(bar(0.5, 7, false)).toBe("███▌░░░");
    expect(bar(0.6, 5, true)).toBe("###--");
    expect(bar(0, 4, false)).toBe("░░░░");
    expect(bar(1, 4, false)).toBe("████");
    expect(bar(Number.NaN, 3, true)).toBe("---");
    expect(bar(0.5, 0, false)).toBe("");
  });

  test("is always as wide as asked, full only at the end and empty only at the start", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.5, max: 1.5, noNaN: true }),
        fc.integer({ min: 2, max: 60 }),
        fc.boolean(),
        (fraction, width, ascii) => {
          const text = bar(fraction, width, ascii);
          const [full, empty] = ascii ? ["#", "-"] : ["█", "░"];
          expect(text).toHaveLength(width);
          expect(text === full.repeat(width)).toBe(fraction >= 1);
          expect(text === empty.repeat(width)).toBe(fraction <= 0);
        },
      ),
    );
  });
});

describe("column chart", () => {
  test("draws columns from the bottom, the greatest to the top", () => {
    expect(columns([1, 2, 4], 2, false)).toEqual(["  █", "▄██"]);
    expect(columns([1, 2, 4], 4, true)).toEqual(["  #", "  #", " ##", "###"]);
  });

  test("has four heights of a cell in ASCII too", () => {
    expect(columns([0, 1, 2, 3, 4], 1, true)).toEqual([" .:|#"]);
  });

  test("shows the least amount above nought, and nothing for nought or nonsense", () => {
    expect(columns([1, 1_000_000, 0, -3, Number.NaN], 1, false)).toEqual(["▁█   "]);
    expect(columns([0, 0], 2, true)).toEqual(["  ", "  "]);
    expect(columns([], 2, false)).toEqual(["", ""]);
    expect(columns([1], 0, false)).toEqual([]);
  });
});

test("a line chart has a sign for zero that no amount has, in ASCII too", () => {
  expect(spark([0, 1, 40, 80], false)).toBe("·▁▄█");
  expect(spark([0, 1, 40, 80], true)).toBe("_.:#");
  expect(spark([0, 0], false)).toBe("··");
});
