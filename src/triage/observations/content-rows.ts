/** Stores the service account numbers and creation times of rows in flat columns. */
import { longer } from "../../accounts/columns.ts";
import type { Content } from "./block-parts.ts";
import { release } from "./room.ts";

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

  add(bytes: Uint8Array, from: number, to: number, isNull: boolean, createdAt: number): void {
    const row = this.rows;
    if (row === this.lengths.length) this.#grow();
    const more = isNull ? 0 : to - from;
    const start = this.#length;
    if (start + more > this.text.length)
      this.text = longer(this.text, Math.max(this.text.length * 2, start + more));
    for (let at = 0; at < more; at++) this.text[start + at] = bytes[from + at] as number;
    this.starts[row] = start;
    this.lengths[row] = isNull ? 0 : more + 1;
    this.createdAt[row] = createdAt;
    this.#length = start + more;
    this.rows += 1;
  }

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
