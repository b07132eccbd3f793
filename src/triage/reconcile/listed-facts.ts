/** Stores the service account numbers and creation times of listed accounts in one byte array. */
import { fieldEnd, longer, TextColumn, utf8 } from "../../accounts/columns.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";

interface ListedFacts {
  readonly service: string | null;
  readonly created: string | null;
}

const noFacts: ListedFacts = { service: null, created: null };

export class FactList {
  /** The two texts of each account, in the order of the accounts. */
  text = new Uint8Array(1 << 12);
  #ends = new Uint32Array(1 << 9);
  #count = 0;
  #length = 0;
  /** The result of {@link readAhead}, stored so that the compiler does not remove the reads. */
  sum = 0;

  /** Stores the facts of a row of the list. Returns their row, or -1 if there are no facts. */
  add(batch: AccountBatch, at: number): number {
    const { text } = batch;
    const from = fieldEnd(batch, at, TextColumn.external);
    const to = fieldEnd(batch, at, TextColumn.created);
    if (to === from) return -1;
    this.#ensureRoom(to - from);
    const facts = this.text;
    let length = this.#length;
    const shift = length - from;
    for (let next = from; next < to; next++) facts[length++] = text[next] as number;
    const row = this.#count;
    this.#ends[row * 2] = fieldEnd(batch, at, TextColumn.service) + shift;
    this.#ends[row * 2 + 1] = length;
    this.#length = length;
    this.#count = row + 1;
    return row;
  }

  /**
   * Sets `into` to the positions of the facts of `row` in {@link text}: the starts of the two
   * texts, and the end.
   */
  place(row: number, into: { service: number; created: number; end: number }): void {
    const ends = this.#ends;
    into.service = row <= 0 ? 0 : (ends[row * 2 - 1] as number);
    into.created = row < 0 ? 0 : (ends[row * 2] as number);
    into.end = row < 0 ? 0 : (ends[row * 2 + 1] as number);
  }

  /**
   * Reads the facts of some rows before they are requested one by one. The facts are spread over a
   * large memory, and a processor reads many independent places at the same time.
   */
  readAhead(rows: Int32Array): void {
    const { text } = this;
    const ends = this.#ends;
    let sum = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      if (row > 0) sum += text[ends[row * 2 - 1] as number] as number;
    }
    this.sum = sum;
  }

  /** Returns the facts stored as `row`, or empty facts if `row` is -1. */
  of(row: number): ListedFacts {
    if (row < 0) return noFacts;
    const place = { service: 0, created: 0, end: 0 };
    this.place(row, place);
    return {
      service: this.#read(place.service, place.created),
      created: this.#read(place.created, place.end),
    };
  }

  #read(from: number, to: number): string | null {
    return from === to ? null : utf8.decode(this.text.subarray(from, to));
  }

  #ensureRoom(bytes: number): void {
    const length = this.#length + bytes;
    if (length > this.text.length)
      this.text = longer(this.text, Math.max(length, this.text.length * 2));
    if (this.#count * 2 === this.#ends.length)
      this.#ends = longer(this.#ends, this.#ends.length * 2);
  }
}
