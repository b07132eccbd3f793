/**
 * Finds the tokens of JSON text, and the line and the column of a value in the text, for messages
 * about issues.
 */
import type { Path } from "./exact.ts";

/** The place of a value in a text. Offsets are in UTF-16 units. */
export interface Place {
  readonly start: number;
  /** The offset of the field's name, or null for an array element or the whole text. */
  readonly name: number | null;
  readonly children: ReadonlyMap<string | number, Place>;
}

/** A position in a text. Lines and columns count from 1. A column is one character of any size. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns a function that converts an offset in a text to a line and a column. A call does not read
 * the line again, because a file without line breaks can have a hundred thousand issues.
 */
export function positionsOf(text: string): (offset: number) => Position {
  const lineStarts = endsOfMatches(text, /\r\n|\r|\n/g);
  let pairEnds: readonly number[] | null = null;
  return (offset) => {
    pairEnds ??= endsOfMatches(text, /[\ud800-\udbff][\udc00-\udfff]/g);
    const line = countUpTo(lineStarts, offset);
    const start = line === 0 ? 0 : (lineStarts[line - 1] ?? 0);
    // A character outside the basic plane is two UTF-16 units.
    const extraUnits = countUpTo(pairEnds, offset) - countUpTo(pairEnds, start);
    return { line: line + 1, column: offset - start - extraUnits + 1 };
  };
}

function endsOfMatches(text: string, pattern: RegExp): readonly number[] {
  const ends: number[] = [];
  for (const match of text.matchAll(pattern)) ends.push(match.index + match[0].length);
  return ends;
}

/** Returns the number of offsets that are at most `limit`. The offsets are in ascending order. */
function countUpTo(offsets: readonly number[], limit: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface IssuePlace {
  readonly path: Path;
  readonly about?: "name" | "missing";
}

/** Returns the offset of an issue: its wrong name, its value, or the object without the field. */
export function offsetOf(root: Place, { path, about }: IssuePlace): number {
  let place = root;
  for (const [index, step] of path.entries()) {
    const next = place.children.get(step);
    if (next === undefined) break;
    place = next;
    const last = index === path.length - 1;
    if (last && about === "name" && place.name !== null) return place.name;
  }
  return place.start;
}

export function placeAt(root: Place, path: Path): Place | undefined {
  return path.reduce<Place | undefined>((place, step) => place?.children.get(step), root);
}

const blanks = /[ \t\n\r]*/y;
const signOrWord = /[{}[\]:,]|[^\s{}[\]:,"]+/y;

/** A token of JSON text as written. `at` is its offset in UTF-16 units. */
interface Token {
  readonly text: string;
  readonly at: number;
}

export function* tokensOf(json: string): Generator<Token> {
  let at = 0;
  while (at < json.length) {
    blanks.lastIndex = at;
    blanks.exec(json);
    at = blanks.lastIndex;
    signOrWord.lastIndex = at;
    const text =
      json[at] === '"' ? json.slice(at, stringEnd(json, at)) : signOrWord.exec(json)?.[0];
    if (text === undefined) return;
    yield { text, at };
    at += text.length;
  }
}

/** Returns the end of the string that opens at `start`. Searches for quotes, for speed. */
function stringEnd(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    quote = json.indexOf('"', quote + 1);
  }
  return json.length;
}
