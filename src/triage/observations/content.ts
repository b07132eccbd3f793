/**
 * The content of stored accounts: service account numbers and creation times in flat columns, and
 * their hashes.
 */
import { longer, release } from "../../accounts/columns.ts";
import type { Content } from "./block-parts.ts";

/**
 * The last computed hash of an account's content on a list, without its number. A different hash shows a
 * change without reading the stored text. The hash has two halves of 32 bits.
 */
export const hash = { low: 0, high: 0 };

/** Sets {@link hash} for a service account number in UTF-8 (empty: none) and a creation time. */
export function hashContent(bytes: Uint8Array, from: number, to: number, createdAt: number): void {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    low = Math.imul(low ^ byte, 0x01000193);
    high = Math.imul(high + byte + 1, 0x5bd1e995);
  }
  // Times are whole milliseconds, and NaN is written as 0 and -1.
  const isKnown = !Number.isNaN(createdAt);
  const lowTime = isKnown ? createdAt | 0 : 0;
  const highTime = isKnown ? Math.floor(createdAt / 2 ** 32) : -1;
  low = Math.imul(low ^ lowTime, 0x2c1b3c6d);
  low = Math.imul(low ^ (low >>> 15) ^ highTime, 0x297a2d39);
  high = Math.imul(high ^ (high >>> 13) ^ lowTime, 0x85ebca6b);
  high = Math.imul(high ^ (high >>> 16) ^ highTime, 0xc2b2ae35);
  hash.low = (low ^ (low >>> 14)) >>> 0;
  hash.high = (high ^ (high >>> 15)) >>> 0;
}

/** The stored content of an account, without its state. */
export interface StoredContent {
  readonly service: Uint8Array | null;
  /** Epoch milliseconds, or NaN if unknown. */
  readonly createdAt: number;
}

/**
 * Content with access by row. `starts` has the start of each service account number in the text.
 */
export interface PlacedContent extends Content {
  readonly starts: Uint32Array;
}

/** Returns the content with the start of each service account number. */
export function placed(content: Content): PlacedContent {
  const { lengths } = content;
  const starts = new Uint32Array(lengths.length);
  let start = 0;
  for (let at = 0; at < lengths.length; at++) {
    starts[at] = start;
    start += Math.max(0, (lengths[at] as number) - 1);
  }
  return { ...content, starts };
}

const none = new Uint8Array(0);

/** Returns the content of one row. The service account number is a view, not a copy. */
export function contentAt(
  { lengths, text, createdAt, starts }: PlacedContent,
  at: number,
): StoredContent {
  const length = lengths[at] as number;
  const start = starts[at] as number;
  return {
    service: length === 0 ? null : length === 1 ? none : text.subarray(start, start + length - 1),
    createdAt: createdAt[at] as number,
  };
}

/** Service account numbers and creation times, to which rows are added. */
export class ContentRows implements PlacedContent {
  rows = 0;
  text = new Uint8Array(1024);
  lengths = new Uint32Array(64);
  starts = new Uint32Array(64);
  createdAt = new Float64Array(64);
  #length = 0;

  /** Adds a row with the service account number in `bytes`, or without one if `isNull`. */
  add(bytes: Uint8Array, from: number, to: number, isNull: boolean, createdAt: number): void {
    const row = this.rows;
    if (row === this.lengths.length) this.#grow();
    const size = isNull ? 0 : to - from;
    const start = this.#length;
    if (start + size > this.text.length)
      this.text = longer(this.text, Math.max(this.text.length * 2, start + size));
    for (let at = 0; at < size; at++) this.text[start + at] = bytes[from + at] as number;
    this.starts[row] = start;
    this.lengths[row] = isNull ? 0 : size + 1;
    this.createdAt[row] = createdAt;
    this.#length = start + size;
    this.rows += 1;
  }

  /** Adds stored content as the next row. */
  put({ service, createdAt }: StoredContent): void {
    this.add(service ?? none, 0, service?.length ?? 0, service === null, createdAt);
  }

  clear(): void {
    this.rows = 0;
    this.#length = 0;
  }

  release(): void {
    release(this.lengths, this.starts, this.createdAt, this.text);
  }

  #grow(): void {
    const room = this.rows * 2;
    this.lengths = longer(this.lengths, room);
    this.starts = longer(this.starts, room);
    this.createdAt = longer(this.createdAt, room);
  }
}
