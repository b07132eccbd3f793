import { longer } from "./columns.ts";
import { bitWords, type RowBits } from "./row-bits.ts";

/** All bytes outside ASCII stand under this one. */
const beyondAscii = 0x80;

/**
 * Which rows of a block hold a character in one of their texts: one bit a row for each character
 * that occurs, upper and lower case together. The characters of a word then show, without reading any
 * text, which rows can contain it; for a single character that is the answer.
 */
export class BlockCharacters {
  /** By byte: where its bits begin; -1 where it does not occur. */
  readonly #starts = new Int32Array(256).fill(-1);
  #bits = new Uint32Array(16 * bitWords);
  #used = 0;
  /** What all texts begin with that are not empty, such as the year of creation times. */
  readonly #beginning: Uint8Array;

  /** Reads the texts of `rows` rows: `fields` ends a row, of which `field` is the one looked at. */
  constructor(text: Uint8Array, ends: Uint32Array, rows: number, fields: number, field: number) {
    // Gathered for 32 rows at a time in a small table, which the processor keeps at hand.
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

  /** The rows whose text is not empty, where `holds` is true of what all of those begin with; else null. */
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

  /** Takes out of `rows` those that do not hold all of these ASCII characters; false if none is left. */
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

  /** The rows whose text is more than ASCII; null when all are ASCII. */
  get beyondAscii(): RowBits | null {
    const start = this.#starts[beyondAscii] as number;
    return start < 0 ? null : this.#bits.subarray(start, start + bitWords);
  }
}

/** Looks no further than the first rows where texts begin differently, as most do. */
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

/** What spares the filter most looks at a full block's texts. */
export interface BlockSearch {
  /** By text column. */
  readonly columns: readonly BlockCharacters[];
  readonly pending: RowBits;
  /** Null where none is, as on all lists of the service. */
  readonly gone: RowBits | null;
}

/** Creation times as they are shown, as texts end to end. */
export interface ShownTimes {
  readonly text: Uint8Array;
  /** One end in `text` per row. */
  readonly ends: Uint32Array;
  /**
   * Null when no word can be found here that is not found on the wire: each time is shown as the
   * wire has it, but for white space, and no word holds any.
   */
  readonly characters: BlockCharacters | null;
}
