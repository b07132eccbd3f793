/**
 * Indexes the characters in a block of accounts, so that the filter skips rows that lack a word.
 */
import { longer } from "./columns.ts";
import { bitWords, type RowBits } from "./row-bits.ts";

/** The index entry that all bytes outside ASCII share. */
const beyondAscii = 0x80;

/**
 * An index of the characters in the texts of a block. For each character it has one bit per row,
 * with no difference between upper and lower case. With the index,
 * the filter finds the rows that can contain a word without reading their texts. For a word of one
 * character, no text needs to be read.
 */
export class BlockCharacters {
  /** The start of the bits of each byte, or -1 if the byte does not occur. */
  readonly #starts = new Int32Array(256).fill(-1);
  #bits = new Uint32Array(16 * bitWords);
  #used = 0;
  /** The common beginning of all texts that are not empty, such as the year of creation times. */
  readonly #beginning: Uint8Array;

  /**
   * Indexes one field of `rows` rows. Each row has `fields` ends in `ends`. The index of the field
   * is `field`.
   */
  constructor(text: Uint8Array, ends: Uint32Array, rows: number, fields: number, field: number) {
    // The characters of 32 rows at a time are collected in a table that fits into the processor's
    // cache.
    const rowsOfByte = new Uint32Array(256);
    for (let first = 0; first < rows; first += 32) {
      const last = Math.min(rows, first + 32);
      let allBytes = 0;
      for (let row = first; row < last; row++) {
        const at = row * fields + field;
        const to = ends[at] as number;
        const bit = 1 << (row & 31);
        for (let from = at === 0 ? 0 : (ends[at - 1] as number); from < to; from++) {
          const byte = text[from] as number;
          rowsOfByte[byte] = (rowsOfByte[byte] as number) | bit;
          allBytes |= byte;
        }
      }
      this.#addWord(rowsOfByte, allBytes < beyondAscii ? beyondAscii : 256, first >>> 5);
    }
    this.#bits = this.#bits.slice(0, this.#used);
    this.#beginning = sharedBeginning(text, ends, rows, fields, field);
  }

  /**
   * Returns all rows with text if `accepts` returns true for their common beginning, or null if it
   * returns false or there is no common beginning.
   */
  rowsIfBeginning(accepts: (text: Uint8Array) => boolean): RowBits | null {
    const first = this.#beginning[0];
    if (first === undefined || !accepts(this.#beginning)) return null;
    const start = this.#starts[Math.min(first, beyondAscii)] as number;
    return this.#bits.subarray(start, start + bitWords);
  }

  /** Adds the rows of each byte as the word `word` of the byte's bits, and clears `rowsOfByte`. */
  #addWord(rowsOfByte: Uint32Array, end: number, word: number): void {
    for (let byte = 0; byte < end; byte++) {
      if (rowsOfByte[byte] === 0) continue;
      const known = this.#starts[byte] as number;
      const at = (known < 0 ? this.#allocate(byte) : known) + word;
      this.#bits[at] = (this.#bits[at] as number) | (rowsOfByte[byte] as number);
      rowsOfByte[byte] = 0;
    }
  }

  /** Reserves the bits of a byte. Returns their start. */
  #allocate(byte: number): number {
    const start = this.#used;
    this.#used += bitWords;
    if (this.#used > this.#bits.length) this.#bits = longer(this.#bits, this.#bits.length * 2);
    if (byte >= beyondAscii) this.#starts.fill(start, beyondAscii);
    else for (const letter of bothCases(byte)) this.#starts[letter] = start;
    return start;
  }

  /**
   * Removes the rows that lack one of these ASCII characters from `rows`. Returns false if one of
   * the characters does not occur in the block.
   */
  removeRowsWithout(bytes: Uint8Array, rows: RowBits): boolean {
    for (let at = 0; at < bytes.length; at++) {
      const start = this.#starts[bytes[at] as number] as number;
      if (start < 0) return false;
      const bits = this.#bits;
      for (let word = 0; word < bitWords; word++) {
        rows[word] = (rows[word] as number) & (bits[start + word] as number);
      }
    }
    return true;
  }

  /** The rows whose text has characters outside ASCII, or null if there are none. */
  get beyondAscii(): RowBits | null {
    const start = this.#starts[beyondAscii] as number;
    return start < 0 ? null : this.#bits.subarray(start, start + bitWords);
  }
}

/**
 * Returns the common beginning of the texts that are not empty. Stops at the first text that shares
 * none, which is usually one of the first.
 */
function sharedBeginning(
  text: Uint8Array,
  ends: Uint32Array,
  rows: number,
  fields: number,
  field: number,
): Uint8Array {
  let shared: Uint8Array | null = null;
  for (let row = 0; row < rows; row++) {
    const at = row * fields + field;
    const from = at === 0 ? 0 : (ends[at - 1] as number);
    const length = (ends[at] as number) - from;
    if (length === 0) continue;
    shared ??= text.subarray(from, from + length);
    const shorter = Math.min(shared.length, length);
    let common = 0;
    while (common < shorter && text[from + common] === shared[common]) common++;
    if (common < shared.length) shared = shared.subarray(0, common);
    if (common === 0) break;
  }
  return shared === null ? new Uint8Array(0) : shared.slice();
}

/** Returns an ASCII byte in upper and lower case, or only the byte if it is not a letter. */
function bothCases(byte: number): number[] {
  const upper = byte & ~0x20;
  return upper >= 0x41 && upper <= 0x5a ? [upper, upper | 0x20] : [byte];
}

/** Indexes of a full block. With them the filter reads few texts of the block. */
export interface BlockSearch {
  /** The characters of each text column. */
  readonly columns: readonly BlockCharacters[];
  /** The pending rows. */
  readonly pending: RowBits;
  /** The gone rows, or null if there are none. The lists of the service have no gone rows. */
  readonly gone: RowBits | null;
}

/** Creation times in the format of the screen, as texts end to end. */
export interface ShownTimes {
  readonly text: Uint8Array;
  /** The end of each row's time in `text`. */
  readonly ends: Uint32Array;
  /**
   * The characters of the texts, or null if each shown time, except for its spaces, is the
   * beginning of the raw time. A word has no spaces, so it then matches the raw time, too.
   */
  readonly characters: BlockCharacters | null;
}
