import { fieldStart, type TextColumnIndex } from "./columns.ts";
import type { Sliced } from "./slices.ts";
import { radixSort, stride } from "./sort-radix.ts";
import type { AccountTable } from "./table.ts";

/** Groups up to this size are sorted by comparing. */
const small = 48;
/** Bytes looked at in one go, and the greatest key they may make. */
const windowBytes = 12;
const greatestKey = 0xffff_ffff;

/** Some rows of an order whose texts agree up to `offset`. */
interface Group {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** Sorts `rows` in place by the bytes of a text column, stable; a text comes before its extensions. */
export function* sortByText(
  table: AccountTable,
  rows: Uint32Array,
  column: TextColumnIndex,
  descending: boolean,
): Sliced<void> {
  const groups: Group[] = [{ from: 0, to: rows.length, offset: 0 }];
  const reader = new TextReader(table, column);
  let work = 0;
  for (let group = groups.pop(); group; group = groups.pop()) {
    const size = group.to - group.from;
    if (size <= small) {
      insertionSort(reader, rows, group, descending);
      work += size;
      if (work >= stride / 8) {
        work = 0;
        yield;
      }
    } else {
      yield* sortGroup(reader, rows, group, descending, groups);
    }
  }
}

/** Sorts one group by the next bytes, and leaves what is still equal as further groups. */
function* sortGroup(
  reader: TextReader,
  rows: Uint32Array,
  group: Group,
  descending: boolean,
  groups: Group[],
): Sliced<void> {
  const offset = yield* agreeUpTo(reader, rows, group);
  if (offset < 0) return;
  const { ranks, width, spread, complete } = yield* survey(reader, rows, group, offset);
  const count = group.to - group.from;
  const greatest = spread.reduce((product, one) => product * one, 1) - 1;
  const keys = new Uint32Array(count);
  for (let start = 0; start < count; start += stride) {
    const end = Math.min(count, start + stride);
    for (let at = start; at < end; at++) {
      reader.turnTo(rows[group.from + at] as number);
      let key = 0;
      for (let place = 0; place < width; place++) {
        const rank = ranks[place * 257 + reader.byteAt(offset + place)] as number;
        key = key * (spread[place] as number) + rank;
      }
      keys[at] = descending ? greatest - key : key;
    }
    yield;
  }
  const sorted = yield* radixSort({ rows: rows.slice(group.from, group.to), keys }, greatest);
  rows.set(sorted.rows, group.from);
  if (complete) return;
  let first = 0;
  for (let at = 1; at <= count; at++) {
    if (at < count && sorted.keys[at] === sorted.keys[first]) continue;
    if (at - first > 1) {
      groups.push({ from: group.from + first, to: group.from + at, offset: offset + width });
    }
    first = at;
    if (at % stride === 0) yield;
  }
}

/** How far the texts of a group agree; -1 when they are all equal. */
function* agreeUpTo(reader: TextReader, rows: Uint32Array, group: Group): Sliced<number> {
  const model = reader.bytesOf(rows[group.from] as number);
  let agreed = model.length;
  let different = false;
  for (let start = group.from + 1; start < group.to; start += stride) {
    const end = Math.min(group.to, start + stride);
    for (let at = start; at < end; at++) {
      reader.turnTo(rows[at] as number);
      let place = group.offset;
      while (place < agreed && reader.byteAt(place) - 1 === model[place]) place += 1;
      if (place < agreed) different = true;
      else if (reader.byteAt(model.length) !== 0) different = true;
      if (place < agreed) agreed = place;
    }
    yield;
  }
  return different ? agreed : -1;
}

interface Survey {
  /** By place in the window and byte + 1 (0: the text has ended): the rank among those that occur. */
  readonly ranks: Uint16Array;
  /** Places that fit into one key. */
  readonly width: number;
  /** By place: how many ranks there are. */
  readonly spread: readonly number[];
  /** No text goes on behind the window. */
  readonly complete: boolean;
}

/** Looks which bytes occur at each place behind `offset`: fewer of them means more places per key. */
function* survey(
  reader: TextReader,
  rows: Uint32Array,
  group: Group,
  offset: number,
): Sliced<Survey> {
  const ranks = new Uint16Array(windowBytes * 257);
  let longest = 0;
  for (let start = group.from; start < group.to; start += stride) {
    const end = Math.min(group.to, start + stride);
    for (let at = start; at < end; at++) {
      reader.turnTo(rows[at] as number);
      if (reader.length > longest) longest = reader.length;
      for (let place = 0; place < windowBytes; place++) {
        const byte = reader.byteAt(offset + place);
        ranks[place * 257 + byte] = 1;
        if (byte === 0) break;
      }
    }
    yield;
  }
  const spread: number[] = [];
  let product = 1;
  for (let place = 0; place < windowBytes; place++) {
    let rank = 0;
    for (let byte = 0; byte <= 256; byte++) {
      // Behind a text's end every place has rank 0, whether or not the end itself was seen there.
      if (byte === 0) rank = 1;
      else if (ranks[place * 257 + byte] === 1) ranks[place * 257 + byte] = rank++;
    }
    ranks[place * 257] = 0;
    if (product * rank > greatestKey) break;
    product *= rank;
    spread.push(rank);
  }
  return { ranks, width: spread.length, spread, complete: longest <= offset + spread.length };
}

function insertionSort(
  reader: TextReader,
  rows: Uint32Array,
  group: Group,
  descending: boolean,
): void {
  for (let at = group.from + 1; at < group.to; at++) {
    const row = rows[at] as number;
    let place = at;
    while (place > group.from) {
      const before = rows[place - 1] as number;
      const order = reader.compare(before, row, group.offset);
      if (descending ? order >= 0 : order <= 0) break;
      rows[place] = before;
      place -= 1;
    }
    rows[place] = row;
  }
}

/** Reads one column's bytes, row by row, without copying them. */
class TextReader {
  readonly #table: AccountTable;
  readonly #column: TextColumnIndex;
  #text = new Uint8Array(0);
  #start = 0;
  length = 0;

  constructor(table: AccountTable, column: TextColumnIndex) {
    this.#table = table;
    this.#column = column;
  }

  turnTo(row: number): void {
    const block = this.#table.blockOf(row);
    const place = this.#table.placeOf(row);
    this.#text = block.text;
    this.#start = fieldStart(block, place, this.#column);
    this.length = (block.ends[place * 3 + this.#column] as number) - this.#start;
  }

  /** The byte at a place, plus one; 0 behind the end. */
  byteAt(place: number): number {
    return place < this.length ? (this.#text[this.#start + place] as number) + 1 : 0;
  }

  bytesOf(row: number): Uint8Array {
    this.turnTo(row);
    return this.#text.subarray(this.#start, this.#start + this.length);
  }

  compare(left: number, right: number, offset: number): number {
    this.turnTo(left);
    const text = this.#text;
    const start = this.#start;
    const { length } = this;
    this.turnTo(right);
    const shorter = Math.min(length, this.length);
    for (let place = offset; place < shorter; place++) {
      const difference =
        (text[start + place] as number) - (this.#text[this.#start + place] as number);
      if (difference !== 0) return difference;
    }
    return length - this.length;
  }
}
