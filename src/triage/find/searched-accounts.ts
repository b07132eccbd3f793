/**
 * Makes the accounts of one supplier searchable: those of a loaded list, or of stored observations.
 */

import { FilterRun } from "../../accounts/filter.ts";
import { contains, needleOf } from "../../accounts/filter-needle.ts";
import type { TextWord } from "../../accounts/filter-query.ts";
import { FilterCache } from "../../accounts/filter-word.ts";
import type { Sliced } from "../../accounts/slices.ts";
import { type AccountTable, indexing } from "../../accounts/table.ts";
import type { NumberColumn } from "../account-numbers.ts";
import { listedAt, timeOrNull } from "../observations/listed-account.ts";
import type { Ages } from "../observations/observations.ts";
import type { ListedNumbers } from "../suggestions.ts";
import type { FoundAccount } from "./found.ts";

interface ContainingRows {
  readonly rows: readonly number[];
  readonly count: number;
}

export interface SearchedAccounts {
  /** The time at which the list was requested or observed, in epoch milliseconds. */
  readonly at: number;
  readonly isWhole: boolean;
  prepare?(): Sliced<void>;
  find(number: string): FoundAccount | null;
  /** All accounts, or null if only the wanted accounts are in memory. */
  readonly rows: SearchedRows | null;
}

export interface SearchedRows {
  readonly numbers: readonly ListedNumbers[];
  containing(text: string, limit: number): Sliced<ContainingRows>;
  account(row: number): FoundAccount | null;
}

const rowsPerStep = 1 << 13;

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
const filterCaches = new WeakMap<AccountTable, FilterCache>();

export function tableAccounts(
  table: AccountTable,
  { at, isWhole }: Pick<SearchedAccounts, "at" | "isWhole">,
): SearchedAccounts {
  const account = (row: number): FoundAccount => {
    const { external, service, pending, gone, createdAt, pendingSince, goneAt } = table.row(row);
    const times = {
      leftAt: timeOrNull(goneAt),
      pendingSince: timeOrNull(pendingSince),
      pendingUntil: null,
      createdAt: timeOrNull(createdAt),
    };
    const state = pending ? "pending" : gone ? "gone" : "imported";
    return { number: external, state, serviceNumber: service || null, times };
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
      *containing(text, limit) {
        const cache = filterCaches.get(table) ?? new FilterCache();
        filterCaches.set(table, cache);
        const run = new FilterRun(table, { words: [wordFor(text)], problem: null }, cache);
        while (!run.caughtUp) {
          run.advance();
          yield;
        }
        const { count } = run;
        const first = Array.from({ length: Math.min(count, limit) }, (_, at) => run.rows.at(at));
        return { rows: first, count };
      },
      account,
    },
  };
}

export function storedAccounts(ages: Ages): SearchedAccounts {
  const { text, ends } = ages.numbers;
  const account = (row: number): FoundAccount | null => {
    const listed = listedAt(ages, row, null);
    if (listed === null) return null;
    const { state, leftAt, pendingSince, pendingUntil, createdAt } = listed;
    const times = { leftAt, pendingSince, pendingUntil, createdAt };
    return { number: ages.externalAt(row), state, serviceNumber: null, times };
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
      containing: (wanted, limit) =>
        rowsContaining(
          ages.numbers,
          ages.rows,
          wanted,
          limit,
          (row) => ages.observedStateOf(row) !== null,
        ),
      account,
    },
  };
}

/**
 * Finds the accepted rows whose number contains a text, in any case. Returns at most `limit` of them,
 * and the number of all of them.
 */
export function* rowsContaining(
  { text, ends }: NumberColumn,
  rows: number,
  wanted: string,
  limit: number,
  isAccepted: (row: number) => boolean,
): Sliced<ContainingRows> {
  const needle = needleOf(wordFor(wanted));
  const first: number[] = [];
  let count = 0;
  for (let row = 0, from = 0; row < rows; row++) {
    const to = ends[row] as number;
    if (contains(needle, text, from, to) && isAccepted(row)) {
      count += 1;
      if (first.length < limit) first.push(row);
    }
    from = to;
    if (row % rowsPerStep === 0) yield;
  }
  return { rows: first, count };
}
