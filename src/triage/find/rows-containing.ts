/** Finds the account numbers that contain a text, in any case. */
import { utf8 } from "../../accounts/columns.ts";
import type { Needle, NeedleBytes } from "../../accounts/filter-needle.ts";
import type { Sliced } from "../../accounts/slices.ts";
import { type NumberColumn, numberStart } from "../number-index.ts";

/** Number of bytes read between two yields. */
const bytesAtOnce = 1 << 15;

/** A column of numbers for repeated text searches. Data that all searches need is computed once. */
export class SearchedNumbers {
  readonly #column: NumberColumn;
  readonly #rows: number;
  /** The rows whose number is not plain ASCII, or null until they are needed. */
  #beyondAscii: readonly number[] | null = null;

  constructor(column: NumberColumn, rows: number) {
    this.#column = column;
    this.#rows = rows;
  }

  /** Returns an array with 1 for each row whose number contains the needle, in any case. */
  *containing(needle: Needle): Sliced<Uint8Array> {
    const found = new Uint8Array(this.#rows);
    const { bytes, pattern } = needle;
    if (bytes !== null) yield* this.#findBytes(bytes, found);
    // No byte of another character is ASCII, so only characters that fold into ASCII remain to be
    // found.
    if (bytes === null || bytes.foldsBeyondAscii) {
      this.#beyondAscii ??= yield* this.#findBeyondAscii();
      const { text, ends } = this.#column;
      for (const row of this.#beyondAscii)
        if (pattern.test(utf8.decode(text.subarray(numberStart(ends, row), ends[row]))))
          found[row] = 1;
    }
    return found;
  }

  /**
   * Searches all numbers in one pass and skips most bytes. Ignores a match that spans two numbers.
   */
  *#findBytes({ lower, upper, skip }: NeedleBytes, found: Uint8Array): Sliced<void> {
    const { text, ends } = this.#column;
    const last = lower.length - 1;
    const size = numberStart(ends, this.#rows);
    let row = 0;
    let pause = bytesAtOnce;
    for (let end = last; end < size; ) {
      const start = end - last;
      let at = last;
      for (let place = end; at >= 0; at--, place--) {
        const other = text[place] as number;
        if (other !== lower[at] && other !== upper[at]) break;
      }
      if (at >= 0) {
        end += skip[text[end] as number] as number;
      } else {
        while ((ends[row] as number) <= start) row++;
        const rowEnd = ends[row] as number;
        const isInside = end < rowEnd;
        if (isInside) found[row] = 1;
        end = isInside ? rowEnd + last : end + 1;
      }
      if (end < pause) continue;
      pause = end + bytesAtOnce;
      yield;
    }
  }

  *#findBeyondAscii(): Sliced<readonly number[]> {
    const { text, ends } = this.#column;
    const rows: number[] = [];
    const size = numberStart(ends, this.#rows);
    let row = 0;
    for (let at = 0; at < size; at++) {
      if (at % bytesAtOnce === 0) yield;
      if ((text[at] as number) < 0x80) continue;
      while ((ends[row] as number) <= at) row++;
      rows.push(row);
      at = (ends[row] as number) - 1;
    }
    return rows;
  }
}
