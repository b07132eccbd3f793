/** Formats JSON in few lines for the terminal, without changing its tokens. */
import { tokensOf } from "../json/exact.ts";
import { safe } from "./sanitize.ts";
import { widthOf, wrap } from "./width.ts";

/** A part of a line: a name with its punctuation, or a value. */
interface JsonPart {
  readonly text: string;
  readonly isValue: boolean;
}

/** The maximum indentation of a level, as a share of the columns. */
const deepest = 0.5;

/** Minimum cells for a value next to its name. With fewer, the value begins below the name. */
const roomyValue = 24;

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
  /** The cells from each token that begins a member to the next possible line break. */
  readonly #widths: readonly number[];
  readonly #done: JsonPart[][] = [];
  readonly #indents: number[] = [];
  /** The line on which the last member of each level begins. */
  readonly #begun: number[] = [];
  #line: JsonPart[] = [];
  #column = 0;

  constructor(tokens: readonly string[], columns: number) {
    this.#tokens = tokens;
    this.#columns = columns;
    this.#widths = memberWidths(tokens);
  }

  lines(): readonly (readonly JsonPart[])[] {
    for (const [at, token] of this.#tokens.entries()) {
      const before = this.#tokens[at - 1];
      if (isClosing(token)) this.#close(before === "{" || token === "]" ? token : ` ${token}`);
      else {
        if (before === "," || isOpening(before)) this.#beginMember(at, before === ",");
        if (isOpening(token)) this.#open(token, this.#tokens[at + 1]);
        else if (token === "," || this.#tokens[at + 1] === ":") this.#put(token, false);
        else if (token === ":") this.#put(": ", false);
        else this.#putValue(token, closersAfter(this.#tokens, at));
      }
    }
    this.#done.push(this.#line);
    return this.#done;
  }

  get #indent(): number {
    return this.#indents.at(-1) ?? 0;
  }

  /**
   * Begins a new line if the member does not fit on the current line, or if it follows a long
   * member.
   */
  #beginMember(at: number, hasOneBefore: boolean): void {
    const needed = (hasOneBefore ? 1 : 0) + (this.#widths[at] ?? 0);
    // A member after a member of several lines is easier to find at the start of a line.
    const isBehindLong = hasOneBefore && this.#begun.at(-1) !== this.#done.length;
    const isTooLong = this.#column + needed > this.#columns;
    if ((isTooLong || isBehindLong) && this.#column > this.#indent) this.#breakTo(this.#indent);
    else if (hasOneBefore) this.#put(" ", false);
    this.#begun[this.#begun.length - 1] = this.#done.length;
  }

  #open(token: string, next: string | undefined): void {
    this.#makeRoomFor(token);
    this.#begun.push(this.#done.length);
    this.#put(token === "{" && !isClosing(next) ? "{ " : token, false);
    const isDeep = this.#column > this.#columns * deepest;
    this.#indents.push(isDeep ? Math.min(this.#indent + 2, this.#columns >> 1) : this.#column);
  }

  #close(sign: string): void {
    this.#makeRoomFor(sign);
    this.#begun.pop();
    this.#indents.pop();
    this.#put(sign, false);
  }

  /** Begins a new line if a bracket does not fit on the current line. */
  #makeRoomFor(sign: string): void {
    if (this.#column + sign.length > this.#columns) this.#breakTo(this.#indent);
  }

  /**
   * Adds a value, with room for the punctuation after it. Wraps a long value over several lines.
   */
  #putValue(token: string, after: number): void {
    if (this.#column + widthOf(token) + after <= this.#columns) {
      this.#put(token, true);
      return;
    }
    const below = this.#indent + 2;
    if (this.#columns - this.#column < roomyValue && this.#column > below) this.#breakTo(below);
    const hanging = this.#column;
    const room = Math.max(8, this.#columns - hanging - 1);
    const [first = "", ...rest] = wrap(token, room);
    this.#put(first, true);
    for (const line of rest) {
      this.#breakTo(hanging);
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
    this.#done.push(this.#line);
    this.#line = column === 0 ? [] : [{ text: " ".repeat(column), isValue: false }];
    this.#column = column;
  }
}

/** Returns the width of the brackets and the comma after a value in cells. */
function closersAfter(tokens: readonly string[], at: number): number {
  let cells = 0;
  for (let next = at + 1; isClosing(tokens[next]) || tokens[next] === ","; next++) {
    cells += tokens[next] === "}" ? 2 : 1;
    if (tokens[next] === ",") break;
  }
  return cells;
}

/**
 * Returns the width of every member on one line with its closing signs in cells, by the index of
 * its first token.
 */
function memberWidths(tokens: readonly string[]): readonly number[] {
  const widths: number[] = [];
  const open: number[] = [];
  let cells = 0;
  let first = 0;
  const end = (at: number) => {
    widths[first] = cells - (widths[first] ?? 0) + closersAfter(tokens, at);
  };
  const begin = (at: number) => {
    first = at;
    widths[at] = cells;
  };
  begin(0);
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    if (isClosing(token)) {
      if (!isOpening(before)) end(at - 1);
      cells += token === "}" && before !== "{" ? 2 : 1;
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
