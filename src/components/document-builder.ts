import { widthOf, wrap } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import type { Piece } from "./text.tsx";

export type DocumentLine = readonly Piece[];

/** How words look. */
export interface Look {
  readonly tone?: Tone;
  readonly bold?: boolean;
}

/** Words of a document that are not laid out yet. */
export interface Sentence {
  readonly words: string;
  readonly look?: Look;
  readonly indent?: number;
}

/** Lays out a document in lines of `columns` cells. Untrusted text may go in: `Line` is the gate. */
export class DocumentBuilder {
  readonly lines: DocumentLine[] = [];
  readonly columns: number;

  constructor(columns: number) {
    this.columns = columns;
  }

  /** Words, wrapped; later lines are indented as the first. */
  say(words: string, look: Look = {}, indent = 0): this {
    const room = Math.max(8, this.columns - indent);
    for (const line of words === "" ? [""] : wrap(words, room)) {
      this.lines.push([{ text: " ".repeat(indent) + (line === "" ? " " : line), ...look }]);
    }
    return this;
  }

  /** A blank line and a heading. */
  head(words: string): this {
    this.lines.push([{ text: " " }], [{ text: words, tone: "title" }]);
    return this;
  }

  /** Words at the left and at the right edge; below each other where both do not fit. */
  between(left: string, right: string, look: Look = {}): this {
    const gap = this.columns - widthOf(left) - widthOf(right);
    if (gap < 2) return this.say(left, look).say(right, { tone: "muted" });
    const pieces = [{ text: left, ...look }, { text: " ".repeat(gap) }];
    this.lines.push([...pieces, { text: right, tone: "muted" }]);
    return this;
  }

  /** What something is, and its value beside it. */
  fact(label: string, value: string, look: Look = {}, labelWidth = 12): this {
    const room = Math.max(8, this.columns - labelWidth);
    const [first = "", ...rest] = wrap(value, room);
    this.lines.push([
      { text: label + " ".repeat(Math.max(1, labelWidth - widthOf(label))), tone: "muted" },
      { text: first, ...look },
    ]);
    for (const line of rest) this.lines.push([{ text: " ".repeat(labelWidth) + line, ...look }]);
    return this;
  }
}
