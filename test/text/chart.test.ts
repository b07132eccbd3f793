import { asciiCells } from "../../src/text/ascii-cells.ts";
import { bar, columnChart, sparkline } from "../../src/text/chart.ts";
import * as fc from "../helpers/fast-check.ts";

describe("progress bar", () => {
  test("shows eighths of a cell", () => {
    expect(bar(0.5, 7)).toBe("███▌░░░");
    expect(bar(0.6, 5)).toBe("███░░");
    expect(bar(0, 4)).toBe("░░░░");
    expect(bar(1, 4)).toBe("████");
    expect(bar(Number.NaN, 3)).toBe("░░░");
    expect(bar(0.5, 0)).toBe("");
  });

  test("is always as wide as asked, full only at the end and empty only at the start", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.5, max: 1.5, noNaN: true }),
        fc.integer({ min: 2, max: 60 }),
        (fraction, width) => {
          const text = bar(fraction, width);
          expect(text).toHaveLength(width);
          for (const shown of [text, asciiCells(text)]) {
            expect(shown === (shown === text ? "█" : "#").repeat(width)).toBe(fraction >= 1);
            expect(shown === (shown === text ? "░" : "-").repeat(width)).toBe(fraction <= 0);
          }
        },
      ),
    );
  });
});

describe("column chart", () => {
  test("draws columns from the bottom, the greatest to the top", () => {
    expect(columnChart([1, 2, 4], 2)).toEqual(["  █", "▄██"]);
    expect(columnChart([1, 2, 4], 4).map(asciiCells)).toEqual(["  #", "  #", " ##", "###"]);
  });

  test("has heights of a cell in ASCII too", () => {
    expect(columnChart([0, 1, 2, 3, 4, 8], 1).map(asciiCells)).toEqual([" _:-=#"]);
  });

  test("shows the least amount above nought, and nothing for nought or nonsense", () => {
    expect(columnChart([1, 1_000_000, 0, -3, Number.NaN], 1)).toEqual(["▁█   "]);
    expect(columnChart([0, 0], 2)).toEqual(["  ", "  "]);
    expect(columnChart([], 2)).toEqual(["", ""]);
    expect(columnChart([1], 0)).toEqual([]);
  });
});

test("a line chart has a sign for zero that no amount has, in ASCII too", () => {
  expect(sparkline([0, 1, 40, 80])).toBe("·▁▄█");
  expect(asciiCells(sparkline([0, 1, 40, 80]))).toBe("._=#");
  expect(sparkline([0, 0])).toBe("··");
});
