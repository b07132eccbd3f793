import { expect, test } from "vitest";
import type { RunCounts } from "../../src/bulk/run-record.ts";
import { runBar } from "../../src/components/bar-pieces.ts";
import { asciiCells } from "../../src/text/ascii-cells.ts";
import { none } from "../bulk/no-counts.ts";
import * as fc from "../helpers/fast-check.ts";

const drawn = (counts: RunCounts, rows: number, width: number) =>
  runBar(counts, rows, width).map(({ text, tone }) => [text, tone]);

test("a bar shows rejected and unknown rows in a color and a glyph of their own", () => {
  const counts = { ...none, confirmed: 70, rejected: 20, unknown: 10 };
  expect(drawn(counts, 100, 10)).toEqual([
    ["███████", "ok"],
    ["▓", "waiting"],
    ["▒▒", "bad"],
  ]);
  const plain = drawn(counts, 100, 10).map(([text = ""]) => asciiCells(text));
  expect(plain).toEqual(["#######", "?", "xx"]);
});

test("a single rejected row among many is seen", () => {
  const counts = { ...none, confirmed: 99_999, rejected: 1 };
  expect(drawn(counts, 100_000, 8)).toEqual([
    ["███████", "ok"],
    ["▒", "bad"],
  ]);
});

test("a bar without failures is the plain one, with what is left behind it", () => {
  expect(drawn({ ...none, confirmed: 1, waiting: 1 }, 2, 8)).toEqual([
    ["████", "ok"],
    ["░░░░", "muted"],
  ]);
});

test("a bar is as wide as asked, whatever its rows are like", () => {
  const amount = fc.integer({ min: 0, max: 500 });
  fc.assert(
    fc.property(
      fc.record({ confirmed: amount, rejected: amount, unknown: amount, waiting: amount }),
      fc.integer({ min: 1, max: 60 }),
      (some, width) => {
        const counts = { ...none, ...some };
        const rows = Object.values(counts).reduce((sum, one) => sum + one, 0);
        const text = runBar(counts, rows, width)
          .map((piece) => piece.text)
          .join("");
        expect(text).toHaveLength(width);
      },
    ),
  );
});
