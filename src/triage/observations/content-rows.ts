import type { StoredContent } from "./known-accounts.ts";

/** Service account numbers and creation times of rows, added one after the other. */
export class ContentRows {
  rows = 0;
  #text = new Uint8Array(1024);
  #ends = new Uint32Array(64);
  #isNull = new Uint8Array(64);
  #createdAt = new Float64Array(64);

  add(bytes: Uint8Array, from: number, to: number, isNull: boolean, createdAt: number): void {
    const row = this.rows;
    if (row === this.#ends.length) this.#grow();
    const start = row === 0 ? 0 : (this.#ends[row - 1] as number);
    const more = isNull ? 0 : to - from;
    if (start + more > this.#text.length) {
      const text = new Uint8Array(Math.max(this.#text.length * 2, start + more));
      text.set(this.#text);
      this.#text = text;
    }
    for (let at = 0; at < more; at++) this.#text[start + at] = bytes[from + at] as number;
    this.#ends[row] = start + more;
    this.#isNull[row] = isNull ? 1 : 0;
    this.#createdAt[row] = createdAt;
    this.rows += 1;
  }

  service(row: number): Uint8Array | null {
    if (this.#isNull[row] === 1) return null;
    return this.#text.subarray(row === 0 ? 0 : this.#ends[row - 1], this.#ends[row]);
  }

  createdAt(row: number): number {
    return this.#createdAt[row] as number;
  }

  at(row: number): StoredContent {
    return { service: this.service(row), createdAt: this.createdAt(row) };
  }

  #grow(): void {
    const room = this.#ends.length * 2;
    const ends = new Uint32Array(room);
    ends.set(this.#ends);
    this.#ends = ends;
    const isNull = new Uint8Array(room);
    isNull.set(this.#isNull);
    this.#isNull = isNull;
    const createdAt = new Float64Array(room);
    createdAt.set(this.#createdAt);
    this.#createdAt = createdAt;
  }
}
