/** One needle over a whole block of ASCII rows: what a fresh query over a million rows rests on. */
import type { Block, ShownTimes } from "./block.ts";
import { isPendingRow, TextColumn } from "./columns.ts";
import { find, type Needle } from "./filter-needle.ts";

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
  if (needle.word.fuzzy) scanFuzzy(needle, block, hits, first, last);
  else scanPlain(needle, block.text, block.ends, 3, hits, first, last);
}

/**
 * Through the text from end to end; which row it is matters only where something is found. `fields`
 * is how many ends there are per row; a find counts in the fields from `first` to `last`.
 */
function scanPlain(
  needle: Needle,
  text: Uint8Array,
  ends: Uint32Array,
  fields: number,
  hits: Uint8Array,
  first: number,
  last: number,
): void {
  const { skip } = needle;
  const lower = needle.lower as Uint8Array;
  const upper = needle.upper as Uint8Array;
  const tip = lower.length - 1;
  const tipLower = lower[tip] as number;
  const tipUpper = upper[tip] as number;
  const length = ends[hits.length * fields - 1] as number;
  let row = 0;
  let at = tip;
  while (at < length) {
    const byte = text[at] as number;
    if (byte === tipLower || byte === tipUpper) {
      let index = tip - 1;
      let place = at - 1;
      for (; index >= 0; index--, place--) {
        const other = text[place] as number;
        if (other !== lower[index] && other !== upper[index]) break;
      }
      if (index < 0) {
        const start = at - tip;
        while ((ends[row * fields + fields - 1] as number) <= start) row += 1;
        let field = 0;
        while ((ends[row * fields + field] as number) <= start) field += 1;
        if (field >= first && field <= last && at < (ends[row * fields + field] as number)) {
          hits[row] = 1;
          at = (ends[row * fields + fields - 1] as number) + tip;
          continue;
        }
      }
    }
    at += skip[byte] as number;
  }
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
    scanPlain(needle, shown.text, shown.ends, 1, hits, 0, 0);
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
