/** Parses the filter text that the user types for an account list. */
import { localZone } from "../text/dates.ts";
import { parseDuration } from "../text/durations.ts";
import { spanStart } from "../text/time-bounds.ts";

/** The scope of a text word: the whole row, or one column. */
type FilterColumn = "any" | "external" | "service" | "created";

/** Text that a row must contain, or must not contain if `negated`. */
export interface TextWord {
  readonly kind: "text";
  readonly column: FilterColumn;
  readonly negated: boolean;
  readonly fuzzy: boolean;
  readonly text: string;
}

/** A condition on facts about an account (filter-facts.ts). */
export type FactWord = { readonly negated: boolean } & (
  | {
      /** The account has been pending for more or less than `ms` milliseconds. */
      readonly kind: "age";
      readonly longer: boolean;
      readonly ms: number;
    }
  | {
      /**
       * The account is pending, and was first seen pending at this time (epoch milliseconds) or
       * later.
       */
      readonly kind: "since";
      readonly ms: number;
    }
  /** The account was pending, is no longer listed and was never imported. */
  | { readonly kind: "gone" }
  /** The account was not in the last observation before today. */
  | { readonly kind: "new" }
  /** The user has marked the account. */
  | { readonly kind: "marked" }
  /** The account is in the cohort `name`. */
  | { readonly kind: "cohort"; readonly name: string }
);

/** One word of a filter. A row must match every word. */
export type FilterWord = TextWord | FactWord;

/** A parsed filter. Invalid words are left out, and the first one is reported in `problem`. */
export interface FilterQuery {
  readonly words: readonly FilterWord[];
  /** A sentence about the first invalid word, or null if all words are valid. */
  readonly problem: string | null;
}

/** The columns by the prefix of a text word. */
const columnNames: ReadonlyMap<string, FilterColumn> = new Map([
  ["ext", "external"],
  ["external", "external"],
  ["svc", "service"],
  ["service", "service"],
  ["created", "created"],
]);

/**
 * Reads the value after the colon of a word. Returns a sentence about the problem if the value is
 * invalid.
 */
type FactReader = (
  value: string,
  context: { readonly word: string; readonly negated: boolean; readonly now: number },
) => FactWord | string;

/** The readers of the other words, by their prefix. */
const factReaders: ReadonlyMap<string, FactReader> = new Map<string, FactReader>([
  ["age", readAge],
  ["since", readSince],
  ["is", readIs],
  ["cohort", readCohort],
]);

/**
 * Parses a filter text with any number of words: `text`, `!text`, `ext:text`, `svc:text`,
 * `created:text`, `~text` (fuzzy), `age:>24h`, `age:<2d`, `since:2026-11-20`, `is:gone`, `is:new`,
 * `is:marked` and `cohort:NAME`. `!` before a word negates the word. Relative times are counted from `now`
 * (epoch milliseconds).
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

/** One word of a filter, in its parts: `!name:~text`. */
export interface FilterTerm {
  readonly word: string;
  readonly negated: boolean;
  /** The prefix without its colon as typed, or null if there is none. */
  readonly name: string | null;
  /** Everything after the prefix, with the sign of a fuzzy text. */
  readonly value: string;
  readonly fuzzy: boolean;
  readonly text: string;
}

/** The beginnings of words that a filter of accounts can have, in the order in which they are offered. */
export const accountWords: readonly string[] = [
  ...["age:>", "since:", "is:gone", "is:new", "is:marked", "cohort:"],
  ...["ext:", "svc:", "created:"],
];

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

/** Returns the sentence about a word without a text, such as `col:`. */
export function noTextWords({ word }: FilterTerm): string {
  return `"${word}" has no search text: write text after it.`;
}

/** Returns true if a prefix is the name of an account column, or the beginning of its ID. */
export function namesColumn(name: string, column: string): boolean {
  const lower = name.toLowerCase();
  return column.startsWith(lower) || columnNames.get(lower) === column;
}

/** Reads one word. Returns a sentence about the problem if the word is invalid. */
function readWord(term: FilterTerm, now: number): FilterWord | string {
  const { word, negated, name, value, fuzzy, text } = term;
  const fact = name === null ? undefined : factReaders.get(name.toLowerCase());
  if (fact) return fact(value, { word, negated, now });
  const column = name === null ? "any" : columnNames.get(name.toLowerCase());
  if (column === undefined)
    return `Unknown prefix "${name}": use ext:, svc:, created:, age:, since:, is: or cohort:, as in ext:${word}.`;
  return text === "" ? noTextWords(term) : { kind: "text", column, negated, fuzzy, text };
}

function readAge(
  value: string,
  { word, negated }: Parameters<FactReader>[1],
): ReturnType<FactReader> {
  const [, sign, duration = ""] = /^([<>])?(.*)$/su.exec(value) ?? [];
  if (duration === "") return `"${word}" has no duration: write one, as in age:>24h or age:<2d.`;
  if (sign === undefined)
    return `"${word}" has no comparison: write > for longer or < for less, as in age:>24h.`;
  if (/^[\d.]+$/u.test(duration))
    return `"${word}" has no unit: write d, h, m or s, as in age:>24h.`;
  const ms = parseDuration(duration);
  if (ms === null) return `"${word}" has an invalid duration: use d, h, m and s, as in age:>24h.`;
  return { kind: "age", negated, longer: sign === ">", ms };
}

function readSince(
  value: string,
  { word, negated, now }: Parameters<FactReader>[1],
): ReturnType<FactReader> {
  if (value === "") return `"${word}" has no time: write one, as in since:2026-11-20.`;
  const start = spanStart(value, { now, timeZone: localZone() });
  if (!start.ok)
    return `"${word}" has an invalid time: write it without spaces, as in since:2026-11-20 or since:2026-11-20T14:00.`;
  if (start.ms > now) return `"${word}" is in the future: name a time before now.`;
  return { kind: "since", negated, ms: start.ms };
}

function readIs(
  value: string,
  { word, negated }: Parameters<FactReader>[1],
): ReturnType<FactReader> {
  switch (value.toLowerCase()) {
    case "gone":
      return { kind: "gone", negated };
    case "new":
      return { kind: "new", negated };
    case "marked":
      return { kind: "marked", negated };
    case "pending":
    case "imported":
      return `There is no "${word}": write ${negated ? "!" : ""}${value.toLowerCase()} alone.`;
    default:
      return `Unknown filter "${word}". Use is:gone, is:new or is:marked.`;
  }
}

function readCohort(
  name: string,
  { word, negated }: Parameters<FactReader>[1],
): ReturnType<FactReader> {
  if (name === "") return `"${word}" has no name: write the name of a cohort after it.`;
  return { kind: "cohort", negated, name };
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
