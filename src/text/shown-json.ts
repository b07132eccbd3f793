/** Formats JSON for people, in few lines or indented, without changing its tokens. */
import { tokensOf } from "../json/positions.ts";
import { safe, safeLines } from "./sanitize.ts";
import { widthOf, wrap } from "./width.ts";

interface JsonPart {
  readonly text: string;
  readonly isValue: boolean;
}

/** A level that begins beyond this share of the columns is indented by two cells only. */
const maxIndentShare = 0.5;

/** Minimum cells for a value next to its name. With fewer, the value begins below the name. */
const minValueCells = 24;

/**
 * Formats JSON in as few lines as `columns` cells allow. A line has as many members as fit. Members
 * of one level begin in one column. A string that is longer than its line continues below its
 * opening quote. Every part is safe for a terminal.
 */
export function compactJson(json: string, columns: number): readonly (readonly JsonPart[])[] {
  return new Layout(
    Array.from(tokensOf(json), ({ text }) => safe(text)),
    columns,
  ).lines();
}

const isOpening = (token: string | undefined) => token === "{" || token === "[";
const isClosing = (token: string | undefined) => token === "}" || token === "]";

class Layout {
  readonly #tokens: readonly string[];
  readonly #columns: number;
  /** The width in cells of each member, by the index of its first token. */
  readonly #widths: readonly number[];
  readonly #finished: JsonPart[][] = [];
  readonly #indents: number[] = [];
  /** The index of the line on which the last member of each level begins. */
  readonly #memberLines: number[] = [];
  #line: JsonPart[] = [];
  #column = 0;

  constructor(tokens: readonly string[], columns: number) {
    this.#tokens = tokens;
    this.#columns = columns;
    this.#widths = memberWidths(tokens);
  }

  lines(): readonly (readonly JsonPart[])[] {
    for (const [at, token] of this.#tokens.entries()) {
      const previous = this.#tokens[at - 1];
      if (isClosing(token)) this.#close(previous === "{" || token === "]" ? token : ` ${token}`);
      else {
        if (previous === "," || isOpening(previous)) this.#beginMember(at, previous === ",");
        if (isOpening(token)) this.#open(token, this.#tokens[at + 1]);
        else if (token === "," || this.#tokens[at + 1] === ":") this.#put(token, false);
        else if (token === ":") this.#put(": ", false);
        else this.#putValue(token, closersWidth(this.#tokens, at));
      }
    }
    this.#finished.push(this.#line);
    return this.#finished;
  }

  get #indent(): number {
    return this.#indents.at(-1) ?? 0;
  }

  /**
   * Begins a new line if the member does not fit on the current line, or if it follows a long
   * member.
   */
  #beginMember(at: number, hasPrevious: boolean): void {
    const needed = (hasPrevious ? 1 : 0) + (this.#widths[at] ?? 0);
    // A member after a member of several lines is easier to find at the start of a line.
    const followsLong = hasPrevious && this.#memberLines.at(-1) !== this.#finished.length;
    const isTooLong = this.#column + needed > this.#columns;
    if ((isTooLong || followsLong) && this.#column > this.#indent) this.#breakTo(this.#indent);
    else if (hasPrevious) this.#put(" ", false);
    this.#memberLines[this.#memberLines.length - 1] = this.#finished.length;
  }

  #open(token: string, next: string | undefined): void {
    this.#makeRoomFor(token);
    this.#memberLines.push(this.#finished.length);
    this.#put(token === "{" && !isClosing(next) ? "{ " : token, false);
    const isDeep = this.#column > this.#columns * maxIndentShare;
    this.#indents.push(isDeep ? Math.min(this.#indent + 2, this.#columns >> 1) : this.#column);
  }

  #close(sign: string): void {
    this.#makeRoomFor(sign);
    this.#memberLines.pop();
    this.#indents.pop();
    this.#put(sign, false);
  }

  #makeRoomFor(sign: string): void {
    if (this.#column + sign.length > this.#columns) this.#breakTo(this.#indent);
  }

  /** Adds a value that `closersWidth` cells of punctuation follow. Wraps a long value. */
  #putValue(token: string, closersWidth: number): void {
    if (this.#column + widthOf(token) + closersWidth <= this.#columns) {
      this.#put(token, true);
      return;
    }
    const indent = this.#indent + 2;
    if (this.#columns - this.#column < minValueCells && this.#column > indent)
      this.#breakTo(indent);
    const valueColumn = this.#column;
    const room = Math.max(8, this.#columns - valueColumn - 1);
    const [first = "", ...rest] = wrap(token, room);
    this.#put(first, true);
    for (const line of rest) {
      this.#breakTo(valueColumn);
      this.#put(line, true);
    }
  }

  #put(text: string, isValue: boolean): void {
    const last = this.#line.at(-1);
    if (last?.isValue === isValue)
      this.#line[this.#line.length - 1] = { text: last.text + text, isValue };
    else this.#line.push({ text, isValue });
    this.#column += widthOf(text);
  }

  #breakTo(column: number): void {
    this.#finished.push(this.#line);
    this.#line = column === 0 ? [] : [{ text: " ".repeat(column), isValue: false }];
    this.#column = column;
  }
}

function closersWidth(tokens: readonly string[], at: number): number {
  let cells = 0;
  for (let next = at + 1; isClosing(tokens[next]) || tokens[next] === ","; next++) {
    cells += tokens[next] === "}" ? 2 : 1;
    if (tokens[next] === ",") break;
  }
  return cells;
}

/**
 * Returns the width in cells of every member on one line with the signs that close it, by the index
 * of its first token.
 */
function memberWidths(tokens: readonly string[]): readonly number[] {
  const widths: number[] = [];
  const open: number[] = [];
  let cells = 0;
  let first = 0;
  const end = (at: number) => {
    widths[first] = cells - (widths[first] ?? 0) + closersWidth(tokens, at);
  };
  const begin = (at: number) => {
    first = at;
    widths[at] = cells;
  };
  begin(0);
  for (const [at, token] of tokens.entries()) {
    const previous = tokens[at - 1];
    if (isClosing(token)) {
      if (!isOpening(previous)) end(at - 1);
      cells += token === "}" && previous !== "{" ? 2 : 1;
      first = open.pop() ?? 0;
    } else if (token === ",") {
      end(at - 1);
      cells += 2;
      begin(at + 1);
    } else {
      cells += token === ":" ? 2 : widthOf(token);
      if (!isOpening(token)) continue;
      if (token === "{" && !isClosing(tokens[at + 1])) cells += 1;
      open.push(first);
      if (!isClosing(tokens[at + 1])) begin(at + 1);
    }
  }
  end(tokens.length - 1);
  return widths;
}

/** The maximum indentation in levels, so that deep nesting cannot make the text huge. */
const maxIndentLevels = 64;

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
