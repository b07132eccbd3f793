import { safe, safeLines } from "./sanitise.ts";

/** Indents no deeper than this, so that hostile nesting cannot blow up the text. */
const DEEPEST_INDENT = 64;

const SPACE = /[ \t\n\r]*/y;
/** A bracket or sign, or a run of what numbers and words are made of. */
const TOKEN = /[{}[\]:,]|[^\s{}[\]:,"]+/y;

/** Where the string that opens at `start` ends; found by looking for quotes, not for each character. */
function stringEnd(raw: string, start: number): number {
  let quote = raw.indexOf('"', start + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (raw[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    quote = raw.indexOf('"', quote + 1);
  }
  return raw.length;
}

/** The tokens of well-formed JSON, each as it is spelt. */
function tokensOf(raw: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < raw.length) {
    SPACE.lastIndex = at;
    SPACE.exec(raw);
    at = SPACE.lastIndex;
    if (raw[at] === '"') {
      const end = stringEnd(raw, at);
      found.push(raw.slice(at, end));
      at = end;
      continue;
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(raw)?.[0];
    if (token === undefined) break;
    found.push(token);
    at += token.length;
  }
  return found;
}

function indented(tokens: readonly string[]): string[] {
  const lines: string[] = [];
  let depth = 0;
  let line = "";
  const breakLine = () => {
    lines.push(safe(line));
    line = "  ".repeat(Math.min(depth, DEEPEST_INDENT));
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (token === "{" || token === "[") {
      const next = tokens[at + 1];
      if (next === "}" || next === "]") {
        line += token + next;
        at++;
        continue;
      }
      line += token;
      depth++;
      breakLine();
    } else if (token === "}" || token === "]") {
      depth--;
      breakLine();
      line += token;
    } else if (token === ",") {
      line += token;
      breakLine();
    } else {
      line += token === ":" ? ": " : token;
    }
  }
  lines.push(safe(line));
  return lines;
}

function isJson(raw: string): boolean {
  try {
    JSON.parse(raw);
    return true;
  } catch {
    return false;
  }
}

/**
 * What the wire said, for the raw view. JSON is laid out anew, two spaces a level, and nothing else
 * is touched: numbers keep their spelling and precision, keys their order and their doubles, strings
 * their escapes. Anything else comes line by line as it came. Every line is safe for a terminal; an
 * empty body has no lines.
 */
export function prettyRaw(raw: string): { lines: string[]; json: boolean } {
  if (isJson(raw)) return { lines: indented(tokensOf(raw)), json: true };
  return { lines: raw === "" ? [] : safeLines(raw).split("\n"), json: false };
}
