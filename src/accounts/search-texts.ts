/**
 * Searches the texts of a block's rows for one word. Each kind of word has a separate loop, because
 * one function call for each of a million rows would be too slow.
 */
import { blockRows, utf8 } from "./columns.ts";
import type { NeedleBytes } from "./filter-needle.ts";
import { addBit, bitWords, type RowBits } from "./row-bits.ts";

/**
 * The texts of all rows, end to end: `fields` texts for each row. Only the text with index `field`
 * of each row is searched.
 */
export interface Texts {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
  readonly fields: number;
  readonly field: number;
}

/** The rows to search. The function `listRows` fills this array. */
const rowList = new Uint16Array(blockRows);

export function findBytes(needle: NeedleBytes, texts: Texts, rows: RowBits, found: RowBits): void {
  const count = listRows(rows);
  if (needle.fuzzy) findFuzzyText(needle, texts, count, found);
  else if (needle.lower.length === 2) findTwoByteText(needle, texts, count, found);
  else findLongText(needle, texts, count, found);
}

/**
 * Adds the rows of `rows` whose text matches the pattern to `found`. Works for any text and any
 * word, but is slower than {@link findBytes}.
 */
export function findPattern(pattern: RegExp, texts: Texts, rows: RowBits, found: RowBits): void {
  const { text, ends, fields, field } = texts;
  const count = listRows(rows);
  for (let index = 0; index < count; index++) {
    const row = rowList[index] as number;
    const textIndex = row * fields + field;
    const from = textIndex === 0 ? 0 : (ends[textIndex - 1] as number);
    if (pattern.test(utf8.decode(text.subarray(from, ends[textIndex])))) addBit(found, row);
  }
}

/** Writes the rows into `rowList` and returns their number. */
function listRows(rows: RowBits): number {
  let count = 0;
  for (let word = 0; word < bitWords; word++) {
    for (let rest = rows[word] as number; rest !== 0; rest &= rest - 1) {
      rowList[count++] = (word << 5) + 31 - Math.clz32(rest & -rest);
    }
  }
  return count;
}

function findTwoByteText(needle: NeedleBytes, texts: Texts, count: number, found: RowBits): void {
  const { text, ends, fields, field } = texts;
  const [lower0, lower1] = [needle.lower[0] as number, needle.lower[1] as number];
  const [upper0, upper1] = [needle.upper[0] as number, needle.upper[1] as number];
  for (let index = 0; index < count; index++) {
    const row = rowList[index] as number;
    const textIndex = row * fields + field;
    const end = ends[textIndex] as number;
    // The second byte is compared first. Most positions need no other comparison.
    for (let at = (textIndex === 0 ? 0 : (ends[textIndex - 1] as number)) + 1; at < end; at++) {
      const second = text[at] as number;
      if (second !== lower1 && second !== upper1) continue;
      const first = text[at - 1] as number;
      if (first !== lower0 && first !== upper0) continue;
      addBit(found, row);
      break;
    }
  }
}

function findLongText(needle: NeedleBytes, texts: Texts, count: number, found: RowBits): void {
  const { text, ends, fields, field } = texts;
  const { lower, upper, skip } = needle;
  const last = lower.length - 1;
  const lastLower = lower[last] as number;
  const lastUpper = upper[last] as number;
  for (let index = 0; index < count; index++) {
    const row = rowList[index] as number;
    const textIndex = row * fields + field;
    const to = ends[textIndex] as number;
    let end = (textIndex === 0 ? 0 : (ends[textIndex - 1] as number)) + last;
    while (end < to) {
      const byte = text[end] as number;
      if (byte === lastLower || byte === lastUpper) {
        let before = last - 1;
        for (; before >= 0; before--) {
          const other = text[end - last + before] as number;
          if (other !== lower[before] && other !== upper[before]) break;
        }
        if (before < 0) {
          addBit(found, row);
          break;
        }
      }
      end += skip[byte] as number;
    }
  }
}

function findFuzzyText(needle: NeedleBytes, texts: Texts, count: number, found: RowBits): void {
  const { text, ends, fields, field } = texts;
  const { lower, upper } = needle;
  const { length } = lower;
  for (let index = 0; index < count; index++) {
    const row = rowList[index] as number;
    const textIndex = row * fields + field;
    const end = ends[textIndex] as number;
    let next = 0;
    for (
      let offset = textIndex === 0 ? 0 : (ends[textIndex - 1] as number);
      offset < end;
      offset++
    ) {
      const byte = text[offset] as number;
      if (byte !== lower[next] && byte !== upper[next]) continue;
      next += 1;
      if (next < length) continue;
      addBit(found, row);
      break;
    }
  }
}
