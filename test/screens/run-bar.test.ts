import type { RunCounts } from "../../src/bulk/run-record.ts";
import { type BarShape, runBar, shareBar } from "../../src/components/bar-pieces.ts";
import { asciiCells } from "../../src/text/ascii-cells.ts";
import { none } from "../bulk/no-counts.ts";
import { openConsole } from "../helpers/console.ts";
import * as fc from "../helpers/fast-check.ts";

const drawn = (counts: RunCounts, rows: number, width: number, shape: BarShape = "solid") =>
  runBar(counts, rows, width, shape).map(({ text, tone }) => [text, tone]);

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

test("a bar in a row is a line, with failed and unknown parts in their color after a gap", () => {
  const counts = { ...none, confirmed: 70, rejected: 20, unknown: 10 };
  expect(drawn(counts, 100, 10, "line")).toEqual([
    ["━━━━━", "ok"],
    [" ", undefined],
    ["━", "waiting"],
    [" ", undefined],
    ["━━", "bad"],
  ]);
  expect(drawn({ ...none, rejected: 5, waiting: 5 }, 10, 4, "line")).toEqual([
    ["━━", "bad"],
    ["──", "muted"],
  ]);
  expect(drawn({ ...none, confirmed: 5, waiting: 11 }, 16, 8, "line")).toEqual([
    ["━━╸", "ok"],
    ["─────", "muted"],
  ]);
});

test("a share is a line in the color of its state, on a muted one", () => {
  const parts = (share: number) => shareBar(share, 6, "bad").map(({ text, tone }) => [text, tone]);
  expect(parts(0)).toEqual([["──────", "muted"]]);
  expect(parts(0.01)).toEqual([
    ["╸", "bad"],
    ["─────", "muted"],
  ]);
  expect(parts(1)).toEqual([["━━━━━━", "bad"]]);
});

test("in ASCII, the failed part of a row's bar has its own sign", async () => {
  const console = await openConsole(["--sandbox", "--ascii"], { cols: 120, rows: 30 });
  expect(await console.waitFor(/NORTH +=+ !-* +\d/)).toMatch(/ACME +=+-+ +\d/);
});

test("a bar is as wide as asked, whatever its rows are like", () => {
  const amount = fc.integer({ min: 0, max: 500 });
  fc.assert(
    fc.property(
      fc.record({ confirmed: amount, rejected: amount, unknown: amount, waiting: amount }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom<BarShape>("line", "solid"),
      (some, width, shape) => {
        const counts = { ...none, ...some };
        const rows = Object.values(counts).reduce((sum, one) => sum + one, 0);
        const text = runBar(counts, rows, width, shape)
          .map((piece) => piece.text)
          .join("");
        expect(text).toHaveLength(width);
      },
    ),
  );
});
