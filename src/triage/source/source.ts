/** An operator's list of external account numbers, in memory. */
import { longer, utf8 } from "../../accounts/columns.ts";
import { asIntended, changedNumberProblem } from "../../forms/spreadsheet-numbers.ts";
import { count, plural } from "../../text/numbers.ts";
import { numberAt } from "../account-numbers.ts";

export type SourceLayout = "text" | "json" | "jsonl" | "csv";

/**
 * The reason why a row has no number:
 * - `empty`: the cell or the string of the number is empty
 * - `blank`: all cells of the row are empty
 * - `no-number`: a JSON value that is not a string, or an object without the column
 * - `not-utf8`: bytes that are not UTF-8, or half a surrogate pair
 * - `unreadable`: not readable as CSV or JSON
 * - `unusable`: a text that cannot be a number, for example one that a spreadsheet has changed.
 *   `message` is a sentence
 */
export type RowIssue =
  | { readonly kind: "empty" | "blank" | "no-number" | "not-utf8" }
  | { readonly kind: "unreadable" | "unusable"; readonly message: string };

/**
 * An operator's list of external account numbers in flat arrays, without an object per row. Numbers
 * have no surrounding white space. The list has its original order and repetitions.
 */
export interface Source {
  readonly name: string;
  readonly layout: SourceLayout;
  /** Number of rows, including malformed ones and without {@link otherSuppliers}. */
  readonly rows: number;
  readonly otherSuppliers: ReadonlyMap<string, number>;
  readonly text: Uint8Array;
  /** The end of each row's number in `text`. A malformed row has no bytes. */
  readonly ends: Uint32Array;
  /**
   * Returns the line on which the row begins, counted from 1. The header of CSV is a line. For a
   * JSON array, returns the position of the row, counted from 1.
   */
  lineOf(row: number): number;
  /** Returns the number of a row, or an empty text if the row is malformed. */
  numberOf(row: number): string;
  issueOf(row: number): RowIssue | null;
  /** Returns the beginning of the text of a malformed row, or null if it was not stored. */
  textOf(row: number): string | null;
}

interface RawRow {
  readonly raw: Uint8Array | string;
  readonly from: number;
  readonly to: number;
}

const maxTexts = 10_000;
const maxTextBytes = 240;

export class SourceBuilder {
  readonly #text: Uint8Array;
  #ends = new Uint32Array(1024);
  #lines = new Uint32Array(1024);
  readonly #issues = new Map<number, RowIssue>();
  readonly #texts = new Map<number, string>();
  /** The row that is being added. It is reused, because a list can have a million rows. */
  readonly #raw: { -readonly [Name in keyof RawRow]: RawRow[Name] } = { raw: "", from: 0, to: 0 };
  readonly #otherSuppliers = new Map<string, number>();
  #rows = 0;
  #length = 0;

  /**
   * `maxBytes` is the maximum number of bytes of all numbers, for example the size of the file.
   */
  constructor(maxBytes: number) {
    this.#text = new Uint8Array(maxBytes);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Begins a row with its bytes or its text, which is stored if the row is malformed. */
  begin(raw: Uint8Array | string, from = 0, to = raw.length): void {
    this.#raw.raw = raw;
    this.#raw.from = from;
    this.#raw.to = to;
  }

  /**
   * Adds the number from `from` to `to` in `bytes`. An empty number and one that a spreadsheet has
   * changed become issues. An apostrophe in front of the latter marks it as intended.
   */
  addBytes(line: number, bytes: Uint8Array, from: number, to: number): void {
    const start = trimmedStart(bytes, from, to);
    const end = trimmedEnd(bytes, start, to);
    if (start === end) {
      this.addIssue(line, { kind: "empty" });
      return;
    }
    let length = this.#length;
    let unusual = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      unusual |= isUnusual[byte] as number;
      this.#text[length++] = byte;
    }
    if (unusual === 1) {
      this.#addUnusual(line, utf8.decode(bytes.subarray(start, end)));
      return;
    }
    this.#length = length;
    this.#endRow(line);
  }

  #addUnusual(line: number, number: string): void {
    const message = /\p{Cc}/u.test(number)
      ? "The number has control characters."
      : changedNumberProblem(number);
    if (message === null) this.addExact(line, asIntended(number));
    else this.addIssue(line, { kind: "unusable", message });
  }

  addText(line: number, number: string): void {
    if (!number.isWellFormed()) {
      this.addIssue(line, { kind: "not-utf8" });
      return;
    }
    const bytes = Buffer.from(number);
    this.addBytes(line, bytes, 0, bytes.length);
  }

  /** Adds a number that was already checked, without surrounding white space. */
  addExact(line: number, number: string): void {
    const bytes = Buffer.from(number);
    this.#text.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#endRow(line);
  }

  leaveOut(supplier: string): void {
    this.#otherSuppliers.set(supplier, (this.#otherSuppliers.get(supplier) ?? 0) + 1);
  }

  addIssue(line: number, issue: RowIssue): void {
    this.#issues.set(this.#rows, issue);
    if (this.#texts.size < maxTexts) this.#texts.set(this.#rows, textOf(this.#raw));
    this.#endRow(line);
  }

  finish(name: string, layout: SourceLayout): Source {
    const rows = this.#rows;
    const text = this.#text.slice(0, this.#length);
    const ends = this.#ends.slice(0, rows);
    const lines = this.#lines.slice(0, rows);
    const issues = this.#issues;
    const texts = this.#texts;
    return {
      name,
      layout,
      rows,
      otherSuppliers: this.#otherSuppliers,
      text,
      ends,
      lineOf: (row) => lines[row] ?? 0,
      numberOf: (row) => numberAt({ text, ends }, row),
      issueOf: (row) => issues.get(row) ?? null,
      textOf: (row) => texts.get(row) ?? null,
    };
  }

  #endRow(line: number): void {
    if (this.#rows === this.#ends.length) {
      this.#ends = longer(this.#ends, this.#rows * 2);
      this.#lines = longer(this.#lines, this.#rows * 2);
    }
    this.#ends[this.#rows] = this.#length;
    this.#lines[this.#rows] = line;
    this.#rows += 1;
  }
}

/** Returns the beginning of the text of a row. Bytes that are not UTF-8 become U+FFFD. */
function textOf({ raw, from, to }: RawRow): string {
  const last = Math.min(to, from + maxTextBytes);
  return typeof raw === "string" ? raw.slice(from, last) : utf8.decode(raw.subarray(from, last));
}

/**
 * Has 1 for each byte of a control character (C0, DEL, and C1, whose first byte in UTF-8 is 0xC2)
 * and of a number that a spreadsheet might have changed.
 */
const isUnusual = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === 0x7f || byte === 0xc2 || byte === 0x2b || byte === 0x2e ? 1 : 0,
);

/** The name of the column or key with the supplier of a row (INTERFACE 2). */
export const supplierColumn = "import_supplier";

export function otherSupplierRows({ otherSuppliers }: Pick<Source, "otherSuppliers">): number {
  return otherSuppliers.values().reduce((sum, rows) => sum + rows, 0);
}

const maxNamed = 3;

export function leftOutWords(source: Pick<Source, "otherSuppliers">): string | null {
  const rows = otherSupplierRows(source);
  if (rows === 0) return null;
  const names = [...source.otherSuppliers.keys()];
  const more = names.length - maxNamed;
  const named = `${names.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
  return `${plural(rows, "row")} ${rows === 1 ? "names" : "name"} another supplier and ${rows === 1 ? "is" : "are"} left out: ${named}.`;
}

export function issueWords(issue: RowIssue): string {
  switch (issue.kind) {
    case "empty":
      return "The number is empty.";
    case "blank":
      return "The row is empty.";
    case "no-number":
      return "This is not a string. Put account numbers in quotes, to preserve leading zeros.";
    case "not-utf8":
      return "This row is not UTF-8 text.";
    case "unreadable":
    case "unusable":
      return issue.message;
  }
}

export function trimmedStart(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const length = spaceAt(bytes, at, to);
    if (length === 0) break;
    at += length;
  }
  return at;
}

export function trimmedEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from) {
    const length = spaceBefore(bytes, from, end);
    if (length === 0) break;
    end -= length;
  }
  return end;
}

function spaceBefore(bytes: Uint8Array, from: number, end: number): number {
  const last = bytes[end - 1] as number;
  if (last < 0x80) return isAsciiSpace(last) ? 1 : 0;
  if (end - from >= 2 && spaceAt(bytes, end - 2, end) === 2) return 2;
  return end - from >= 3 && spaceAt(bytes, end - 3, end) === 3 ? 3 : 0;
}

function spaceAt(bytes: Uint8Array, at: number, to: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return isAsciiSpace(first) ? 1 : 0;
  if (first === 0xc2) return at + 1 < to && bytes[at + 1] === 0xa0 ? 2 : 0;
  if (at + 2 >= to) return 0;
  const rest = ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
  switch (first) {
    case 0xe1:
      return rest === 0x9a80 ? 3 : 0;
    case 0xe2:
      return (rest >= 0x8080 && rest <= 0x808a) || threeByteSpaces.has(rest) ? 3 : 0;
    case 0xe3:
      return rest === 0x8080 ? 3 : 0;
    case 0xef:
      return rest === 0xbbbf ? 3 : 0;
    default:
      return 0;
  }
}

/** U+2028, U+2029, U+202F and U+205F without their first byte. */
const threeByteSpaces = new Set([0x80a8, 0x80a9, 0x80af, 0x819f]);

function isAsciiSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
