/** Reads the filter of a list, and tests rows against it. */
import {
  filterTerms,
  fuzzyPattern,
  namesColumn,
  plainPattern,
} from "../../accounts/filter-query.ts";
import {
  type FactWord,
  type ListKind,
  noTextWords,
  offeredWords,
  readFact,
  unknownPrefixWords,
} from "../../accounts/filter-words.ts";
import { type Column, cellValue } from "./column.ts";

/**
 * Returns the test of a filter text for rows with these columns. A word matches if the displayed or
 * the exported text of a row contains it. `isMarked` returns true for a marked row. Default: no row
 * is marked.
 */
export function rowFilter<Row>(
  text: string,
  columns: readonly Column<Row>[],
  isMarked: (row: Row) => boolean = () => false,
): WordFilter<Row> {
  const textsOf = (column: Column<Row>): FilterTexts<Row> => {
    return (row) => {
      const value = cellValue(column, row);
      return [
        column.text(row, Number.POSITIVE_INFINITY),
        value === null ? null : String(value),
        ...(column.also?.(row) ?? []),
      ];
    };
  };
  const searched = columns.filter(({ picture }) => !picture);
  const byName = Object.fromEntries(searched.map((column) => [column.id, textsOf(column)]));
  const all = Object.values(byName);
  const time = searched.find((column) => column.time !== undefined)?.time;
  return wordFilter(text, byName, (row) => all.flatMap((texts) => texts(row)), {
    time,
    isMarked,
  });
}

export function rowWords<Row>(columns: readonly Column<Row>[]): readonly string[] {
  const searched = columns.filter(({ picture }) => !picture);
  return offeredWords(
    listKindOf(searched),
    searched.map(({ id }) => id),
  );
}

export function namesMarks(filter: string): boolean {
  return filterTerms(filter).some((term) => isMarkedWord(readFact(term, 0, "rows")));
}

function isMarkedWord(word: ReturnType<typeof readFact>): boolean {
  return typeof word === "object" && word?.kind === "marked";
}

function listKindOf<Row>(columns: readonly Column<Row>[]): ListKind {
  return columns.some(({ time }) => time !== undefined) ? "times" : "rows";
}

/**
 * Returns a pattern that matches the plain words of a filter in the cells of a column, or null if
 * no plain word applies to the column.
 */
export function matchPattern(filter: string, column: string): RegExp | null {
  const sources = filterTerms(filter).flatMap(({ negated, name, fuzzy, text }) => {
    const isForColumn = name === null || namesColumn(name, column);
    return text === "" || negated || fuzzy || !isForColumn ? [] : [plainPattern(text).source];
  });
  // The longest word is tried first, so that the longest match is marked.
  const longestFirst = sources.toSorted((a, b) => b.length - a.length);
  return longestFirst.length === 0 ? null : new RegExp(longestFirst.join("|"), "giu");
}

type FilterTexts<Row> = (row: Row) => readonly (string | null)[];

interface WordFilter<Row> {
  matches(row: Row): boolean;
  readonly problem: string | null;
}

function columnOf<Row>(columns: Readonly<Record<string, FilterTexts<Row>>>, name: string) {
  return Object.hasOwn(columns, name) ? columns[name] : undefined;
}

/**
 * Reads the words of a filter: those with text, and those of filter-words.ts that the list has. All
 * words must match.
 */
function wordFilter<Row>(
  text: string,
  columns: Readonly<Record<string, FilterTexts<Row>>>,
  anywhere: FilterTexts<Row>,
  { time, isMarked }: { time: Column<Row>["time"]; isMarked: (row: Row) => boolean },
): WordFilter<Row> {
  const tests: ((row: Row) => boolean)[] = [];
  let problem: string | null = null;
  const kind: ListKind = time === undefined ? "rows" : "times";
  for (const term of filterTerms(text)) {
    const { negated, name, fuzzy, text: wanted } = term;
    const texts = name === null ? anywhere : columnOf(columns, name.toLowerCase());
    if (texts === undefined) {
      const fact =
        readFact(term, time?.now ?? 0, kind) ??
        unknownPrefixWords(term, kind, Object.keys(columns));
      if (typeof fact === "string") problem ??= fact;
      else
        tests.push((row) =>
          matchesFact(fact, {
            isMarked: isMarked(row),
            at: time?.at(row) ?? Number.NaN,
            now: time?.now ?? 0,
          }),
        );
      continue;
    }
    if (wanted === "") {
      problem ??= noTextWords(term);
      continue;
    }
    const pattern = fuzzy ? fuzzyPattern(wanted) : plainPattern(wanted);
    const found = (row: Row) => texts(row).some((text) => text !== null && pattern.test(text));
    tests.push(negated ? (row) => !found(row) : found);
  }
  return { matches: (row) => tests.every((test) => test(row)), problem };
}

/** Returns true if a row matches a word. A row without a known time matches no word about it. */
function matchesFact(
  word: FactWord,
  { isMarked, at, now }: { readonly isMarked: boolean; readonly at: number; readonly now: number },
): boolean {
  switch (word.kind) {
    case "marked":
      return isMarked !== word.negated;
    case "since":
      return !Number.isNaN(at) && at >= word.ms !== word.negated;
    case "age": {
      const fits = word.longer ? now - at > word.ms : now - at < word.ms;
      return !Number.isNaN(at) && fits !== word.negated;
    }
    case "new":
    case "gone":
    case "cohort":
      // Only lists of accounts have these words.
      return false;
  }
}
