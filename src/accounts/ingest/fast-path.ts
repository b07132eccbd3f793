/**
 * The fast path: reads list elements of the common form from the bytes of a list, without
 * JSON.parse. The careful path (careful-path.ts) reads all other elements.
 */
import { isUtf8 } from "node:buffer";
import type { BatchBuilder } from "./batch-builder.ts";
import { createdField, externalField } from "./careful-path.ts";
import { openRowScan, type RowScan, type ScannedRows } from "./row-scan.ts";

const quote = 0x22;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/**
 * Has 1 for each byte at which a string ends, has an escape or is invalid: the quote, the backslash
 * and control characters.
 */
const stopBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === quote || byte === 0x5c ? 1 : 0,
);

const Column = { external: 0, service: 1, created: 2, other: 3 } as const;

const accountNumberEnd = Buffer.from("_account_number");

/**
 * Copies list elements of the common form from the response into a batch. Creates no object for an
 * element. Creates a string only for an element with a field other than the external number, the
 * brand's field and the creation time. Never takes an element that JSON.parse would read
 * differently.
 *
 * An element has the common form if it is an object with these properties:
 * - The external account number is a non-empty string.
 * - Each of the three fields with a column occurs at most once and is a string or null.
 * - Every other field is a string, null, true, false or a whole number above 0.
 * - The name of no other field ends with `_account_number`.
 *
 * No string has an escape, and the bytes are valid UTF-8.
 */
export class FastPath {
  readonly #builder: BatchBuilder;
  readonly #scan: RowScan | null;
  readonly #addRows = (rows: ScannedRows) => this.#builder.addRows(rows);
  readonly #decoder = new TextDecoder();
  /** Field names with their closing quote, in the order of {@link Column}. */
  readonly #names: Uint8Array[];
  /**
   * The field for the service account number if the brand's field is missing. The careful path
   * finds it.
   */
  #fallback: Uint8Array | null = null;
  /**
   * The column at each position of the previous element. The next element probably has the same
   * order.
   */
  readonly #order = new Uint8Array(16).fill(Column.other);
  /** The start of the value of each column, or -1 if the value is null or absent. */
  readonly #starts = new Int32Array(3);
  /** The end of the value of each column, or 0 if the value is null or absent. */
  readonly #ends = new Int32Array(3);
  /**
   * The bitwise OR of all bytes of strings in the current element. Bit 7 is set if one of them is
   * not ASCII.
   */
  #bits = 0;

  constructor(builder: BatchBuilder, brandField: string, withoutSimd = false) {
    this.#builder = builder;
    this.#scan = withoutSimd ? null : openRowScan(brandField, builder.unnumbered);
    this.#names = [externalField, brandField, createdField].map((name) => Buffer.from(`${name}"`));
  }

  /**
   * Sets the field that has the service account number in elements without the brand's field.
   * Ignores a name with characters other than ASCII letters, digits, `_`, `.` and `-`.
   */
  setFallbackField(field: string): void {
    if (/^[\w.-]+$/.test(field)) this.#fallback = Buffer.from(`${field}"`);
  }

  /**
   * Takes one or more elements, the first one at `start`. SIMD can take many, otherwise only one is
   * taken. Returns the end of the last element taken, or 0 if the first one is incomplete or has
   * another form.
   */
  takeElements(bytes: Uint8Array, start: number, to: number): number {
    const taken = this.#scan?.take(bytes, start, to, this.#addRows) ?? 0;
    return taken > 0 ? taken : this.take(bytes, start, to);
  }

  /** Takes the element that fills `bytes`. Returns false if the element has another form. */
  takeWhole(bytes: Uint8Array): boolean {
    this.#builder.makeRoom(bytes.length);
    return this.take(bytes, 0, bytes.length) > 0;
  }

  /**
   * Takes the element at `start`. Returns its end, or 0 if it is incomplete or has another form.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the bytes, without calls
  take(bytes: Uint8Array, start: number, to: number): number {
    this.#bits = 0;
    if (bytes[start] !== openingBrace) return 0;
    const from = this.#starts;
    const ends = this.#ends;
    from[0] = from[1] = from[2] = -1;
    ends[0] = ends[1] = ends[2] = 0;
    let filledColumns = 0;
    let hasExtras = false;
    let at = skipWhiteSpace(bytes, start + 1, to);
    for (let position = 0; ; position++) {
      if (at >= to || bytes[at] !== quote) return 0;
      at += 1;
      const expected = this.#order[position & 15] as number;
      let column: number = Column.other;
      let nameEnd = 0;
      if (expected !== Column.other) {
        nameEnd = this.#nameEnd(this.#names[expected] as Uint8Array, bytes, at, to);
        column = expected;
      }
      if (nameEnd === 0) {
        column = Column.other;
        for (let candidate = 0; candidate < 3 && nameEnd === 0; candidate++) {
          nameEnd = this.#nameEnd(this.#names[candidate] as Uint8Array, bytes, at, to);
          if (nameEnd !== 0) column = candidate;
        }
        if (nameEnd === 0) {
          const name = at;
          nameEnd = this.#stringEnd(bytes, at, to);
          if (nameEnd === 0) return 0;
          hasExtras = true;
          if (endsWith(bytes, name, nameEnd - 1, accountNumberEnd)) {
            // Only the fallback field is known to have the service account number. The careful path
            // reads an element with another field of this ending.
            if (!this.#fallback || this.#nameEnd(this.#fallback, bytes, name, to) === 0) return 0;
            column = Column.service;
          }
        }
        this.#order[position & 15] = column;
      }
      at = skipWhiteSpace(bytes, nameEnd, to);
      if (bytes[at] !== 0x3a) return 0;
      at = skipWhiteSpace(bytes, at + 1, to);
      if (at >= to) return 0;
      const valueStart = at;
      if (bytes[at] === quote) {
        at = this.#stringEnd(bytes, at + 1, to);
        if (at === 0) return 0;
        if (column !== Column.other) {
          from[column] = valueStart + 1;
          ends[column] = at - 1;
        }
      } else {
        at = literalEnd(bytes, at, to, column === Column.other);
        if (at === 0) return 0;
      }
      if (column !== Column.other) {
        // The careful path reads an element with two values for one column.
        if (filledColumns & (1 << column)) return 0;
        filledColumns |= 1 << column;
      }
      at = skipWhiteSpace(bytes, at, to);
      if (at >= to) return 0;
      if (bytes[at] === closingBrace) break;
      if (bytes[at] !== 0x2c) return 0;
      at = skipWhiteSpace(bytes, at + 1, to);
    }
    at += 1;
    if ((from[0] as number) < 0 || from[0] === ends[0]) return 0;
    if (this.#bits & 0x80 && !isUtf8(bytes.subarray(start, at))) return 0;
    this.#add(bytes);
    if (hasExtras) {
      const hasRoom = this.#builder.hasRoomForExtras;
      this.#builder.storeExtras(hasRoom ? this.#decoder.decode(bytes.subarray(start, at)) : null);
    }
    return at;
  }

  /** Adds the element whose three values were found in `bytes`. */
  #add(bytes: Uint8Array): void {
    const from = this.#starts;
    const ends = this.#ends;
    this.#builder.addBytes(
      bytes,
      from[0] as number,
      ends[0] as number,
      from[1] as number,
      ends[1] as number,
      from[2] as number,
      ends[2] as number,
    );
  }

  /** Returns the end of the name at `at`, after its quote, or 0 if it is another name. */
  #nameEnd(name: Uint8Array, bytes: Uint8Array, at: number, to: number): number {
    const { length } = name;
    if (at + length > to) return 0;
    for (let index = 0; index < length; index++) {
      if (bytes[at + index] !== name[index]) return 0;
    }
    return at + length;
  }

  /**
   * Returns the position after the closing quote of the string whose text begins at `at`, or 0 if
   * the string has an escape, is invalid or is incomplete.
   */
  #stringEnd(bytes: Uint8Array, at: number, to: number): number {
    let bits = this.#bits;
    for (let end = at; end < to; end++) {
      const byte = bytes[end] as number;
      if (stopBytes[byte] === 1) {
        this.#bits = bits;
        return byte === quote ? end + 1 : 0;
      }
      bits |= byte;
    }
    return 0;
  }
}

function skipWhiteSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const byte = bytes[at] as number;
    if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) break;
    at += 1;
  }
  return at;
}

function endsWith(bytes: Uint8Array, from: number, to: number, end: Uint8Array): boolean {
  if (to - from < end.length) return false;
  for (let index = 0; index < end.length; index++) {
    if (bytes[to - end.length + index] !== end[index]) return false;
  }
  return true;
}

/**
 * Returns the position after a literal, or 0 if the fast path does not read it. Reads `null`. If
 * `anyLiteral` is true, also reads `true`, `false` and whole numbers above 0.
 */
function literalEnd(bytes: Uint8Array, at: number, to: number, anyLiteral: boolean): number {
  const first = bytes[at] as number;
  // Six bytes are the longest word, `false`, and the byte after it.
  if (to - at < 6) return 0;
  if (first === 0x6e) return wordEnd(bytes, at, "null");
  if (!anyLiteral) return 0;
  if (first === 0x74) return wordEnd(bytes, at, "true");
  if (first === 0x66) return wordEnd(bytes, at, "false");
  if (first < 0x31 || first > 0x39) return 0;
  let end = at + 1;
  while (end < to && (bytes[end] as number) >= 0x30 && (bytes[end] as number) <= 0x39) end += 1;
  return end < to ? end : 0;
}

/** Returns the position after the word at `at`, or 0 if another text is there. */
function wordEnd(bytes: Uint8Array, at: number, word: string): number {
  for (let index = 0; index < word.length; index++) {
    if (bytes[at + index] !== word.charCodeAt(index)) return 0;
  }
  return at + word.length;
}
