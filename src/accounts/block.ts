import type { AccountBatch } from "../api/account-batch.ts";
import type { RowColumns } from "./columns.ts";

/** Rows of a full block. Blocks keep every copy and every pass short, whatever the table's size. */
export const blockRows = 1 << 14;

/** Creation times as they are shown, kept for the filter. */
export interface ShownTimes {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
  /** 1 for each byte that occurs. */
  readonly alphabet: Uint8Array;
}

/** Some rows of the table, one after the other. Rows are added, never changed. */
export class Block implements RowColumns {
  rows = 0;
  text = new Uint8Array(4096);
  ends = new Uint32Array(3 * 64);
  flags = new Uint8Array(64);
  createdAt = new Float64Array(64);
  /** Once full: 1 for each byte that occurs in the text. */
  alphabet: Uint8Array | null = null;
  /** Whether the text is known to be ASCII only; told once full. */
  ascii = false;
  /** Least and greatest creation time; NaN while there is none. */
  earliest = Number.NaN;
  latest = Number.NaN;
  shown: ShownTimes | null = null;
  #length = 0;

  get full(): boolean {
    return this.rows === blockRows;
  }

  /** Takes up to `count` rows of a batch from `start` on; returns how many it had room for. */
  add(batch: AccountBatch, start: number, count: number): number {
    const taken = Math.min(count, blockRows - this.rows);
    const from = start === 0 ? 0 : (batch.ends[start * 3 - 1] as number);
    const to = batch.ends[(start + taken) * 3 - 1] as number;
    this.#grow(this.rows + taken, this.#length + to - from);
    this.text.set(batch.text.subarray(from, to), this.#length);
    const shift = this.#length - from;
    const first = this.rows * 3;
    for (let at = 0; at < taken * 3; at++) {
      this.ends[first + at] = (batch.ends[start * 3 + at] as number) + shift;
    }
    this.flags.set(batch.flags.subarray(start, start + taken), this.rows);
    this.createdAt.set(batch.createdAt.subarray(start, start + taken), this.rows);
    for (let at = start; at < start + taken; at++) {
      const time = batch.createdAt[at] as number;
      if (!(time >= this.earliest)) this.earliest = Number.isNaN(time) ? this.earliest : time;
      if (!(time <= this.latest)) this.latest = Number.isNaN(time) ? this.latest : time;
    }
    this.#length += to - from;
    this.rows += taken;
    if (this.full) this.#seal();
    return taken;
  }

  #grow(rows: number, length: number): void {
    if (length > this.text.length) {
      const text = new Uint8Array(Math.max(length, this.text.length * 2));
      text.set(this.text.subarray(0, this.#length));
      this.text = text;
    }
    if (rows <= this.flags.length) return;
    const room = Math.min(blockRows, Math.max(rows, this.flags.length * 2));
    const ends = new Uint32Array(room * 3);
    ends.set(this.ends);
    const flags = new Uint8Array(room);
    flags.set(this.flags);
    const createdAt = new Float64Array(room);
    createdAt.set(this.createdAt);
    this.ends = ends;
    this.flags = flags;
    this.createdAt = createdAt;
  }

  #seal(): void {
    this.text = this.text.slice(0, this.#length);
    const alphabet = alphabetOf(this.text);
    this.ascii = alphabet.indexOf(1, 0x80) < 0;
    this.alphabet = alphabet;
  }
}

/** 1 for each byte that occurs in the text. */
export function alphabetOf(text: Uint8Array): Uint8Array {
  const alphabet = new Uint8Array(256);
  for (let at = 0; at < text.length; at++) alphabet[text[at] as number] = 1;
  return alphabet;
}

const encoder = new TextEncoder();

/** The creation times of a full block as `shown` writes them; kept in the block for the next time. */
export function shownTimesOf(block: Block, shown: (createdAtMs: number) => string): ShownTimes {
  if (block.shown) return block.shown;
  let text = new Uint8Array(block.rows * 24);
  const ends = new Uint32Array(block.rows);
  let length = 0;
  for (let row = 0; row < block.rows; row++) {
    const time = block.createdAt[row] as number;
    if (!Number.isNaN(time)) {
      const words = shown(time);
      if (text.length - length < words.length * 3) {
        const larger = new Uint8Array(text.length * 2 + words.length * 3);
        larger.set(text.subarray(0, length));
        text = larger;
      }
      length += encoder.encodeInto(words, text.subarray(length)).written;
    }
    ends[row] = length;
  }
  const kept = text.slice(0, length);
  block.shown = { text: kept, ends, alphabet: alphabetOf(kept) };
  return block.shown;
}
