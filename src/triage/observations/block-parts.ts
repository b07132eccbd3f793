/**
 * Packs and unpacks the stored accounts of a list. They are stored in blocks of rows, in the order
 * in which they were first listed. Each part of a block is compressed separately, because most
 * observations need only a few parts.
 */

import { widerBytes } from "../../accounts/columns.ts";
import { type NumberColumn, numberStart } from "../account-numbers.ts";
import { ByteReader, ByteWriter } from "./byte-stream.ts";

/** The right shift from the number of a row to the number of its block. */
export const blockShift = 13;
/** Number of rows of a full block of stored accounts. */
export const storedBlockRows = 1 << blockShift;

/** The parts of a block, by the number with which they are stored. */
export const Part = {
  /** Account numbers, which never change. */
  numbers: 0,
  /** The {@link State} of each account, with a flag if the account was imported at least once. */
  states: 1,
  /** The content hash of each account in the last list. */
  hashes: 2,
  /** The times from which ages are computed. */
  ages: 3,
  /** The columns of {@link Time} that are not in `ages`. */
  past: 4,
  /** Service account numbers and creation times. */
  content: 5,
} as const;
/** The number of a part, as stored. */
export type PartKind = (typeof Part)[keyof typeof Part];

/** The state of a row, as a stored number. */
export const State = {
  /** The account was not listed yet, or was deleted from the observations. */
  none: 0,
  /** The last list has the account as pending. */
  pending: 1,
  /** The last list has the account as imported. */
  imported: 2,
  /** The last list does not have the account, which was never imported. */
  gone: 3,
  /** The last list does not have the account, which was imported at least once. */
  removed: 4,
} as const;

/** Flag stored beside the state: the account was imported at least once. */
const wasImported = 8;

/** Returns the {@link State} of a stored row. */
export function stateIn(stored: number): number {
  return stored & 7;
}

/** Returns true if the account of a stored row was imported at least once. */
export function isEverImported(stored: number): boolean {
  return (stored & wasImported) !== 0;
}

/**
 * Returns the value to store for a row whose stored value is `before` and whose state is now `to`. An
 * account that was imported stays marked as such.
 */
export function storedState(before: number, to: number): number {
  return to | (to === State.imported ? wasImported : before & wasImported);
}

/**
 * The index of each column of times. The columns of {@link Part.ages} come first, then the columns
 * of {@link Part.past}.
 */
export const Time = {
  /** The first list with the account. */
  firstSeen: 0,
  /** The list since which the account is pending. */
  pendingSince: 1,
  /** The first list without the account. */
  leftAt: 2,
  /** The first list in which the account was pending. */
  firstPending: 3,
  /** The last list with the account as pending, before its state changed. */
  lastPending: 4,
  /** The first list in which the account was imported. */
  firstImported: 5,
  /** The last list with the account, before a list without it. */
  lastSeen: 6,
} as const;
/** Number of columns of {@link Part.ages}. */
export const agesColumns = 3;
/** Number of columns of {@link Part.past}. */
export const pastColumns = 4;

/** Columns of times in epoch milliseconds, with NaN for an unknown time. */
export type Times = readonly Float64Array[];

/** Returns `count` columns of unknown times, with room for a full block. */
export function emptyTimes(count: number): Float64Array[] {
  return Array.from({ length: count }, () => new Float64Array(storedBlockRows).fill(Number.NaN));
}

/** Packs the account numbers of the rows from `from` to `to`. */
export function packNumbers({ text, ends }: NumberColumn, from: number, to: number): Uint8Array {
  const writer = new ByteWriter();
  writer.number(to - from);
  for (let row = from; row < to; row++)
    writer.number((ends[row] as number) - numberStart(ends, row));
  if (to > from) writer.raw(text, numberStart(ends, from), ends[to - 1] as number);
  return writer.packed();
}

/** Returns the length of each number, and the text of all numbers. */
export function unpackNumbers(packed: Uint8Array): { lengths: Uint32Array; text: Uint8Array } {
  const reader = new ByteReader(packed);
  const lengths = new Uint32Array(reader.number());
  let textLength = 0;
  for (let at = 0; at < lengths.length; at++) textLength += lengths[at] = reader.number();
  return { lengths, text: reader.raw(textLength) };
}

/** Adds the numbers of a block to those of earlier blocks. `row` is the first row of the block. */
export function readNumbers(packed: Uint8Array, row: number, numbers: GrowingNumbers): void {
  using reader = new ByteReader(packed);
  const count = reader.number();
  const start = numberStart(numbers.ends, row);
  let end = start;
  for (let at = row; at < row + count; at++) numbers.ends[at] = end += reader.number();
  if (end > numbers.text.length) numbers.text = widerBytes(numbers.text, end + (end >>> 2));
  numbers.text.set(reader.raw(end - start), start);
}

/** A number column whose text can grow. */
interface GrowingNumbers extends NumberColumn {
  text: Uint8Array<ArrayBuffer>;
}

/** Packs one stored state per row. */
export function packStates(states: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  writer.bytes(states);
  return writer.packed();
}

/** Returns the stored state of each row. The result is a view, not a copy. */
export function unpackStates(packed: Uint8Array): Uint8Array {
  return new ByteReader(packed).bytes();
}

/** Reads the states of a block into `states`, beginning at `row`. */
export function readStates(packed: Uint8Array, row: number, states: Uint8Array): void {
  using reader = new ByteReader(packed);
  states.set(reader.bytes(), row);
}

/** Packs the two halves of the content hash of each row. */
export function packHashes(low: Uint32Array, high: Uint32Array): Uint8Array {
  const writer = new ByteWriter();
  writer.bytes(bytesOf(low));
  writer.bytes(bytesOf(high));
  return writer.packed();
}

/** Returns the two halves of the content hash of each row. */
export function unpackHashes(packed: Uint8Array): { low: Uint32Array; high: Uint32Array } {
  using reader = new ByteReader(packed);
  return { low: uint32sOf(reader.bytes()), high: uint32sOf(reader.bytes()) };
}

/** Reads the hashes of a block into `low` and `high`, beginning at `row`. */
export function readHashes(
  packed: Uint8Array,
  row: number,
  low: Uint32Array,
  high: Uint32Array,
): void {
  using reader = new ByteReader(packed);
  bytesOf(low).set(reader.bytes(), row * 4);
  bytesOf(high).set(reader.bytes(), row * 4);
}

/**
 * Packs columns of times. A block has few distinct times, so each time is stored once, and each row
 * has the index of its time.
 */
export function packTimes(columns: Times, rows: number): Uint8Array {
  const writer = new ByteWriter();
  for (const column of columns) {
    const indexes = new Map<number, number>();
    const timeIndexes = new Uint16Array(rows);
    let lastTime = Number.NaN;
    let index = -1;
    for (let row = 0; row < rows; row++) {
      const time = column[row] as number;
      const isSame = time === lastTime || (Number.isNaN(time) && Number.isNaN(lastTime));
      if (index < 0 || !isSame) {
        index = indexes.get(time) ?? -1;
        if (index < 0) {
          index = indexes.size;
          indexes.set(time, index);
        }
        lastTime = time;
      }
      timeIndexes[row] = index;
    }
    writer.number(indexes.size);
    for (const time of indexes.keys()) writer.instant(time);
    if (indexes.size > 1) writer.raw(bytesOf(timeIndexes));
  }
  return writer.packed();
}

/** A stored column of times: the distinct times, and the index of each row's time. */
export interface DistinctTimes {
  readonly times: Float64Array;
  /** The index of each row's time in `times`, or null if all rows have the same time. */
  readonly timeIndexes: Uint16Array | null;
}

/** Returns columns of times as stored, with each distinct time once. `rows` is the block's size. */
export function unpackDistinctTimes(
  packed: Uint8Array,
  columns: number,
  rows: number,
): DistinctTimes[] {
  using reader = new ByteReader(packed);
  return Array.from({ length: columns }, () => {
    const times = Float64Array.from({ length: reader.number() }, () => reader.instant());
    // The bytes can begin at any offset, so they are copied.
    const timeIndexes =
      times.length <= 1 ? null : new Uint16Array(reader.raw(rows * 2).slice().buffer);
    return { times, timeIndexes };
  });
}

/**
 * Returns columns with the time of each row, with room for a full block. The rest of the room has
 * NaN.
 */
export function unpackTimes(packed: Uint8Array, columns: number, rows: number): Float64Array[] {
  return unpackDistinctTimes(packed, columns, rows).map(({ times, timeIndexes }) => {
    const column = new Float64Array(storedBlockRows).fill(Number.NaN);
    if (timeIndexes === null) return column.fill(times[0] ?? Number.NaN, 0, rows);
    for (let row = 0; row < rows; row++) column[row] = times[timeIndexes[row] as number] as number;
    return column;
  });
}

/** Service account numbers and creation times of some rows. */
export interface Content {
  /** The length of each service account number + 1, or 0 if the row has none. */
  readonly lengths: Uint32Array;
  /** The service account numbers of the rows, one after the other, in UTF-8. */
  readonly text: Uint8Array;
  /** The creation times in epoch milliseconds, with NaN for an unknown time. */
  readonly createdAt: Float64Array;
}

/**
 * Packs the content of the first `rows` rows. Creation times are stored as whole seconds if all of
 * them are, because that needs fewer bytes.
 */
export function packContent({ lengths, text, createdAt }: Content, rows: number): Uint8Array {
  const writer = new ByteWriter();
  let textLength = 0;
  for (let row = 0; row < rows; row++) {
    writer.number(lengths[row] as number);
    textLength += Math.max(0, (lengths[row] as number) - 1);
  }
  writer.raw(text, 0, textLength);
  const seconds = new Uint32Array(rows);
  let isWhole = true;
  for (let row = 0; row < rows && isWhole; row++) {
    const time = createdAt[row] as number;
    const second = Number.isNaN(time) ? noCreationTime : time / 1000;
    seconds[row] = second;
    isWhole = seconds[row] === second && (second !== noCreationTime || Number.isNaN(time));
  }
  writer.byte(isWhole ? 1 : 0);
  if (isWhole) writer.raw(bytesOf(seconds));
  else for (let row = 0; row < rows; row++) writer.instant(createdAt[row] as number);
  return writer.packed();
}

/** The value that is stored instead of the seconds of a row without a creation time. */
const noCreationTime = 2 ** 32 - 1;

/** Returns the content of a block of `rows` rows. */
export function unpackContent(packed: Uint8Array, rows: number): Content {
  const reader = new ByteReader(packed);
  const lengths = new Uint32Array(rows);
  let textLength = 0;
  for (let row = 0; row < rows; row++) {
    lengths[row] = reader.number();
    textLength += Math.max(0, (lengths[row] as number) - 1);
  }
  const text = reader.raw(textLength);
  if (reader.byte() === 0) {
    return {
      lengths,
      text,
      createdAt: Float64Array.from({ length: rows }, () => reader.instant()),
    };
  }
  const seconds = uint32sOf(reader.raw(rows * 4));
  const createdAt = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const second = seconds[row] as number;
    createdAt[row] = second === noCreationTime ? Number.NaN : second * 1000;
  }
  return { lengths, text, createdAt };
}

/** Returns the bytes of numbers. The result is a view, not a copy. */
function bytesOf(values: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Returns bytes as 32-bit numbers. They are copied, because they can begin at any offset. */
function uint32sOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}
