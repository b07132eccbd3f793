import { longer } from "../../accounts/columns.ts";
import type { Sliced } from "../../accounts/slices.ts";
import { Damage } from "../../sqlite/file-error.ts";
import { isNumber, type NumberColumn, numberStart } from "../account-numbers.ts";

const rowsPerStep = 1 << 13;

/** Texts in one array of bytes. A changed one is beside it until {@link Texts.writeChanged}. */
export class Texts implements NumberColumn {
  text: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  count: number;
  readonly #changed = new Map<number, Uint8Array>();

  /** Takes the lengths of stored texts, and turns them into their ends. */
  constructor(text = new Uint8Array(1 << 12), lengths = new Uint32Array(0)) {
    this.text = text;
    this.ends = lengths;
    this.count = lengths.length;
    let end = 0;
    for (let row = 0; row < this.count; row++) lengths[row] = end += lengths[row] as number;
    if (end > text.length) throw new Damage("a stored text is too short");
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    const start = numberStart(this.ends, this.count);
    const end = start + to - from;
    if (this.count === this.ends.length) this.ends = longer(this.ends, this.count * 2 + 64);
    if (end > this.text.length) this.text = longer(this.text, end + (end >>> 1));
    for (let at = from; at < to; at++) this.text[start + at - from] = bytes[at] as number;
    this.ends[this.count++] = end;
  }

  at(row: number): Uint8Array {
    return (
      this.#changed.get(row) ?? this.text.subarray(numberStart(this.ends, row), this.ends[row])
    );
  }

  set(row: number, bytes: Uint8Array): void {
    this.#changed.set(row, bytes);
  }

  is(row: number, bytes: Uint8Array, from: number, to: number): boolean {
    const changed = this.#changed.size === 0 ? undefined : this.#changed.get(row);
    if (changed === undefined) return isNumber(this, row, bytes, from, to);
    return Buffer.compare(changed, bytes.subarray(from, to)) === 0;
  }

  /** Returns true if the text of a row, which has not changed, is less than another one. */
  isLess(row: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = numberStart(this.ends, row);
    const length = (this.ends[row] as number) - start;
    const shorter = Math.min(length, to - from);
    for (let at = 0; at < shorter; at++) {
      const difference = (this.text[start + at] as number) - (bytes[from + at] as number);
      if (difference !== 0) return difference < 0;
    }
    return length < to - from;
  }

  lengths(): Uint32Array {
    const lengths = this.ends.slice(0, this.count);
    for (let row = this.count - 1; row > 0; row--)
      lengths[row] = (lengths[row] as number) - (lengths[row - 1] as number);
    return lengths;
  }

  /** Returns the bytes of all texts, without the changed ones that are beside them. */
  bytes(): Uint8Array {
    return this.text.subarray(0, numberStart(this.ends, this.count));
  }

  *writeChanged(): Sliced<void> {
    if (this.#changed.size === 0) return;
    const all = new Texts(new Uint8Array(this.text.length + 1024));
    let from = 0;
    for (let row = 0; row < this.count; row++) {
      const to = this.ends[row] as number;
      const changed = this.#changed.get(row);
      if (changed === undefined) all.add(this.text, from, to);
      else all.add(changed, 0, changed.length);
      from = to;
      if (row % rowsPerStep === 0) yield;
    }
    this.text = all.text;
    this.ends = all.ends;
    this.#changed.clear();
  }
}
