import { longer } from "./columns.ts";
import { bitWords, type RowBits } from "./row-bits.ts";

/** The entry that all bytes outside ASCII share. */
const beyondAscii = 0x80;

/**
 * An index of the characters in the texts of a block. For each character it has one bit per row,
 * with no difference between upper and lower case. It shows which rows can contain a word without
 * reading their texts. For a single character the result is final.
 */
export class BlockCharacters {
  /** The start of the bits of each byte, or -1 if the byte does not occur. */
  readonly #starts = new Int32Array(256).fill(-1);
  #bits = new Uint32Array(16 * bitWords);
  #used = 0;
  /** The common beginning of all texts that are not empty, such as the year of creation times. */
  readonly #beginning: Uint8Array;

  /**
   * Reads the texts of `rows` rows. A row has `fields` ends, of which `field` is the one to read.
   */
  constructor(text: Uint8Array, ends: Uint32Array, rows: number, fields: number, field: number) {
    // Characters of 32 rows at a time, in a table that fits into the processor's cache.
    const seen = new Uint32Array(256);
    for (let first = 0; first < rows; first += 32) {
      const last = Math.min(rows, first + 32);
      let all = 0;
      for (let row = first; row < last; row++) {
        const at = row * fields + field;
        const to = ends[at] as number;
        const bit = 1 << (row & 31);
        for (let from = at === 0 ? 0 : (ends[at - 1] as number); from < to; from++) {
          const byte = text[from] as number;
          seen[byte] = (seen[byte] as number) | bit;
          all |= byte;
        }
      }
      this.#take(seen, all < beyondAscii ? beyondAscii : 256, first >>> 5);
    }
    this.#bits = this.#bits.slice(0, this.#used);
    this.#beginning = sharedBeginning(text, ends, rows, fields, field);
  }

  /**
   * Returns the rows whose text is not empty if `holds` is true for their common beginning, else
   * null.
   */
  rowsBeginning(holds: (text: Uint8Array) => boolean): RowBits | null {
    const first = this.#beginning[0];
    if (first === undefined || !holds(this.#beginning)) return null;
    const start = this.#starts[Math.min(first, beyondAscii)] as number;
    return this.#bits.subarray(start, start + bitWords);
  }

  #take(seen: Uint32Array, end: number, word: number): void {
    for (let byte = 0; byte < end; byte++) {
      if (seen[byte] === 0) continue;
      const known = this.#starts[byte] as number;
      const at = (known < 0 ? this.#begin(byte) : known) + word;
      this.#bits[at] = (this.#bits[at] as number) | (seen[byte] as number);
      seen[byte] = 0;
    }
  }

  #begin(byte: number): number {
    const start = this.#used;
    this.#used += bitWords;
    if (this.#used > this.#bits.length) this.#bits = longer(this.#bits, this.#bits.length * 2);
    if (byte >= beyondAscii) this.#starts.fill(start, beyondAscii);
    else for (const one of bothCases(byte)) this.#starts[one] = start;
    return start;
  }

  /**
   * Removes from `rows` those without all of these ASCII characters. Returns false if no row is
   * left.
   */
  keepHolding(bytes: Uint8Array, rows: RowBits): boolean {
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
 * Returns the common beginning of the texts. Compares no further if the first rows already differ,
 * which is usual.
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
    const most = Math.min(shared.length, length);
    let alike = 0;
    while (alike < most && text[from + alike] === shared[alike]) alike++;
    if (alike < shared.length) shared = shared.subarray(0, alike);
    if (alike === 0) break;
  }
  return shared === null ? new Uint8Array(0) : shared.slice();
}

function bothCases(byte: number): number[] {
  const upper = byte & ~0x20;
  return upper >= 0x41 && upper <= 0x5a ? [upper, upper | 0x20] : [byte];
}

/** Data about a full block that saves the filter most reads of its texts. */
export interface BlockSearch {
  /** The characters of each text column. */
  readonly columns: readonly BlockCharacters[];
  readonly pending: RowBits;
  /** The gone rows, or null if there are none, as on all lists of the service. */
  readonly gone: RowBits | null;
}

/** Creation times in the format of the screen, as texts end to end. */
export interface ShownTimes {
  readonly text: Uint8Array;
  /** One end in `text` per row. */
  readonly ends: Uint32Array;
  /**
   * The characters of the texts. Null if no word can match here that does not match the raw time:
   * each shown time is the beginning of the raw one except for white space, and no word has white
   * space.
   */
  readonly characters: BlockCharacters | null;
}
