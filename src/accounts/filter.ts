import {
  blockRows,
  fieldStart,
  isAscii,
  isPendingRow,
  type RowColumns,
  TextColumn,
} from "./columns.ts";
import { type Needle, needleOf, standsIn } from "./filter-needle.ts";
import type { FilterQuery } from "./filter-query.ts";
import type { KnownWords, WordFinds } from "./filter-word.ts";
import { FoundRows } from "./found-rows.ts";
import type { AccountBatch } from "./ingest/batch.ts";
import { bitWords, countBits, type RowBits } from "./row-bits.ts";
import type { AccountTable } from "./table.ts";

export {
  type FilterColumn,
  type FilterQuery,
  type FilterWord,
  parseFilter,
} from "./filter-query.ts";

/** Rows of a block that is still filling, looked at between two looks at the time. */
const stride = 1024;
/** With no more of a block's rows left by the other words, only those are looked at. */
const fewRows = blockRows / 16;

/** The rows of a table that match a query, found step by step, also while rows still come. */
export class FilterRun {
  readonly query: FilterQuery;
  readonly rows = new FoundRows();
  /** Rows that have been decided. */
  scanned = 0;
  readonly #table: AccountTable;
  readonly #matcher: RowMatcher;
  readonly #words: readonly { readonly finds: WordFinds; readonly negated: boolean }[];

  /** `known` are the words looked for in this table before. */
  constructor(table: AccountTable, query: FilterQuery, known: KnownWords) {
    this.#table = table;
    this.query = query;
    this.#matcher = new RowMatcher(query, known.shown?.text);
    // What leaves fewest rows comes first.
    this.#words = query.words
      .map((word) => ({ finds: known.get(word), negated: word.negated }))
      .sort((a, b) => weight(b) - weight(a));
  }

  /** Rows found so far. */
  get count(): number {
    return this.rows.count;
  }

  /** Whether every row of the table has been decided. */
  get caughtUp(): boolean {
    return this.scanned === this.#table.rows;
  }

  /** Decides some more rows. */
  advance(): void {
    if (this.caughtUp) return;
    const at = Math.floor(this.scanned / blockRows);
    const block = this.#table.blockOf(this.scanned);
    if (block.full) {
      this.rows.put(at, this.#search(at));
      this.scanned = (at + 1) * blockRows;
      return;
    }
    const bits: RowBits = this.rows.bitsOf(at) ?? new Uint32Array(bitWords);
    const from = this.scanned - at * blockRows;
    const to = Math.min(block.rows, from + stride);
    for (let row = from; row < to; row++) {
      if (!this.#matcher.matches(block, row)) continue;
      bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
    }
    this.rows.put(at, bits);
    this.scanned += to - from;
  }

  #search(at: number): RowBits {
    const block = this.#table.blockOf(at * blockRows);
    const left: RowBits = new Uint32Array(bitWords).fill(-1);
    let many = blockRows;
    for (const { finds, negated } of this.#words) {
      const known = finds.known(at);
      const hits = known ?? (many <= fewRows ? finds.among(block, at, left) : finds.in(block, at));
      const turned = negated ? -1 : 0;
      for (let word = 0; word < bitWords; word++) {
        left[word] = (left[word] as number) & ((hits[word] as number) ^ turned);
      }
      many = countBits(left);
      if (many === 0) break;
    }
    return left;
  }
}

function weight({ finds, negated }: { finds: WordFinds; negated: boolean }): number {
  return (negated ? 0 : 1000) + Math.min(999, finds.word.text.length);
}

/**
 * Finds the matching rows of a batch, for a list that is printed while it arrives. `shown` writes a
 * creation time as the screen does; without it only the raw text counts.
 */
export function batchFilter(
  query: FilterQuery,
  shown?: (createdAtMs: number) => string,
): (batch: AccountBatch) => number[] {
  const needles = query.words.map(needleOf);
  return (batch) => {
    const rows: number[] = [];
    for (let row = 0; row < batch.count; row++) {
      if (needles.every((one) => isFound(one, batch, row, shown) !== one.word.negated)) {
        rows.push(row);
      }
    }
    return rows;
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function isFound(
  needle: Needle,
  columns: RowColumns,
  index: number,
  shown: ((createdAtMs: number) => string) | undefined,
): boolean {
  const { column } = needle.word;
  if (needle.inPending || needle.inImported) {
    if (isPendingRow(columns, index) ? needle.inPending : needle.inImported) return true;
  }
  const first = column === "any" ? TextColumn.external : TextColumn[column];
  const last = column === "any" ? TextColumn.created : first;
  for (let field = first; field <= last; field++) {
    const start = fieldStart(columns, index, field);
    const end = columns.ends[index * 3 + field] as number;
    if (start < end && inField(needle, columns.text, start, end)) return true;
  }
  if (column !== "any" && column !== "created") return false;
  const time = columns.createdAt[index] as number;
  return shown !== undefined && !Number.isNaN(time) && needle.pattern.test(shown(time));
}

function inField(needle: Needle, text: Uint8Array, from: number, to: number): boolean {
  return isAscii(text, from, to)
    ? needle.bytes !== null && standsIn(needle.bytes, text, from, to)
    : needle.pattern.test(decoder.decode(text.subarray(from, to)));
}
