import { tokensOf } from "../json/tokens.ts";
import { safe, safeLines } from "./sanitise.ts";
import { widthOf } from "./width.ts";

/** Indents no deeper than this, so that hostile nesting cannot blow up the text. */
const DEEPEST_INDENT = 64;

/**
 * The object or array that opens at token `at`, on one line of at most `room` cells; null where it
 * takes more. Gives up early, so that a long text costs no more than a short one.
 */
function onOneLine(
  tokens: readonly string[],
  at: number,
  room: number,
): { readonly text: string; readonly end: number } | null {
  let text = "";
  let depth = 0;
  for (let end = at; end < tokens.length && text.length <= room; end++) {
    const token = tokens[end] ?? "";
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    const empty = (token === "{" && tokens[end + 1] === "}") || tokens[end - 1] === "{";
    if (token === ":" || token === ",") text += `${token} `;
    else if (token === "{" && !empty) text += "{ ";
    else text += token === "}" && !empty ? " }" : token;
    // A comma behind it belongs on its line.
    const comma = tokens[end + 1] === "," ? 1 : 0;
    if (depth === 0) return widthOf(safe(text)) + comma <= room ? { text, end } : null;
  }
  return null;
}

/** With `columns`, what fits on one line of that many cells stays on one line. */
function indented(tokens: readonly string[], columns: number): string[] {
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
      const flat = columns > 0 ? onOneLine(tokens, at, columns - widthOf(safe(line))) : null;
      if (flat !== null) {
        line += flat.text;
        at = flat.end;
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
 * A raw body, for people to read. JSON is indented, two spaces a level, and nothing else changes:
 * numbers keep their spelling and precision, keys their order and their duplicates, strings their
 * escapes. With `columns`, an object or array that fits on a line of that many cells stays on one.
 * Anything else is shown line by line. Every line is safe for a terminal; an empty body has no lines.
 */
export function prettyRaw(raw: string, columns = 0): { lines: string[]; json: boolean } {
  if (isJson(raw))
    return {
      lines: indented(
        Array.from(tokensOf(raw), ({ text }) => text),
        columns,
      ),
      json: true,
    };
  return { lines: raw === "" ? [] : safeLines(raw).split("\n"), json: false };
}
