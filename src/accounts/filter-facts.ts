/**
 * Tests rows against the filter words that are not text: ages, cohorts, new and gone accounts. The
 * callers supply the facts, because an account list does not contain them.
 */
import type { Block } from "./block.ts";
import {
  fieldStart,
  isGoneRow,
  isPendingRow,
  type RowColumns,
  TextColumn,
  utf8,
} from "./columns.ts";
import type { FilterQuery, FilterWord } from "./filter-query.ts";
import type { FactWord } from "./filter-words.ts";
import { addBit, bitWords, type RowBits } from "./row-bits.ts";

/** A value that is known, is being read, or is unavailable for the reason `why`. */
export type Loadable<T> =
  | { readonly kind: "known"; readonly value: T }
  | { readonly kind: "reading" }
  | { readonly kind: "unknown"; readonly why: string };

/**
 * The times since which the accounts of one supplier are pending, according to the observations on
 * this computer.
 */
export interface AgeFacts {
  /**
   * Returns the row of the stored account with the number in these UTF-8 bytes, or -1 if there is
   * none. Allocates no memory.
   */
  find(bytes: Uint8Array, from: number, to: number): number;
  /**
   * Returns the time (epoch milliseconds) at which a stored account was first seen pending, or NaN
   * if it is not pending.
   */
  pendingSince(row: number): number;
  /**
   * Returns true if the account was not in the last observation before today. `row` is -1 for an
   * account that was never observed.
   */
  isNew(row: number): boolean;
}

interface CohortMembers {
  /**
   * Returns true if the account with the number in these UTF-8 bytes is a member. Allocates no
   * memory.
   */
  has(bytes: Uint8Array, from: number, to: number): boolean;
}

/**
 * The facts about the accounts of one supplier at one moment. Later facts are in another object.
 */
export interface AccountFacts {
  readonly ages: Loadable<AgeFacts>;
  /**
   * Returns the accounts of a cohort. The first call for a cohort starts to read them. Later calls
   * return the same result.
   */
  cohort(name: string): Loadable<CohortMembers>;
  /** The reason why this list has no gone accounts, as a sentence, or null if it has them. */
  readonly withoutGone: string | null;
  /** Returns the numbers of the marked accounts. Default: nothing can be marked. */
  readonly marked?: () => ReadonlySet<string>;
}

/** The facts for a caller that has only lists. */
export const noFacts: AccountFacts = Object.freeze({
  ages: { kind: "unknown", why: "Ages of accounts are not known here." } as const,
  cohort: (name: string) => ({ kind: "unknown", why: `There is no cohort "${name}".` }) as const,
  withoutGone: "This list does not show gone accounts. Use the Gone tab.",
});

interface ResolvedFilter {
  readonly query: FilterQuery;
  /**
   * The name of the data that is read before rows can be filtered, or null if all data is known.
   */
  readonly reading: string | null;
}

/** Returns the filter without the words that cannot be applied, with the reason as its problem. */
export function applicableFilter(query: FilterQuery, facts: AccountFacts): ResolvedFilter {
  const words: FilterWord[] = [];
  let { problem } = query;
  let reading: string | null = null;
  for (const word of query.words) {
    const missing = word.kind === "text" ? null : missingFor(word, facts);
    if (missing === null) words.push(word);
    else if (missing.kind === "unknown") problem ??= missing.why;
    else reading ??= word.kind === "cohort" ? `cohort ${word.name}` : "ages";
  }
  return { query: { words, problem }, reading };
}

export function usesFacts({ words }: FilterQuery): boolean {
  return words.some((word) => word.kind !== "text");
}

export function usesMarks({ words }: FilterQuery): boolean {
  return words.some(({ kind }) => kind === "marked");
}

export function usesAges({ words }: FilterQuery): boolean {
  return words.some(({ kind }) => kind === "age" || kind === "since" || kind === "new");
}

type Missing = Exclude<Loadable<unknown>, { readonly kind: "known" }>;

function missingFor(word: FactWord, facts: AccountFacts): Missing | null {
  switch (word.kind) {
    case "age":
    case "since":
    case "new":
      return facts.ages.kind === "known" ? null : facts.ages;
    case "marked":
      return facts.marked === undefined ? { kind: "unknown", why: withoutMarks } : null;
    case "gone":
      return facts.withoutGone === null ? null : { kind: "unknown", why: facts.withoutGone };
    case "cohort": {
      const members = facts.cohort(word.name);
      return members.kind === "known" ? null : members;
    }
  }
}

const withoutMarks = "Accounts are marked only in the console.";

/** Returns the value of a fact. Throws if the value is not known. */
function knownValue<T>(fact: Loadable<T>): T {
  if (fact.kind !== "known") throw new RangeError("the facts of a tested word must be known");
  return fact.value;
}

type RowTest = (columns: RowColumns, row: number) => boolean;

/** The facts for a filter, and the time from which ages are counted (`now`, epoch milliseconds). */
export interface FactsAtTime {
  readonly facts: AccountFacts;
  readonly now: number;
}

export function withoutFacts(): FactsAtTime {
  return { facts: noFacts, now: Date.now() };
}

/**
 * Returns a function that tests rows for a word that is not text, ignoring its negation. The facts
 * of the word must be known.
 */
export function factTest(word: FactWord, { facts, now }: FactsAtTime): RowTest {
  switch (word.kind) {
    case "age":
    case "since": {
      const ages = knownValue(facts.ages);
      const test = timeTest(word, now);
      return (columns, row) => test(pendingSince(ages, columns, row));
    }
    case "marked": {
      const marked = facts.marked?.() ?? new Set();
      return (columns, row) => {
        const from = fieldStart(columns, row, TextColumn.external);
        const number = columns.text.subarray(from, columns.ends[row * 3] as number);
        return marked.has(utf8.decode(number));
      };
    }
    case "gone":
      return isGoneRow;
    case "new": {
      const ages = knownValue(facts.ages);
      return (columns, row) => ages.isNew(storedRow(ages, columns, row));
    }
    case "cohort": {
      const members = knownValue(facts.cohort(word.name));
      return (columns, row) => {
        const from = fieldStart(columns, row, TextColumn.external);
        return members.has(columns.text, from, columns.ends[row * 3] as number);
      };
    }
  }
}

/**
 * Returns a function that tests the time at which an account was first seen pending. NaN (not
 * pending) never passes.
 */
function timeTest(
  word: Extract<FactWord, { readonly kind: "age" | "since" }>,
  now: number,
): (since: number) => boolean {
  if (word.kind === "since") return (since) => since >= word.ms;
  const limit = now - word.ms;
  return word.longer ? (since) => since < limit : (since) => since > limit;
}

/**
 * The pending time of an account that is pending now and was never observed as pending. It is later
 * than any other time.
 */
const firstSeenNow = Number.POSITIVE_INFINITY;

/** Returns the stored row of an account, or -1 if the account was never observed. */
function storedRow(ages: AgeFacts, columns: RowColumns, row: number): number {
  const from = fieldStart(columns, row, TextColumn.external);
  return ages.find(columns.text, from, columns.ends[row * 3] as number);
}

function pendingSince(ages: AgeFacts, columns: RowColumns, row: number): number {
  if (!isPendingRow(columns, row)) return Number.NaN;
  const stored = storedRow(ages, columns, row);
  const since = stored < 0 ? Number.NaN : ages.pendingSince(stored);
  return Number.isNaN(since) ? firstSeenNow : since;
}

/**
 * Returns the times since which the rows of a full block are pending. They are looked up once for
 * all filters.
 */
function pendingTimesOf(block: Block, ages: AgeFacts): Float64Array {
  if (block.pendingTimes?.source === ages) return block.pendingTimes.pendingSince;
  const times = new Float64Array(block.rows);
  for (let row = 0; row < block.rows; row++) times[row] = pendingSince(ages, block, row);
  block.pendingTimes = { source: ages, pendingSince: times };
  return times;
}

export class FactMatches {
  readonly word: FactWord;
  readonly #facts: FactsAtTime;
  readonly #test: RowTest;
  readonly #cached: (RowBits | undefined)[] = [];

  constructor(word: FactWord, facts: FactsAtTime) {
    this.word = word;
    this.#facts = facts;
    this.#test = factTest(word, facts);
  }

  cached(blockIndex: number): RowBits | null {
    return this.#cached[blockIndex] ?? null;
  }

  clear(): void {
    this.#cached.length = 0;
  }

  matchesIn(block: Block, blockIndex: number): RowBits {
    const cached = this.#cached[blockIndex];
    if (cached) return cached;
    const found = this.#search(block);
    this.#cached[blockIndex] = found;
    return found;
  }

  /**
   * Returns the matching rows of `rows`. Tests fewer rows than {@link matchesIn}, and does not store the
   * result.
   */
  matchesAmong(block: Block, _blockIndex: number, rows: RowBits): RowBits {
    const found: RowBits = new Uint32Array(bitWords);
    for (let word = 0; word < bitWords; word++) {
      for (let rest = rows[word] as number; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        const row = (word << 5) + 31 - Math.clz32(bit);
        if (this.#test(block, row)) found[word] = (found[word] as number) | bit;
      }
    }
    return found;
  }

  #search(block: Block): RowBits {
    const found: RowBits = new Uint32Array(bitWords);
    const { word } = this;
    const { facts, now } = this.#facts;
    if (word.kind === "age" || word.kind === "since") {
      const times = pendingTimesOf(block, knownValue(facts.ages));
      const test = timeTest(word, now);
      for (let row = 0; row < block.rows; row++) if (test(times[row] as number)) addBit(found, row);
      return found;
    }
    for (let row = 0; row < block.rows; row++) if (this.#test(block, row)) addBit(found, row);
    return found;
  }
}
