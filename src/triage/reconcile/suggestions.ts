import type { Sliced } from "../../accounts/slices.ts";
import { findNear } from "../near-numbers.ts";
import { bytesAt, type NumberColumn, type NumberList } from "../number-index.ts";

const none = -1;
/** More than one listed number is near. */
const several = -2;

/**
 * Returns for each row of `rows` the only number of `listed` that is near, as its row in `listed`, or
 * -1 if there is none, or more than one. `rows` are rows of `numbers`, and none of them is in `listed`.
 */
export function* suggestionsFor(
  numbers: NumberColumn,
  rows: Uint32Array,
  listed: NumberList,
): Sliced<Int32Array> {
  const found = new Int32Array(rows.length).fill(none);
  // The same number can be listed twice.
  const isSame = (one: number, other: number) =>
    Buffer.compare(bytesAt(listed, one), bytesAt(listed, other)) === 0;
  const { text, ends, count } = listed;
  yield* findNear(numbers, rows, [{ text, ends, fields: 1, rows: count }], {
    wants: (at) => found[at] !== several,
    has: (at, row) => found[at] === row,
    add(at, row) {
      const before = found[at] as number;
      if (before === none) found[at] = row;
      else if (!isSame(before, row)) found[at] = several;
    },
  });
  for (const [at, one] of found.entries()) if (one === several) found[at] = none;
  return found;
}
