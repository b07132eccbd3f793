/** The words of a filter that are not text, and what reads, offers and explains them. */
import { localZone } from "../text/dates.ts";
import { parseDuration, typedDuration } from "../text/durations.ts";
import { spanStart } from "../text/time-bounds.ts";

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
  | { readonly kind: "marked" }
  | { readonly kind: "cohort"; readonly name: string }
);

/** The kinds of lists, from those with the fewest words to those with the most. */
const listKinds = ["rows", "times", "accounts"] as const;

/** The kind of a list: of any rows, of rows with a time, or of accounts. */
export type ListKind = (typeof listKinds)[number];

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

/** Reads the value of a term. Returns a sentence about the problem if the value is invalid. */
type Reader = (term: FilterTerm, now: number) => FactWord | string;

interface WordFacts {
  readonly prefix: string;
  /** The beginning of the word, or the whole word, as offered while a filter is typed. */
  readonly offered: string;
  readonly example: string;
  readonly help: readonly [words: string, meaning: string];
  /** The lists with the fewest words that have this one. */
  readonly since: ListKind;
  readonly read: Reader;
}

const factWords: Readonly<Record<FactWord["kind"], WordFacts>> = {
  marked: {
    ...isWord("marked"),
    since: "rows",
    help: ["is:marked", "Marked rows."],
  },
  age: {
    prefix: "age",
    offered: "age:>",
    example: "age:>24h",
    help: [
      "age:>2d age:<1h",
      "Accounts pending, or rows with a time, for longer or for less: d, h, m, s.",
    ],
    since: "times",
    read: readAge,
  },
  since: {
    prefix: "since",
    offered: "since:",
    example: "since:2026-11-20",
    help: ["since:2026-11-20", "Accounts pending, or rows, since that time or later."],
    since: "times",
    read: readSince,
  },
  new: {
    ...isWord("new"),
    since: "accounts",
    help: ["is:new", "Accounts that were not in the last list before today."],
  },
  gone: {
    ...isWord("gone"),
    since: "accounts",
    help: ["is:gone", "Accounts that were pending and are on no list, on their tab."],
  },
  cohort: {
    prefix: "cohort",
    offered: "cohort:",
    example: "cohort:NAME",
    help: ["cohort:NAME", "Accounts of a stored list."],
    since: "accounts",
    read: readCohort,
  },
};

/** Returns the parts of a word that is only a name, such as `is:new`. */
function isWord(kind: "marked" | "new" | "gone") {
  const word = `is:${kind}`;
  const read: Reader = ({ negated }) => ({ kind, negated });
  return { prefix: "is", offered: word, example: word, read };
}

/** Returns the word of a filter for accounts that have been pending for more than `ms` milliseconds. */
export function pendingLongerThan(ms: number): string {
  return factWords.age.offered + typedDuration(ms);
}

function wordsIn(list: ListKind): readonly WordFacts[] {
  const most = listKinds.indexOf(list);
  return Object.values(factWords).filter(({ since }) => listKinds.indexOf(since) <= most);
}

/** Returns the beginnings of words that a filter can have, in the order in which they are offered. */
export function offeredWords(list: ListKind, columns: readonly string[]): readonly string[] {
  return [...wordsIn(list).map(({ offered }) => offered), ...columns.map((name) => `${name}:`)];
}

/** Returns the words of a filter and their meanings: all, or those of a list with these offered words. */
export function filterHelp(
  list?: readonly string[],
): readonly (readonly [word: string, meaning: string])[] {
  const isIn = ({ offered }: WordFacts) => list === undefined || list.includes(offered);
  return [
    ...textHelp,
    ...Object.values(factWords)
      .filter(isIn)
      .map(({ help }) => help),
  ];
}

const textHelp = [
  ["text", "Rows that contain the text in any column. All words must match."],
  ["!text", "Rows that do not contain it. ! works before every word."],
  ["~text", "Rows with these characters in this order."],
  ["col:text", "Rows with the text in one column; the offered words name the columns."],
] as const;

export const commandFilterWords: string = [
  ...["text", "!text", "ext:", "svc:", "created:"],
  ...Object.values(factWords).flatMap((word) => (word === factWords.marked ? [] : word.example)),
].join(", ");

/**
 * Reads a term as a word that is not text. Returns a sentence about the problem if it is invalid, or
 * null if the list has no such word.
 */
export function readFact(term: FilterTerm, now: number, list: ListKind): FactWord | string | null {
  const prefix = term.name?.toLowerCase();
  const words = wordsIn(list).filter((word) => word.prefix === prefix);
  const [first] = words;
  if (first === undefined) return null;
  if (prefix !== "is") return first.read(term, now);
  const value = term.value.toLowerCase();
  const named = words.find(({ offered }) => offered === `is:${value}`);
  if (named !== undefined) return named.read(term, now);
  if (list === "accounts" && (value === "pending" || value === "imported"))
    return `There is no "${term.word}": write ${term.negated ? "!" : ""}${value} alone.`;
  return `Unknown filter "${term.word}". Use ${orList(words.map(({ offered }) => offered))}.`;
}

export function unknownPrefixWords(
  { name, word }: FilterTerm,
  list: ListKind,
  columns: readonly string[],
): string {
  const words = wordsIn(list);
  const prefixes = words.map(({ prefix, offered }) =>
    // A prefix with a single word is named with it.
    prefix === "is" && words.filter((other) => other.prefix === "is").length === 1
      ? offered
      : `${prefix}:`,
  );
  const names = [...new Set([...columns.map((column) => `${column}:`), ...prefixes])];
  return `Unknown prefix "${name}": use ${orList(names)}, as in ${columns[0]}:${word}.`;
}

export function noTextWords({ word }: FilterTerm): string {
  return `"${word}" has no search text: write text after it.`;
}

function readAge({ value, word, negated }: FilterTerm): FactWord | string {
  const [, sign, duration = ""] = /^([<>])?(.*)$/su.exec(value) ?? [];
  const { example } = factWords.age;
  if (duration === "") return `"${word}" has no duration: write one, as in ${example} or age:<2d.`;
  if (sign === undefined)
    return `"${word}" has no comparison: write > for longer or < for less, as in ${example}.`;
  if (/^[\d.]+$/u.test(duration))
    return `"${word}" has no unit: write d, h, m or s, as in ${example}.`;
  const ms = parseDuration(duration);
  if (ms === null) return `"${word}" has an invalid duration: use d, h, m and s, as in ${example}.`;
  return { kind: "age", negated, longer: sign === ">", ms };
}

function readSince({ value, word, negated }: FilterTerm, now: number): FactWord | string {
  const { example } = factWords.since;
  if (value === "") return `"${word}" has no time: write one, as in ${example}.`;
  const start = spanStart(value, { now, timeZone: localZone() });
  if (!start.ok)
    return `"${word}" has an invalid time: write it without spaces, as in ${example} or ${example}T14:00.`;
  if (start.ms > now) return `"${word}" is in the future: name a time before now.`;
  return { kind: "since", negated, ms: start.ms };
}

function readCohort({ value: name, word, negated }: FilterTerm): FactWord | string {
  if (name === "") return `"${word}" has no name: write the name of a cohort after it.`;
  return { kind: "cohort", negated, name };
}

function orList(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}
