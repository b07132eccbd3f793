/** Filters an account table step by step, and filters batches of a list while they arrive. */
import {
  blockRows,
  fieldStart,
  isGoneRow,
  isPendingRow,
  type RowColumns,
  TextColumn,
} from "./columns.ts";
import { type FactsAtTime, factTest, withoutFacts } from "./filter-facts.ts";
import { contains, type Needle, needleOf } from "./filter-needle.ts";
import type { FilterQuery } from "./filter-query.ts";
import type { FilterCache, RowMatches } from "./filter-word.ts";
import type { AccountBatch } from "./ingest/batch.ts";
import { bitWords, countBits, FoundRows, type RowBits } from "./row-bits.ts";
import type { AccountTable } from "./table.ts";

/** Number of rows that one step tests in a block that is not full yet. */
const stride = 1024;
/**
 * If the earlier words leave at most this number of rows in a block, only these rows are tested.
 */
const fewRows = blockRows / 16;

/**
 * Finds the rows of a table that match a query, step by step. Rows can be added to the table
 * between the steps.
 */
export class FilterRun {
  readonly query: FilterQuery;
  readonly rows = new FoundRows();
  scanned = 0;
  readonly #table: AccountTable;
  readonly #matcher: RowMatcher;
  readonly #words: readonly { readonly matches: RowMatches; readonly negated: boolean }[];

  /** `cache` has the results of earlier words in this table. */
  constructor(table: AccountTable, query: FilterQuery, cache: FilterCache) {
    this.#table = table;
    this.query = query;
    this.#matcher = new RowMatcher(query, cache.shown?.text, cache.factsNow());
    // The words that probably leave the fewest rows come first.
    this.#words = query.words
      .map((word) => ({ matches: cache.get(word), negated: word.negated }))
      .sort((a, b) => searchPriority(b) - searchPriority(a));
  }

  get count(): number {
    return this.rows.count;
  }

  get caughtUp(): boolean {
    return this.scanned === this.#table.rows;
  }

  /** Tests the next rows: a whole block if it is full, otherwise at most `stride` rows. */
  advance(): void {
    if (this.caughtUp) return;
    const blockIndex = Math.floor(this.scanned / blockRows);
    const block = this.#table.blockOf(this.scanned);
    if (block.full) {
      this.rows.put(blockIndex, this.#search(blockIndex));
      this.scanned = (blockIndex + 1) * blockRows;
      return;
    }
    const bits: RowBits = this.rows.bitsOf(blockIndex) ?? new Uint32Array(bitWords);
    const from = this.scanned - blockIndex * blockRows;
    const to = Math.min(block.rows, from + stride);
    for (let row = from; row < to; row++) {
      if (!this.#matcher.matches(block, row)) continue;
      bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31));
    }
    this.rows.put(blockIndex, bits);
    this.scanned += to - from;
  }

  #search(blockIndex: number): RowBits {
    const block = this.#table.blockOf(blockIndex * blockRows);
    const matching: RowBits = new Uint32Array(bitWords).fill(-1);
    let matchCount = blockRows;
    for (const { matches, negated } of this.#words) {
      const cached = matches.cached(blockIndex);
      const hits =
        cached ??
        (matchCount <= fewRows
          ? matches.matchesAmong(block, blockIndex, matching)
          : matches.matchesIn(block, blockIndex));
      const inversion = negated ? -1 : 0;
      for (let word = 0; word < bitWords; word++) {
        matching[word] = (matching[word] as number) & ((hits[word] as number) ^ inversion);
      }
      matchCount = countBits(matching);
      if (matchCount === 0) break;
    }
    return matching;
  }
}

/**
 * Returns the position of a word in the order of the search, as a number that is higher for an
 * earlier word: words that are not negated first, then long texts before short texts and facts.
 */
function searchPriority({ matches, negated }: { matches: RowMatches; negated: boolean }): number {
  const { word } = matches;
  // A fact counts as the shortest text, because facts are looked up for one row at a time.
  const length = word.kind === "text" ? Math.min(999, word.text.length) : 0;
  return (negated ? 0 : 1000) + length;
}

/**
 * Returns a function that finds the matching rows of a batch, for a list that is printed while it
 * arrives. `formatTime` formats creation times as they are printed. `facts` must have the facts
 * that the words need.
 */
export function batchFilter(
  query: FilterQuery,
  formatTime?: (createdAtMs: number) => string,
  facts?: FactsAtTime,
): (batch: AccountBatch) => number[] {
  const matcher = new RowMatcher(query, formatTime, facts);
  return (batch) => {
    const rows: number[] = [];
    for (let row = 0; row < batch.count; row++) if (matcher.matches(batch, row)) rows.push(row);
    return rows;
  };
}

/**
 * Tests single rows against a filter: rows of a block that is not full, and rows of a list that is
 * printed while it arrives.
 */
class RowMatcher {
  readonly #needles: readonly Needle[];
  readonly #factTests: readonly {
    readonly test: ReturnType<typeof factTest>;
    readonly negated: boolean;
  }[];
  readonly #formatTime: ((createdAtMs: number) => string) | null;

  /**
   * `formatTime` formats a creation time for the screen. Without it, only the service's text is
   * searched. `facts` must have the facts that the words need.
   */
  constructor(
    { words }: FilterQuery,
    formatTime?: (createdAtMs: number) => string,
    facts: FactsAtTime = withoutFacts(),
  ) {
    this.#needles = words.filter((word) => word.kind === "text").map(needleOf);
    this.#factTests = words
      .filter((word) => word.kind !== "text")
      .map((word) => ({ test: factTest(word, facts), negated: word.negated }));
    this.#formatTime = formatTime ?? null;
  }

  matches(columns: RowColumns, index: number): boolean {
    for (const needle of this.#needles) {
      if (this.#contains(needle, columns, index) === needle.word.negated) return false;
    }
    for (const { test, negated } of this.#factTests) {
      if (test(columns, index) === negated) return false;
    }
    return true;
  }

  /** Returns true if a row contains a text word, ignoring the negation of the word. */
  #contains(needle: Needle, columns: RowColumns, index: number): boolean {
    const { column } = needle.word;
    if (needle.inPending || needle.inImported || needle.inGone) {
      if (matchesState(needle, columns, index)) return true;
    }
    const first = column === "any" ? TextColumn.external : TextColumn[column];
    const last = column === "any" ? TextColumn.created : first;
    for (let field = first; field <= last; field++) {
      const start = fieldStart(columns, index, field);
      const end = columns.ends[index * 3 + field] as number;
      if (start < end && contains(needle, columns.text, start, end)) return true;
    }
    if (column !== "any" && column !== "created") return false;
    const time = columns.createdAt[index] as number;
    return (
      this.#formatTime !== null &&
      !Number.isNaN(time) &&
      needle.pattern.test(this.#formatTime(time))
    );
  }
}

function matchesState(needle: Needle, columns: RowColumns, index: number): boolean {
  if (isPendingRow(columns, index)) return needle.inPending;
  return isGoneRow(columns, index) ? needle.inGone : needle.inImported;
}
