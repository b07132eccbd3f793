/** Suggests a similar listed number for each number that is not on a list. */
import { utf8 } from "../accounts/columns.ts";
import type { Sliced } from "../accounts/slices.ts";
import { type NumberColumn, numberAt, numberStart } from "./account-numbers.ts";
import {
  CodePoints,
  EditHashes,
  hashOfText,
  isOneEdit,
  mayBeNear,
  normalForm,
  type WantedBytes,
  wantedBytes,
} from "./near-numbers.ts";

/** Maximum number of hashes in memory, which limits the rows that are searched together. */
const maxHashes = 11_000_000;
/**
 * Up to this number of rows, numbers are compared one by one, which is faster than hashes of every
 * edit.
 */
const fewNumbers = 8;
const numbersPerStep = 256;
const quickNumbersPerStep = 1 << 12;

/** Listed numbers. Each row has `fields` texts, and the first one is the number. */
export interface ListedNumbers {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
  readonly fields: number;
  readonly rows: number;
}

/** The numbers to suggest. Row numbers continue from one part to the next. */
interface Candidates {
  readonly parts: readonly ListedNumbers[];
  /** Returns false for a listed row that must not be suggested. Default: all are suggested. */
  isCandidate?(row: number): boolean;
}

const several = -2;
const none = -1;

/**
 * Finds for each row of `rows` the only listed number that has the same normal form or is one edit
 * away. Returns the listed row of each, or -1 if there is no such number or more than one. `rows`
 * are rows of `numbers`, and none of them is listed. Takes time in proportion to the bytes of both.
 */
export function* suggestionsFor(
  numbers: NumberColumn,
  rows: Uint32Array,
  candidates: Candidates,
): Sliced<Int32Array> {
  const found = new Int32Array(rows.length).fill(none);
  const hasAny = candidates.parts.some((part) => part.rows > 0);
  for (let from = 0; from < rows.length && hasAny; ) {
    const group = new Group(numbers, candidates, rows, found, from);
    yield* group.takeRows();
    yield* group.compare();
    from = group.end;
  }
  for (const [at, listed] of found.entries()) if (listed === several) found[at] = none;
  return found;
}

class Group {
  end: number;
  readonly #numbers: NumberColumn;
  readonly #candidates: Candidates;
  readonly #rows: Uint32Array;
  readonly #found: Int32Array;
  readonly #from: number;
  /** The rows by the hashes of their edits, or null for few rows. */
  readonly #byEdit: HashTable | null;
  /** The rows to compare one by one. Empty if there are many. */
  readonly #wantedOneByOne: readonly WantedBytes[];
  readonly #byForm: HashTable;
  readonly #points = new CodePoints();
  readonly #other = new CodePoints();
  readonly #hashes = new EditHashes();

  constructor(
    numbers: NumberColumn,
    candidates: Candidates,
    rows: Uint32Array,
    found: Int32Array,
    from: number,
  ) {
    this.#numbers = numbers;
    this.#candidates = candidates;
    this.#rows = rows;
    this.#found = found;
    this.#from = from;
    let hashes = 0;
    this.end = from;
    while (this.end < rows.length && (hashes < maxHashes || this.end === from)) {
      const row = rows[this.end] as number;
      hashes += (numbers.ends[row] as number) - numberStart(numbers.ends, row) + 1;
      this.end += 1;
    }
    this.#byEdit = this.end - from > fewNumbers ? new HashTable(hashes) : null;
    this.#byForm = new HashTable(this.end - from);
    const fewRows = this.#byEdit === null ? rows.subarray(from, this.end) : [];
    this.#wantedOneByOne = Array.from(fewRows, (row) => wantedBytes(numberAt(numbers, row)));
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
      if (at % numbersPerStep === 0) yield;
    }
  }

  *compare(): Sliced<void> {
    let listed = 0;
    const perStep = this.#byEdit === null ? quickNumbersPerStep : numbersPerStep;
    for (const { text, ends, fields, rows } of this.#candidates.parts) {
      for (let row = 0; row < rows; row++, listed++) {
        const place = row * fields;
        const from = place === 0 ? 0 : (ends[place - 1] as number);
        const to = ends[place] as number;
        if (this.#mayBeNear(text, from, to)) this.#compareWith(text, from, to, listed);
        if (row % perStep === 0) yield;
      }
    }
  }

  #mayBeNear(text: Uint8Array, from: number, to: number): boolean {
    if (this.#byEdit !== null) return true;
    for (const wanted of this.#wantedOneByOne) if (mayBeNear(wanted, text, from, to)) return true;
    return false;
  }

  #compareWith(text: Uint8Array, from: number, to: number, listed: number): void {
    const form = this.#formHash(text, from, to);
    this.#byForm.each(form, (at) => {
      if (this.#found[this.#from + at] === several) return false;
      if (this.#hasForm(at, text, from, to)) this.#recordNear(at, listed);
      return true;
    });
    this.#compareEdits(listed);
  }

  #compareEdits(listed: number): void {
    const compare = (at: number) => {
      const before = this.#found[this.#from + at];
      if (before === several) return false;
      if (before !== listed && this.#isOneEdit(at)) this.#recordNear(at, listed);
      return true;
    };
    if (this.#byEdit === null) {
      for (let at = 0; at < this.end - this.#from; at++) compare(at);
      return;
    }
    this.#hashes.take(this.#points);
    for (let n = 0; n < this.#hashes.count; n++)
      this.#byEdit.each(this.#hashes.hashes[n] as number, compare);
  }

  #formHash(text: Uint8Array, from: number, to: number): number {
    const isAscii = this.#points.take(text, from, to);
    return isAscii ? this.#points.normalHash() : hashOfText(normalForm(textOf(text, from, to)));
  }

  #hasForm(at: number, text: Uint8Array, from: number, to: number): boolean {
    const row = this.#rows[this.#from + at] as number;
    const number = numberAt(this.#numbers, row);
    return normalForm(number) === normalForm(textOf(text, from, to));
  }

  #isOneEdit(at: number): boolean {
    const row = this.#rows[this.#from + at] as number;
    const { text, ends } = this.#numbers;
    this.#other.take(text, numberStart(ends, row), ends[row] as number);
    return isOneEdit(this.#points, this.#other);
  }

  #recordNear(at: number, listed: number): void {
    if (this.#candidates.isCandidate?.(listed) === false) return;
    const before = this.#found[this.#from + at] as number;
    if (before === none) this.#found[this.#from + at] = listed;
    else if (before !== listed && !this.#isSame(before, listed))
      this.#found[this.#from + at] = several;
  }

  #isSame(listed: number, other: number): boolean {
    return Buffer.compare(this.#bytesOf(listed), this.#bytesOf(other)) === 0;
  }

  #bytesOf(listed: number): Uint8Array {
    let row = listed;
    for (const { text, ends, fields, rows } of this.#candidates.parts) {
      const place = row * fields;
      if (row < rows) return text.subarray(place === 0 ? 0 : ends[place - 1], ends[place]);
      row -= rows;
    }
    throw new RangeError(`no row ${listed}`);
  }
}

/**
 * A map from hash to rows. Several rows can have the same hash, and a search can also return rows
 * with another hash.
 */
class HashTable {
  /**
   * Each slot has the row + 1 in the low 24 bits and the high bits of the hash in the others. An
   * empty slot is 0.
   */
  readonly #slots: Uint32Array;
  readonly #mask: number;

  constructor(maxRows: number) {
    this.#slots = new Uint32Array(2 ** Math.max(4, Math.ceil(Math.log2(maxRows * 1.4 + 1))));
    this.#mask = this.#slots.length - 1;
  }

  add(hash: number, row: number): void {
    let slot = hash & this.#mask;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== removed) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = ((hash >>> 24) << 24) | (row + 1);
  }

  /** Visits the rows that can have this hash. `visit` returns false to remove a row. */
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

const removed = 0xffffffff;

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return utf8.decode(bytes.subarray(from, to));
}
