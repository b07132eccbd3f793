/** The shapes of known account numbers: their pattern of letters, digits and separators. */
import { withHyphens } from "../../forms/odd-characters.ts";

const maxShapes = 500;
const maxWords = 3;

/** The shortest and the longest number of a shape, in UTF-16 code units. */
interface Lengths {
  min: number;
  max: number;
}

/**
 * Returns the shape of a number: letters become `A` and digits become `0`, so that `EXT-0000001` and
 * `NO-17` have the same shape. A number with other separators than `-`, `_` and `.` keeps its
 * letters, because `line 12` must not look like `EXT 0000010`.
 */
function shapeOf(number: string): string {
  const digits = number.replace(/\d+/g, "0");
  return isOneWord(number) ? digits.replace(/[\p{L}\p{M}]+/gu, "A") : digits;
}

function isOneWord(text: string): boolean {
  return /^[\p{L}\p{M}\d\-_.]+$/u.test(text);
}

function beginningOf(number: string): string | null {
  return /^\p{L}+[-_.]/u.exec(number)?.[0].toUpperCase() ?? null;
}

export class NumberShapes {
  readonly #lengths = new Map<string, Lengths>();
  readonly #beginnings = new Set<string>();
  /** The most words in one number. */
  words = 1;
  /** Up to three numbers of different shapes or beginnings, for messages. */
  readonly samples: string[] = [];

  get isEmpty(): boolean {
    return this.#lengths.size === 0;
  }

  /** Learns the shape of a number. A number without a digit is ignored: any word has its shape. */
  learn(number: string): void {
    if (!/\d/.test(number)) return;
    const isNewBeginning = this.#learnBeginning(number);
    const shape = shapeOf(number);
    const lengths = this.#lengths.get(shape);
    const isNew = lengths === undefined && this.#lengths.size < maxShapes;
    if (isNew) this.#lengths.set(shape, { min: number.length, max: number.length });
    if (lengths !== undefined) {
      lengths.min = Math.min(lengths.min, number.length);
      lengths.max = Math.max(lengths.max, number.length);
    }
    if (isNew) this.words = Math.max(this.words, Math.min(maxWords, number.split(/\s+/u).length));
    if ((isNew || isNewBeginning) && this.samples.length < 3) this.samples.push(number);
  }

  #learnBeginning(number: string): boolean {
    const beginning = beginningOf(number);
    if (beginning === null || this.#beginnings.has(beginning)) return false;
    if (this.#beginnings.size >= maxShapes) return false;
    this.#beginnings.add(beginning);
    return true;
  }

  /**
   * Returns true if a text with a digit looks like one of the numbers: it begins like one of them, or
   * it has the shape of one and a length that is at most one edit away. `12` and `v2` are in every
   * text, so the shape alone is not enough. A dash counts as the hyphen that an editor replaced.
   */
  fits(given: string): boolean {
    if (!/\d/.test(given)) return false;
    const text = withHyphens(given);
    const beginning = isOneWord(text) ? beginningOf(text) : null;
    if (beginning !== null && this.#beginnings.has(beginning)) return true;
    const lengths = this.#lengths.get(shapeOf(text));
    if (lengths === undefined) return false;
    return text.length >= lengths.min - 1 && text.length <= lengths.max + 1;
  }
}
