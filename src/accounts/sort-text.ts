/** Sorts account rows by the text of a column, in slices. */
import { fieldStart, type TextColumnIndex } from "./columns.ts";
import type { Sliced } from "./slices.ts";
import { radixSort, stride } from "./sort-radix.ts";
import type { AccountTable } from "./table.ts";

/** Groups up to this number of rows are sorted by comparing. */
const smallGroup = 48;
/** Maximum number of bytes of a text that one key covers. */
const windowBytes = 32;
const keyCount = 2 ** 32;

/** A range of rows whose texts are equal up to `offset`. */
interface Group {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/**
 * Sorts `rows` in place by the bytes of a text column, stable. A text comes before longer texts that begin with it.
 */
export function* sortByText(
  table: AccountTable,
  rows: Uint32Array,
  column: TextColumnIndex,
  descending: boolean,
): Sliced<void> {
  const reader = new TextReader(table, column);
  if (yield* sortedOrReversed(reader, rows, descending)) return;
  const groups: Group[] = [{ from: 0, to: rows.length, offset: 0 }];
  let work = 0;
  for (let group = groups.pop(); group; group = groups.pop()) {
    const size = group.to - group.from;
    if (size <= smallGroup) {
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

/**
 * Sorts rows that are in order already, or in the opposite order: many services list accounts by their
 * number. Returns false, without a change, if the rows have another order or equal texts.
 */
function* sortedOrReversed(
  reader: TextReader,
  rows: Uint32Array,
  descending: boolean,
): Sliced<boolean> {
  let first = 0;
  for (let at = 1; at < rows.length; at++) {
    const order = Math.sign(reader.compare(rows[at - 1] as number, rows[at] as number, 0));
    if (at === 1) first = order;
    if (order === 0 || order !== first) return false;
    if (at % stride === 0) yield;
  }
  if (first > 0 !== descending) rows.reverse();
  return true;
}

/** Sorts one group by the next bytes. Rows that are still equal are added to `groups`. */
function* sortGroup(
  reader: TextReader,
  rows: Uint32Array,
  group: Group,
  descending: boolean,
  groups: Group[],
): Sliced<void> {
  const { parts, greatest, next, complete } = yield* survey(reader, rows, group);
  const count = group.to - group.from;
  const keys = new Uint32Array(count);
  for (let start = 0; start < count; start += stride) {
    const end = Math.min(count, start + stride);
    for (let at = start; at < end; at++) {
      const key = reader.keyOf(rows[group.from + at] as number, parts);
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
      groups.push({ from: group.from + first, to: group.from + at, offset: next });
    }
    first = at;
    if (at % stride === 0) yield;
  }
}

/** The values that each place at which texts differ adds to a key. */
interface KeyParts {
  readonly places: Uint32Array;
  /** 257 values for each place: the first for the end of the text, then one for each byte. */
  readonly parts: Uint32Array;
}

interface Survey {
  readonly parts: KeyParts;
  readonly greatest: number;
  /** The offset at which texts with the same key can differ. */
  readonly next: number;
  readonly complete: boolean;
}

/**
 * Finds the places at which texts differ and the bytes that occur there. With fewer bytes, more
 * places fit into a key.
 */
function* survey(
  reader: TextReader,
  rows: Uint32Array,
  { from, to, offset }: Group,
): Sliced<Survey> {
  const occurring = new Uint8Array(windowBytes * 256);
  let shortest = Number.POSITIVE_INFINITY;
  let longest = 0;
  for (let start = from; start < to; start += stride) {
    const end = Math.min(to, start + stride);
    for (let at = start; at < end; at++) {
      const length = reader.turnTo(rows[at] as number);
      if (length > longest) longest = length;
      if (length < shortest) shortest = length;
      reader.mark(offset, occurring);
    }
    yield;
  }
  const ranked: { readonly place: number; readonly ranks: number[]; readonly spread: number }[] =
    [];
  let product = 1;
  let next = offset;
  for (; next < Math.min(longest, offset + windowBytes); next++) {
    // After the end of a text, every place has rank 0.
    let spread = next < shortest ? 0 : 1;
    const ranks = Array.from(
      occurring.subarray((next - offset) * 256, (next - offset + 1) * 256),
      (occurs) => (occurs === 1 ? spread++ : 0),
    );
    if (product * spread > keyCount) break;
    product *= spread;
    if (spread > 1) ranked.push({ place: next, ranks: [0, ...ranks], spread });
  }
  let weight = product;
  const parts = ranked.flatMap(({ ranks, spread }) => {
    weight /= spread;
    return ranks.map((rank) => rank * weight);
  });
  return {
    parts: {
      places: Uint32Array.from(ranked, ({ place }) => place),
      parts: Uint32Array.from(parts),
    },
    greatest: product - 1,
    next,
    complete: longest <= next,
  };
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

  turnTo(row: number): number {
    const block = this.#table.blockOf(row);
    const place = this.#table.placeOf(row);
    this.#text = block.text;
    this.#start = fieldStart(block, place, this.#column);
    this.length = (block.ends[place * 3 + this.#column] as number) - this.#start;
    return this.length;
  }

  /** Returns the key of a row. Keys have the order of the texts at the places of `parts`. */
  keyOf(row: number, { places, parts }: KeyParts): number {
    const length = this.turnTo(row);
    const text = this.#text;
    const start = this.#start;
    let key = 0;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      const byte = place < length ? (text[start + place] as number) + 1 : 0;
      key = (key + (parts[at * 257 + byte] as number)) >>> 0;
    }
    return key;
  }

  /** Marks the bytes of a window that begins at `offset`, with 256 marks for each place. */
  mark(offset: number, occurring: Uint8Array): void {
    const text = this.#text;
    const start = this.#start + offset;
    const count = Math.min(windowBytes, this.length - offset);
    for (let place = 0; place < count; place++)
      occurring[(place << 8) | (text[start + place] as number)] = 1;
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
