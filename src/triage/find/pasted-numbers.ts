/**
 * Finds account numbers in any text: a message, a block of a spreadsheet, CSV, JSON, a URL or a log
 * line.
 */
import type { Sliced } from "../../accounts/slices.ts";
import { isAppError } from "../../errors/app-error.ts";
import { withoutZeroWidth } from "../../forms/odd-characters.ts";
import { defaultColumn, readingSource } from "../source/read-source.ts";
import { firstRecord, separatorIn } from "../source/table-head.ts";
import type { NumberShapes } from "./number-shapes.ts";

export interface KnownNumbers {
  has(number: string): boolean;
  readonly shapes: NumberShapes;
  /** The codes of the suppliers, which are no numbers, even with a digit. */
  readonly suppliers: readonly string[];
}

/** The maximum length of JSON that is parsed at once, which takes a few milliseconds. */
const maxJson = 1 << 18;
/** The maximum length of a number, in UTF-16 code units. */
const maxLength = 200;
/** The minimum length of a word that counts as a number while no number is known. */
const minLength = 3;
/** The maximum length of a line that is read as a whole, in UTF-16 code units. */
const maxLine = 1 << 14;
const linesPerStep = 64;

/**
 * The separators of a line, the coarsest first. A number can contain each of them, so a piece is only
 * divided if it is no number itself.
 */
const separators: readonly RegExp[] = [
  /[\t|]+/gu,
  /;+/gu,
  /,+/gu,
  /["'`\u00ab\u00bb\u2018-\u201f\u2039\u203a()[\]{}<>]+/gu,
  /\s+/gu,
  /[=:?&#*~!\\]+/gu,
  /\/+/gu,
];

const around = /^[\s"'`\u00ab\u00bb\u2018-\u201f\u2039\u203a()[\]{}<>.,;:!?*_~#|•·‣◦▪–—-]+/u;
const behind = /[\s"'`\u00ab\u00bb\u2018-\u201f\u2039\u203a()[\]{}<>.,;:!?*_~#|•·‣◦▪–—-]+$/u;

export function unwrapped(text: string): string {
  return text.replace(around, "").replace(behind, "");
}

/**
 * Finds the numbers in a text, in their order, each once. A token counts if it is known, or if it has
 * the shape of the known numbers. While no number is known, each word with a digit counts. Of a table
 * with the column `external_account_number`, every number of that column counts.
 */
export function* numbersIn(text: string, known: KnownNumbers): Sliced<readonly string[]> {
  const column = yield* columnNumbers(text);
  if (column !== null) return column;
  const numbers = new Set<string>();
  const reader = new Reader(known, numbers);
  const values = jsonTexts(text);
  if (values !== null) {
    for (const [at, value] of values.entries()) {
      reader.take(value, 0);
      if (at % linesPerStep === 0) yield;
    }
    return [...numbers];
  }
  let at = 0;
  for (const line of linesOf(text)) {
    for (const value of jsonTexts(line) ?? [line]) reader.take(value, 0);
    if (at++ % linesPerStep === 0) yield;
  }
  return [...numbers];
}

/** Yields the lines of a text. A very long line is divided, so that no line blocks the keys. */
function* linesOf(text: string): Generator<string, void, void> {
  for (const [line] of text.matchAll(/[^\r\n\u0085\u2028\u2029]+/gu)) {
    if (line.length <= maxLine) yield line;
    else for (const [piece] of line.matchAll(/[^\t;,\s]+/gu)) yield piece;
  }
}

function* columnNumbers(text: string): Sliced<readonly string[] | null> {
  if (!text.slice(0, 4096).includes(defaultColumn) || /^\s*[[{]/u.test(text)) return null;
  const bytes = Buffer.from(text.trimStart());
  if (separatorIn(firstRecord(bytes), defaultColumn) === null) return null;
  try {
    const source = yield* readingSource(bytes, { name: "The pasted text" });
    const numbers = new Set<string>();
    for (let row = 0; row < source.rows; row++) {
      if (source.issueOf(row) === null) numbers.add(source.numberOf(row));
      if (row % linesPerStep === 0) yield;
    }
    return [...numbers];
  } catch (error) {
    // A text that only begins like a table is read as any other text.
    if (isAppError(error, "source")) return null;
    throw error;
  }
}

function jsonTexts(text: string): readonly string[] | null {
  if (text.length > maxJson || !/^\s*[[{]/u.test(text)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const texts: string[] = [];
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "number") texts.push(String(next));
    else if (typeof next === "object" && next !== null)
      open.push(...Object.values(next as object).toReversed());
  }
  return texts;
}

class Reader {
  readonly #known: KnownNumbers;
  readonly #numbers: Set<string>;

  constructor(known: KnownNumbers, numbers: Set<string>) {
    this.#known = known;
    this.#numbers = numbers;
  }

  /** Takes the numbers of a piece that is divided by the separators from `level` on. */
  take(piece: string, level: number): boolean {
    const number = this.#numberIn(piece);
    if (number !== null) {
      this.#numbers.add(number);
      return true;
    }
    if (!/[\p{L}\p{N}]/u.test(piece)) return false;
    const decoded = decodedUrlText(piece);
    if (decoded !== null && this.take(decoded, 0)) return true;
    for (let next = level; next < separators.length; next++) {
      const parts = partsOf(piece, separators[next] as RegExp);
      if (parts.length > 1) return this.#takeParts(piece, parts, next + 1);
      const [only] = parts;
      if (only === undefined) return false;
      if (only.text !== piece) return this.take(only.text, next + 1);
    }
    return this.#takeWord(unwrapped(piece));
  }

  /** Takes parts one by one, or several together that are one number, such as `EXT 0000010`. */
  #takeParts(piece: string, parts: readonly Part[], level: number): boolean {
    let hasNumber = false;
    for (let at = 0; at < parts.length; at++) {
      const most = Math.min(this.#known.shapes.words, parts.length - at);
      let taken = 0;
      for (let count = most; count > 1 && taken === 0; count--) {
        const last = parts[at + count - 1] as Part;
        const number = this.#numberIn(piece.slice((parts[at] as Part).from, last.to));
        if (number === null) continue;
        this.#numbers.add(number);
        taken = count;
      }
      if (taken > 0) at += taken - 1;
      else taken = this.take((parts[at] as Part).text, level) ? 1 : 0;
      hasNumber ||= taken > 0;
    }
    return hasNumber;
  }

  /** Takes an undivided word if it has a digit and no number is known. */
  #takeWord(word: string): boolean {
    const { shapes, suppliers } = this.#known;
    const isWord = /\d/.test(word) && word.length >= minLength && !suppliers.includes(word);
    const counts = shapes.isEmpty && isWord;
    if (counts && word.length <= maxLength) this.#numbers.add(word);
    return counts;
  }

  #numberIn(piece: string): string | null {
    if (piece.length > 2 * maxLength) return null;
    const { shapes, suppliers } = this.#known;
    const raw = piece.trim();
    if (raw === "" || raw.length > maxLength) return null;
    if (this.#known.has(raw)) return raw;
    const inner = unwrapped(raw);
    if (inner === "") return null;
    if (inner !== raw && this.#known.has(inner)) return inner;
    // A chat or a spreadsheet adds characters without a width, which no one sees or types.
    const visible = withoutZeroWidth(inner);
    if (visible !== inner && this.#known.has(visible)) return visible;
    return shapes.fits(visible) && !suppliers.includes(visible) ? visible : null;
  }
}

interface Part {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function partsOf(piece: string, separator: RegExp): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  const add = (to: number) => {
    if (to > from) parts.push({ text: piece.slice(from, to), from, to });
  };
  for (const match of piece.matchAll(separator)) {
    add(match.index);
    from = match.index + match[0].length;
  }
  add(piece.length);
  return parts;
}

function decodedUrlText(piece: string): string | null {
  if (!/%[0-9a-f]{2}/i.test(piece) || /\s/u.test(piece)) return null;
  try {
    const decoded = decodeURIComponent(piece);
    return decoded === piece ? null : decoded;
  } catch {
    return null;
  }
}
