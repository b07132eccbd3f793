/** Splits JSON text into its tokens. */
const space = /[ \t\n\r]*/y;
/** Matches a bracket or sign, or the characters of a number or a word. */
const sign = /[{}[\]:,]|[^\s{}[\]:,"]+/y;

/** A token of JSON text as written. `at` is its offset in UTF-16 units. */
export interface Token {
  readonly text: string;
  readonly at: number;
}

/** Yields the tokens of well-formed JSON, in order. */
export function* tokensOf(json: string): Generator<Token> {
  let at = 0;
  while (at < json.length) {
    space.lastIndex = at;
    space.exec(json);
    at = space.lastIndex;
    sign.lastIndex = at;
    const text = json[at] === '"' ? json.slice(at, stringEnd(json, at)) : sign.exec(json)?.[0];
    if (text === undefined) return;
    yield { text, at };
    at += text.length;
  }
}

/**
 * Returns the end of the string that opens at `start`. It searches for quotes instead of reading
 * each character.
 */
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
