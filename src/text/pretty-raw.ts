/** Formats the raw body of a request or a response for people. JSON is indented. */
import { tokensOf } from "../json/positions.ts";
import { safe, safeLines } from "./sanitize.ts";

/** The maximum indentation in levels, so that deep nesting cannot make the text huge. */
const maxIndentLevels = 64;

/** Returns the lines of JSON with two spaces per level. */
function indented(tokens: readonly string[]): string[] {
  const lines: string[] = [];
  let depth = 0;
  let line = "";
  const breakLine = () => {
    lines.push(safe(line));
    line = "  ".repeat(Math.min(depth, maxIndentLevels));
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
 * Formats a raw body for people. JSON is indented by two spaces per level and is otherwise
 * unchanged: the digits of numbers, the order of keys, duplicate keys and escapes stay. Any other
 * text keeps its lines. Every line is safe for a terminal. An empty body has no lines.
 */
export function prettyRaw(raw: string): { lines: string[]; json: boolean } {
  if (isJson(raw))
    return { lines: indented(Array.from(tokensOf(raw), ({ text }) => text)), json: true };
  return { lines: raw === "" ? [] : safeLines(raw).split("\n"), json: false };
}
