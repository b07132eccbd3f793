import { expect, test } from "vitest";
import { blockRows } from "../../src/accounts/columns.ts";
import { FoundRows } from "../../src/accounts/found-rows.ts";
import { bitWords } from "../../src/accounts/row-bits.ts";
import * as fc from "../helpers/fast-check.ts";

/** Row numbers as the bits of their blocks, up to `blocks` of them. */
function foundOf(rows: readonly number[], blocks: number): FoundRows {
  const found = new FoundRows();
  for (let block = 0; block < blocks; block++) {
    const bits = new Uint32Array(bitWords);
    for (const row of rows) {
      const place = row - block * blockRows;
      if (place < 0 || place >= blockRows) continue;
      bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
    }
    found.put(block, bits);
  }
  return found;
}

const blocks = 4;
const anyRow = fc.nat({ max: blocks * blockRows - 1 });

test("rows found are known by position and counted, in any order of queries", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyRow, { maxLength: 60 }),
      fc.array(fc.nat()),
      fc.array(anyRow),
      (rows, positions, others) => {
        const sorted = rows.toSorted((a, b) => a - b);
        const found = foundOf(sorted, blocks);
        expect(found.count).toBe(sorted.length);
        for (const at of positions) {
          if (sorted.length === 0) continue;
          expect(found.at(at % sorted.length)).toBe(sorted[at % sorted.length]);
        }
        for (const row of [...sorted, ...others]) {
          expect(found.has(row)).toBe(sorted.includes(row));
          expect(found.countBefore(row)).toBe(sorted.filter((one) => one < row).length);
        }
      },
    ),
  );
});

test("a block that gets more of its rows continues from its last one", () => {
  const found = new FoundRows();
  const bits = new Uint32Array(bitWords);
  found.put(0, bits);
  bits[0] = 1 << 31;
  found.put(0, bits);
  expect([found.count, found.at(0), found.countBefore(31), found.countBefore(32)]).toEqual([
    1, 31, 0, 1,
  ]);
  bits[1] = 0b101;
  found.put(0, bits);
  expect([0, 1, 2].map((at) => found.at(at))).toEqual([31, 32, 34]);
  expect(() => found.at(3)).toThrow(RangeError);
});
