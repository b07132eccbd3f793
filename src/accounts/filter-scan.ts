/** One needle over a whole block of ASCII rows: what a fresh query over a million rows rests on. */
import type { Block, ShownTimes } from "./block.ts";
import { isPendingRow, TextColumn } from "./columns.ts";
import { find, type Needle, spelling } from "./filter-needle.ts";

/** Marks the rows whose state, as it is shown, holds the needle. */
export function scanStates(needle: Needle, block: Block, hits: Uint8Array): void {
  for (let row = 0; row < block.rows; row++) {
    if (isPendingRow(block, row) ? needle.inPending : needle.inImported) hits[row] = 1;
  }
}

/** Marks the rows whose texts of the wire hold the needle. */
export function scanWire(needle: Needle, block: Block, hits: Uint8Array): void {
  if (needle.lower === null) return;
  const { column } = needle.word;
  const first = column === "any" ? TextColumn.external : TextColumn[column];
  const last = column === "any" ? TextColumn.created : first;
  const { text, ends, alphabet } = block;
  if (needle.word.fuzzy) scanFuzzy(needle, block, hits, first, last);
  else scanPlain(needle, { text, ends, alphabet, fields: 3 }, hits, first, last);
}

/** Texts that stand end to end, a fixed number of them per row. */
interface Fields {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
  readonly fields: number;
  readonly alphabet: Uint8Array | null;
}

/** Finds in more than one of so many rows make the engine's own search the slower one. */
const frequentShare = 3;

/**
 * Marks the rows that hold the needle in one of the fields from `first` to `last`: through the text
 * from end to end, since which row it is matters only where something is found.
 */
function scanPlain(
  needle: Needle,
  where: Fields,
  hits: Uint8Array,
  first: number,
  last: number,
): void {
  const { ends, fields } = where;
  const length = (needle.lower as Uint8Array).length;
  const next = seeker(needle, where);
  let found = 0;
  let row = 0;
  for (let at = next(0); at >= 0; ) {
    while ((ends[row * fields + fields - 1] as number) <= at) row += 1;
    let field = 0;
    while ((ends[row * fields + field] as number) <= at) field += 1;
    found += 1;
    const inside = at + length <= (ends[row * fields + field] as number);
    if (inside && field >= first && field <= last) {
      hits[row] = 1;
      at = next(ends[row * fields + fields - 1] as number);
    } else at = next(at + 1);
  }
  needle.frequent = found * frequentShare > hits.length;
}

/** Where the needle stands next from a place on; -1 when nowhere. */
function seeker(needle: Needle, where: Fields): (from: number) => number {
  const { text } = where;
  const exact = needle.frequent || !where.alphabet ? null : spelling(needle, where.alphabet);
  if (exact === null) return (from) => find(needle, text, from, text.length);
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  return (from) => (from < buffer.length ? buffer.indexOf(exact, from) : -1);
}

function scanFuzzy(
  needle: Needle,
  block: Block,
  hits: Uint8Array,
  first: number,
  last: number,
): void {
  const { text, ends } = block;
  const lower = needle.lower as Uint8Array;
  const upper = needle.upper as Uint8Array;
  const { length } = lower;
  for (let row = 0; row < block.rows; row++) {
    for (let field = first; field <= last && hits[row] === 0; field++) {
      const at = row * 3 + field;
      const end = ends[at] as number;
      let next = 0;
      for (let place = at === 0 ? 0 : (ends[at - 1] as number); place < end; place++) {
        const byte = text[place] as number;
        if (byte !== lower[next] && byte !== upper[next]) continue;
        next += 1;
        if (next < length) continue;
        hits[row] = 1;
        break;
      }
    }
  }
}

/** Marks the rows whose creation time, as it is shown, holds the needle. */
export function scanShown(needle: Needle, shown: ShownTimes, hits: Uint8Array): void {
  if (!needle.word.fuzzy && count(hits) < hits.length / 2) {
    scanPlain(needle, { ...shown, fields: 1 }, hits, 0, 0);
    return;
  }
  let from = 0;
  for (let row = 0; row < hits.length; row++) {
    const to = shown.ends[row] as number;
    if (hits[row] === 0 && to > from && find(needle, shown.text, from, to) >= 0) hits[row] = 1;
    from = to;
  }
}

function count(hits: Uint8Array): number {
  let sum = 0;
  for (let row = 0; row < hits.length; row++) sum += hits[row] as number;
  return sum;
}
