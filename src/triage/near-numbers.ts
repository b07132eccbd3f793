import { utf8 } from "../accounts/columns.ts";
import type { Sliced } from "../accounts/slices.ts";
import { EditHashes } from "./edit-hashes.ts";
import { CodePoints, hashOfText, isOneEdit, normalForm } from "./normal-form.ts";
import { type NumberColumn, numberAt, numberStart } from "./number-index.ts";

/** Hashes that are in memory at a time: those of as many rows as they are enough for. */
const hashesAtOnce = 11_000_000;
/** Up to this many numbers are compared one by one, which is quicker than hashes of every edit. */
const fewNumbers = 8;
/** Numbers compared between two yields. */
const numbersAtOnce = 256;

/** Listed numbers: the first text of each row, which has `fields` texts. */
export interface ListedNumbers {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
  readonly fields: number;
  readonly rows: number;
}

/** The receiver of near numbers; `at` counts the rows that are searched, `listed` the listed ones. */
export interface NearNumbers {
  /** True if more numbers near this row are wanted; once it is false it stays so. */
  wants(at: number): boolean;
  /** True if this pair was received before. */
  has(at: number, listed: number): boolean;
  add(at: number, listed: number): void;
}

/**
 * Finds the listed numbers that have the same normal form as a number or are one edit away. `rows` are
 * rows of `numbers`; listed rows count through all parts. Takes time in proportion to the bytes of
 * both.
 */
export function* findNear(
  numbers: NumberColumn,
  rows: Uint32Array,
  parts: readonly ListedNumbers[],
  near: NearNumbers,
): Sliced<void> {
  if (parts.every((part) => part.rows === 0)) return;
  for (let from = 0; from < rows.length; ) {
    const group = new Group(numbers, rows, near, from);
    yield* group.takeRows();
    let before = 0;
    for (const part of parts) {
      yield* group.compare(part, before);
      before += part.rows;
    }
    from = group.end;
  }
}

/** Rows whose hashes are in memory together. */
class Group {
  /** Behind its last row. */
  readonly end: number;
  readonly #numbers: NumberColumn;
  readonly #rows: Uint32Array;
  readonly #near: NearNumbers;
  readonly #from: number;
  /** Null for few rows. */
  readonly #byEdit: HashTable | null;
  readonly #byForm: HashTable;
  readonly #points = new CodePoints();
  readonly #other = new CodePoints();
  readonly #hashes = new EditHashes();

  constructor(numbers: NumberColumn, rows: Uint32Array, near: NearNumbers, from: number) {
    this.#numbers = numbers;
    this.#rows = rows;
    this.#near = near;
    this.#from = from;
    let hashes = 0;
    let end = from;
    while (end < rows.length && (hashes < hashesAtOnce || end === from)) {
      const row = rows[end] as number;
      hashes += (numbers.ends[row] as number) - numberStart(numbers.ends, row) + 1;
      end += 1;
    }
    this.end = end;
    this.#byEdit = end - from > fewNumbers ? new HashTable(hashes) : null;
    this.#byForm = new HashTable(end - from);
  }

  *takeRows(): Sliced<void> {
    for (let at = this.#from; at < this.end; at++) {
      const row = this.#rows[at] as number;
      const { text, ends } = this.#numbers;
      const from = numberStart(ends, row);
      this.#byForm.add(this.#formHash(text, from, ends[row] as number), at - this.#from);
      if (this.#byEdit !== null) {
        this.#hashes.take(this.#points);
        for (let n = 0; n < this.#hashes.count; n++)
          this.#byEdit.add(this.#hashes.hashes[n] as number, at - this.#from);
      }
      if (at % numbersAtOnce === 0) yield;
    }
  }

  /** Compares the listed numbers of a part; `before` is how many rows the parts before it have. */
  *compare({ text, ends, fields, rows }: ListedNumbers, before: number): Sliced<void> {
    const near = this.#near;
    for (let row = 0; row < rows; row++) {
      const place = row * fields;
      const from = place === 0 ? 0 : (ends[place - 1] as number);
      const to = ends[place] as number;
      const listed = before + row;
      const form = this.#formHash(text, from, to);
      this.#byForm.each(form, (member) => {
        const at = this.#from + member;
        if (!near.wants(at)) return false;
        if (!near.has(at, listed) && this.#hasForm(at, text, from, to)) near.add(at, listed);
        return true;
      });
      this.#compareEdits(listed);
      if (row % numbersAtOnce === 0) yield;
    }
  }

  /** Compares the listed number at hand with those that can be one edit away. */
  #compareEdits(listed: number): void {
    const compare = (member: number) => {
      const at = this.#from + member;
      if (!this.#near.wants(at)) return false;
      if (!this.#near.has(at, listed) && this.#isOneEdit(at)) this.#near.add(at, listed);
      return true;
    };
    if (this.#byEdit === null) {
      for (let member = 0; member < this.end - this.#from; member++) compare(member);
      return;
    }
    this.#hashes.take(this.#points);
    for (let n = 0; n < this.#hashes.count; n++)
      this.#byEdit.each(this.#hashes.hashes[n] as number, compare);
  }

  /** Takes a number as code points, and gives the hash of its normal form. */
  #formHash(text: Uint8Array, from: number, to: number): number {
    const isAscii = this.#points.take(text, from, to);
    return isAscii ? this.#points.normalHash() : hashOfText(normalForm(textOf(text, from, to)));
  }

  #hasForm(at: number, text: Uint8Array, from: number, to: number): boolean {
    const own = numberAt(this.#numbers, this.#rows[at] as number);
    return normalForm(own) === normalForm(textOf(text, from, to));
  }

  #isOneEdit(at: number): boolean {
    const row = this.#rows[at] as number;
    const { text, ends } = this.#numbers;
    this.#other.take(text, numberStart(ends, row), ends[row] as number);
    return isOneEdit(this.#points, this.#other);
  }
}

/** Rows by hash: several rows may have one hash, and a row may be found by another's. */
class HashTable {
  /** Row + 1 in the low 24 bits, the high bits of its hash in the others; 0 is empty. */
  readonly #slots: Uint32Array;
  readonly #mask: number;

  constructor(most: number) {
    this.#slots = new Uint32Array(2 ** Math.max(4, Math.ceil(Math.log2(most * 1.4 + 1))));
    this.#mask = this.#slots.length - 1;
  }

  add(hash: number, row: number): void {
    let slot = hash & this.#mask;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== removed) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = ((hash >>> 24) << 24) | (row + 1);
  }

  /** Visits the rows that may have this hash; `visit` returns false for one to be forgotten. */
  each(hash: number, visit: (row: number) => boolean): void {
    const tag = hash >>> 24;
    let slot = hash & this.#mask;
    for (let entry = this.#slots[slot] as number; entry !== 0; ) {
      if (entry >>> 24 === tag && entry !== removed && !visit((entry & 0xffffff) - 1))
        this.#slots[slot] = removed;
      slot = (slot + 1) & this.#mask;
      entry = this.#slots[slot] as number;
    }
  }
}

/** In the place of a row that was forgotten. */
const removed = 0xffffffff;

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return utf8.decode(bytes.subarray(from, to));
}
