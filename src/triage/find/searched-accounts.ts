/**
 * Makes the accounts of one supplier searchable: those of a loaded list, or of stored observations.
 */
import { indexing } from "../../accounts/account-load.ts";
import { utf8 } from "../../accounts/columns.ts";
import { FilterRun } from "../../accounts/filter.ts";
import { type Needle, type NeedleBytes, needleOf } from "../../accounts/filter-needle.ts";
import type { TextWord } from "../../accounts/filter-query.ts";
import { FilterCache } from "../../accounts/filter-word.ts";
import type { Sliced } from "../../accounts/slices.ts";
import type { AccountTable } from "../../accounts/table.ts";
import { type NumberColumn, numberStart } from "../account-numbers.ts";
import type { Ages } from "../observations/observations.ts";
import type { ListedNumbers } from "../suggestions.ts";
import type { FoundAccount } from "./found.ts";

/** The first rows whose number contains a text, and the number of all of them. */
interface ContainingRows {
  readonly rows: readonly number[];
  readonly count: number;
}

/** The accounts of one supplier in one source. */
export interface SearchedAccounts {
  /** The time at which the list was requested or observed, in epoch milliseconds. */
  readonly at: number;
  /** True if the source has every account of the supplier. */
  readonly isWhole: boolean;
  /** Prepares the index that `find` needs. Absent if `find` needs none. */
  prepare?(): Sliced<void>;
  /** Returns the account with exactly this number, or null. */
  find(number: string): FoundAccount | null;
  /** All accounts, or null if only the wanted accounts are in memory. */
  readonly rows: SearchedRows | null;
}

/** Accounts that can be searched for similar numbers. Rows count from 0. */
export interface SearchedRows {
  readonly numbers: readonly ListedNumbers[];
  /** Finds the rows whose number contains a text in any case. */
  containing(text: string, most: number): Sliced<ContainingRows>;
  /** Returns the account of a row, or null for a removed row. */
  account(row: number): FoundAccount | null;
}

/** Number of rows that are checked between two yields. */
const rowsAtOnce = 1 << 13;

const wordFor = (text: string): TextWord => ({
  kind: "text",
  column: "external",
  negated: false,
  fuzzy: false,
  text,
});

/**
 * The cached search results of each table. The hits of a longer text are among the hits of a
 * shorter one.
 */
const knownWords = new WeakMap<AccountTable, FilterCache>();

/** Returns a source with the accounts of a list in memory. */
export function tableAccounts(
  table: AccountTable,
  { at, isWhole }: Pick<SearchedAccounts, "at" | "isWhole">,
): SearchedAccounts {
  const account = (row: number): FoundAccount => {
    const { external, service, pending, gone, createdAt, pendingSince, goneAt } = table.row(row);
    const state = pending ? "pending" : gone ? "gone" : "imported";
    const since = pending ? pendingSince : gone ? goneAt : createdAt;
    return { number: external, state, serviceNumber: service || null, since: known(since) };
  };
  return {
    at,
    isWhole: isWhole && table.truncatedAt === null,
    prepare: () => indexing(table),
    find: (number) => {
      const row = table.rowOf(number);
      return row < 0 ? null : account(row);
    },
    rows: {
      get numbers() {
        return table.blocks.map(({ text, ends, rows }) => ({ text, ends, rows, fields: 3 }));
      },
      *containing(text, most) {
        const words = knownWords.get(table) ?? new FilterCache();
        knownWords.set(table, words);
        const run = new FilterRun(table, { words: [wordFor(text)], problem: null }, words);
        while (!run.caughtUp) {
          run.advance();
          yield;
        }
        const { count } = run;
        const first = Array.from({ length: Math.min(count, most) }, (_, at) => run.rows.at(at));
        return { rows: first, count };
      },
      account,
    },
  };
}

/** Returns the accounts of the stored observations, including those that left the list. */
export function storedAccounts(ages: Ages): SearchedAccounts {
  const { text, ends } = ages.numbers;
  const searched = new SearchedNumbers(ages.numbers, ages.rows);
  const account = (row: number): FoundAccount | null => {
    const standing = ages.observedStateOf(row);
    if (standing === null) return null;
    const { state, since } = standing;
    return { number: ages.externalAt(row), state, serviceNumber: null, since: known(since) };
  };
  return {
    at: ages.observedAt,
    isWhole: true,
    find: (number) => {
      const row = ages.rowOf(number);
      return row < 0 ? null : account(row);
    },
    rows: {
      numbers: [{ text, ends, rows: ages.rows, fields: 1 }],
      *containing(wanted, most) {
        const found = yield* searched.containing(needleOf(wordFor(wanted)));
        const first: number[] = [];
        let count = 0;
        for (let row = found.indexOf(1), at = 0; row >= 0; row = found.indexOf(1, row + 1), at++) {
          if (ages.observedStateOf(row) !== null) {
            count += 1;
            if (first.length < most) first.push(row);
          }
          if (at % rowsAtOnce === 0) yield;
        }
        return { rows: first, count };
      },
      account,
    },
  };
}

function known(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}

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
