/**
 * Indexes the characters in a block of accounts, so that the filter can skip rows that cannot contain
 * a word.
 */
import { longer } from "./columns.ts";
import { bitWords, type RowBits } from "./row-bits.ts";

/** The lowest byte value outside ASCII. All bytes outside ASCII share the bits of this value. */
const firstNonAscii = 0x80;

/**
 * An index of the characters in one text column of a block: one bit per row for each character.
 * Upper and lower case share their bits. The filter skips the texts of all rows that lack a
 * character of the word. A word of one ASCII character needs no texts at all.
 */
export class BlockCharacters {
  /** The start of the bits of each byte value in `#bits`, or -1 if the byte does not occur. */
  readonly #starts = new Int32Array(256).fill(-1);
  #bits = new Uint32Array(16 * bitWords);
  /** Number of 32-bit words of `#bits` in use. */
  #used = 0;
  /** The common prefix of all texts that are not empty, such as the year of creation times. */
  readonly #commonPrefix: Uint8Array;

  /**
   * Indexes the texts of one column of `rows` rows. Each row has `fields` texts, whose ends in
   * `text` are in `ends`. `field` is the number of the indexed text, from 0.
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
      this.#addWord(rowsOfByte, allBytes < firstNonAscii ? firstNonAscii : 256, first >>> 5);
    }
    this.#bits = this.#bits.slice(0, this.#used);
    this.#commonPrefix = commonPrefixOf(text, ends, rows, fields, field);
  }

  /**
   * Returns all rows with text if `accepts` returns true for the common prefix of the texts.
   * Returns null if it returns false or if there is no common prefix.
   */
  rowsIfPrefixMatches(accepts: (text: Uint8Array) => boolean): RowBits | null {
    const first = this.#commonPrefix[0];
    if (first === undefined || !accepts(this.#commonPrefix)) return null;
    const start = this.#starts[Math.min(first, firstNonAscii)] as number;
    return this.#bits.subarray(start, start + bitWords);
  }

  /**
   * Stores the bits of 32 rows as the 32-bit word `wordIndex` of each byte value below `end`. The
   * bits come from `rowsOfByte`, which is then cleared.
   */
  #addWord(rowsOfByte: Uint32Array, end: number, wordIndex: number): void {
    for (let byte = 0; byte < end; byte++) {
      if (rowsOfByte[byte] === 0) continue;
      const known = this.#starts[byte] as number;
      const at = (known < 0 ? this.#allocate(byte) : known) + wordIndex;
      this.#bits[at] = (this.#bits[at] as number) | (rowsOfByte[byte] as number);
      rowsOfByte[byte] = 0;
    }
  }

  /**
   * Reserves part of `#bits` for a byte value and for the values that share the bits. Returns the
   * start of the part.
   */
  #allocate(byte: number): number {
    const start = this.#used;
    this.#used += bitWords;
    if (this.#used > this.#bits.length) this.#bits = longer(this.#bits, this.#bits.length * 2);
    if (byte >= firstNonAscii) this.#starts.fill(start, firstNonAscii);
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

  get nonAsciiRows(): RowBits | null {
    const start = this.#starts[firstNonAscii] as number;
    return start < 0 ? null : this.#bits.subarray(start, start + bitWords);
  }
}

/**
 * Returns the common prefix of the texts that are not empty. Stops as soon as the prefix is empty,
 * usually after a few texts.
 */
function commonPrefixOf(
  text: Uint8Array,
  ends: Uint32Array,
  rows: number,
  fields: number,
  field: number,
): Uint8Array {
  let prefix: Uint8Array | null = null;
  for (let row = 0; row < rows; row++) {
    const at = row * fields + field;
    const from = at === 0 ? 0 : (ends[at - 1] as number);
    const length = (ends[at] as number) - from;
    if (length === 0) continue;
    prefix ??= text.subarray(from, from + length);
    const shorter = Math.min(prefix.length, length);
    let common = 0;
    while (common < shorter && text[from + common] === prefix[common]) common++;
    if (common < prefix.length) prefix = prefix.subarray(0, common);
    if (common === 0) break;
  }
  return prefix === null ? new Uint8Array(0) : prefix.slice();
}

/** Returns an ASCII byte in upper and lower case, or only the byte if it is not a letter. */
function bothCases(byte: number): number[] {
  const upper = byte & ~0x20;
  return upper >= 0x41 && upper <= 0x5a ? [upper, upper | 0x20] : [byte];
}

/** The indexes of a full block. With these indexes, the filter reads only a few texts of the block. */
export interface BlockSearch {
  readonly columns: readonly BlockCharacters[];
  readonly pending: RowBits;
  /** The rows of gone accounts, or null if there are none. A list of the service has none. */
  readonly gone: RowBits | null;
}

/** The creation times in the format of the screen, as texts without separators. */
export interface ShownTimes {
  readonly text: Uint8Array;
  /** The end of each row's time in `text`. */
  readonly ends: Uint32Array;
  /**
   * The index of the texts, or null if there are no texts. No texts are needed if each shown time
   * equals the beginning of the raw time, except that the raw time can have another character in
   * place of a space, such as the "T" after the date. A filter word has no spaces, so a search of
   * the raw times then returns the same rows.
   */
  readonly characters: BlockCharacters | null;
}
