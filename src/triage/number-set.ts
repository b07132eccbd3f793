/** The set of distinct account numbers of a list. */
import { type NumberColumn, NumberIndex, numberAt } from "./number-index.ts";

/** Returns texts as a column of numbers. */
export function numberColumn(numbers: readonly string[]): NumberColumn {
  const parts = numbers.map((number) => Buffer.from(number));
  const ends = new Uint32Array(parts.length);
  let end = 0;
  for (const [row, part] of parts.entries()) {
    end += part.length;
    ends[row] = end;
  }
  return { text: Buffer.concat(parts, end), ends };
}

/**
 * The distinct numbers of a column, found by their UTF-8 bytes without creating strings. An empty
 * text is not a number. If a number is repeated, its first row counts.
 */
export class NumberSet {
  /** Number of rows of the column, including repeated and empty ones. */
  readonly rows: number;
  /** Number of distinct numbers. */
  readonly size: number;
  readonly #column: NumberColumn;
  readonly #index: NumberIndex;
  readonly #isFirst: Uint8Array;

  constructor(column: NumberColumn) {
    this.#column = column;
    this.rows = column.ends.length;
    this.#index = new NumberIndex(column, { expected: this.rows });
    this.#isFirst = new Uint8Array(this.rows);
    let size = 0;
    for (let row = 0, from = 0; row < this.rows; row++) {
      const to = column.ends[row] as number;
      if (to > from && this.#index.add(row) < 0) {
        this.#isFirst[row] = 1;
        size += 1;
      }
      from = to;
    }
    this.size = size;
  }

  /** Returns the row of the number in `bytes`, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number {
    return this.#index.find(bytes, from, to);
  }

  /** Returns the row of a number, or -1. */
  rowOf(number: string): number {
    const bytes = Buffer.from(number);
    return this.#index.find(bytes, 0, bytes.length);
  }

  /** Returns true if a row has a number and is the first with it. */
  isFirst(row: number): boolean {
    return this.#isFirst[row] === 1;
  }

  numberAt(row: number): string {
    return numberAt(this.#column, row);
  }

  /** Yields the distinct numbers in their order. */
  *numbers(): Generator<string, void, void> {
    for (let row = 0; row < this.rows; row++) if (this.isFirst(row)) yield this.numberAt(row);
  }
}
