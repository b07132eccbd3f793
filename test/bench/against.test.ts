/** Promise: the benchmarks name each figure that got worse than in an earlier run by more than a tenth. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSaved, worseThan } from "../../bench/measure/against.ts";
import type { Line } from "../../bench/measure/report.ts";
import { openFolders } from "../helpers/folders.ts";

const line = (more: Partial<Line>): Line => ({
  name: "sort",
  what: "any column",
  unit: "ms",
  ours: 100,
  peer: "sort",
  theirs: 200,
  ratio: 0.5,
  budget: null,
  met: null,
  ...more,
});
const memory = { what: "peak memory", unit: "MB", peer: null, theirs: null, ratio: null };

test("a ratio is compared, and not the time of another machine", () => {
  const saved = [line({ ours: 100, theirs: 200, ratio: 0.5 })];
  expect(worseThan(saved, [line({ ours: 900, theirs: 1800, ratio: 0.5 })])).toEqual([]);
  expect(worseThan(saved, [line({ ratio: 0.54 })])).toEqual([]);
  expect(worseThan(saved, [line({ ratio: 0.56 })])).toEqual([
    "sort · any column: 0.50 to 0.56× sort, 12 % worse",
  ]);
});

test("a figure without a peer is compared by its value", () => {
  const saved = [line({ ...memory, ours: 200 })];
  expect(worseThan(saved, [line({ ...memory, ours: 219 })])).toEqual([]);
  expect(worseThan(saved, [line({ ...memory, ours: 230 })])).toEqual([
    "sort · peak memory: 200.00 to 230.00 MB, 15 % worse",
  ]);
});

test("a rate gets worse by falling", () => {
  const rate = { name: "bulk", what: "writes", unit: "writes/s", peer: null, ratio: null };
  const saved = [line({ ...rate, ours: 1000 })];
  expect(worseThan(saved, [line({ ...rate, ours: 2000 })])).toEqual([]);
  expect(worseThan(saved, [line({ ...rate, ours: 500 })])).toHaveLength(1);
});

test("a figure that one run lacks is not compared", () => {
  const skipped = { ours: { skipped: "jq is absent" }, ratio: null };
  expect(worseThan([line(skipped)], [line({})])).toEqual([]);
  expect(worseThan([line({})], [line(skipped)])).toEqual([]);
  expect(worseThan([], [line({})])).toEqual([]);
});

test("a file that holds something else is an error", async () => {
  const folders = await openFolders();
  const file = join(folders.home, "ratios.json");
  await writeFile(file, JSON.stringify([line({})]));
  expect(await readSaved(file)).toMatchObject([{ name: "sort", ratio: 0.5 }]);
  await writeFile(file, '{"ratio": 1}');
  await expect(readSaved(file)).rejects.toThrow();
});
