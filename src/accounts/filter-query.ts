/** Parses the filter text that the user types for an account list. */
import {
  type FactWord,
  type FilterTerm,
  noTextWords,
  readFact,
  unknownPrefixWords,
} from "./filter-words.ts";

type FilterColumn = "any" | "external" | "service" | "created";

export interface TextWord {
  readonly kind: "text";
  readonly column: FilterColumn;
  readonly negated: boolean;
  readonly fuzzy: boolean;
  readonly text: string;
}

/** One word of a filter. A row must match every word. */
export type FilterWord = TextWord | FactWord;

/** A parsed filter. Invalid words are left out, and the first one is reported in `problem`. */
export interface FilterQuery {
  readonly words: readonly FilterWord[];
  /** A sentence about the first invalid word, or null if all words are valid. */
  readonly problem: string | null;
}

const columnNames: ReadonlyMap<string, FilterColumn> = new Map([
  ["ext", "external"],
  ["external", "external"],
  ["svc", "service"],
  ["service", "service"],
  ["created", "created"],
]);

/**
 * Parses the filter of an account list: words with text (`text`, `!text`, `ext:text`, `~text`) and
 * those of filter-words.ts. Relative times are counted from `now` (epoch milliseconds).
 */
export function parseFilter(text: string, now: number = Date.now()): FilterQuery {
  const words: FilterWord[] = [];
  let problem: string | null = null;
  for (const term of filterTerms(text)) {
    const result = readWord(term, now);
    if (typeof result === "string") problem ??= result;
    else words.push(result);
  }
  return { words, problem };
}

export const accountColumnNames = ["ext", "svc", "created"] as const;

/** Splits a filter into its words. This is the grammar of the filter of every list. */
export function filterTerms(filter: string): readonly FilterTerm[] {
  return filter
    .split(/\s+/u)
    .filter((word) => word !== "")
    .map((word) => {
      const [, not, name, value = ""] = /^(!?)(?:([a-z_]+):)?(.*)$/isu.exec(word) ?? [];
      const fuzzy = value.startsWith("~");
      const text = fuzzy ? value.slice(1) : value;
      return { word, negated: not === "!", name: name ?? null, value, fuzzy, text };
    });
}

/** Returns true if a prefix is the name of an account column, or the beginning of its ID. */
export function namesColumn(name: string, column: string): boolean {
  const lower = name.toLowerCase();
  return column.startsWith(lower) || columnNames.get(lower) === column;
}

/** Reads one word. Returns a sentence about the problem if the word is invalid. */
function readWord(term: FilterTerm, now: number): FilterWord | string {
  const { negated, name, fuzzy, text } = term;
  const fact = readFact(term, now, "accounts");
  if (fact !== null) return fact;
  const column = name === null ? "any" : columnNames.get(name.toLowerCase());
  if (column === undefined) return unknownPrefixWords(term, "accounts", accountColumnNames);
  return text === "" ? noTextWords(term) : { kind: "text", column, negated, fuzzy, text };
}

/** Returns a pattern that matches a text, ignoring case by Unicode's simple folding. */
export function plainPattern(text: string): RegExp {
  return new RegExp(RegExp.escape(text), "iu");
}

/**
 * Returns a pattern that matches the characters of a text in their order, with any text between
 * them, ignoring case. Each gap ends at the first occurrence of the next character, so that no text
 * causes backtracking.
 */
export function fuzzyPattern(text: string): RegExp {
  const steps = Array.from(text, (character) => {
    const escaped = RegExp.escape(character);
    return `[^${escaped}]*${escaped}`;
  });
  return new RegExp(`^${steps.join("")}`, "iu");
}

/**
 * Returns true if it is certain that every row that contains the first word also contains the
 * second word, ignoring their negation.
 */
export function implies(first: TextWord, second: TextWord): boolean {
  if (second.column !== "any" && second.column !== first.column) return false;
  if (second.fuzzy) return fuzzyPattern(second.text).test(first.text);
  return !first.fuzzy && plainPattern(second.text).test(first.text);
}
