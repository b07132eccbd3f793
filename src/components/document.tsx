/** Lays out long texts and shows them as a document that scrolls. */
import { Box } from "ink";
import { useEffectEvent, useLayoutEffect } from "react";
import { useApp } from "../hooks/app.tsx";
import { useKeys } from "../hooks/keys.tsx";
import { useScroll } from "../hooks/list-cursor.ts";
import { useRoom } from "../hooks/window.tsx";
import { showInPager } from "../session/pager.ts";
import { count } from "../text/numbers.ts";
import { widthOf, wrap } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import { Lines, type Piece, Text } from "./text.tsx";

export type DocumentLine = readonly Piece[];

interface TextStyle {
  readonly tone?: Tone;
  readonly bold?: boolean;
}

export interface Sentence {
  readonly words: string;
  readonly look?: TextStyle;
  readonly indent?: number;
}

/**
 * Lays out a document in lines of at most `columns` cells. The texts can be untrusted, because
 * `Line` makes them safe.
 */
export class DocumentBuilder {
  readonly lines: DocumentLine[] = [];
  readonly columns: number;

  constructor(columns: number) {
    this.columns = columns;
  }

  /** Adds wrapped text. Lines after the first are indented by `hanging` cells. Default: `indent`. */
  addText(words: string, look: TextStyle = {}, indent = 0, hanging = indent): this {
    const room = Math.max(8, this.columns - hanging);
    for (const [index, line] of (words === "" ? [""] : wrap(words, room)).entries()) {
      const margin = " ".repeat(index === 0 ? indent : hanging);
      this.lines.push([{ text: margin + (line === "" ? " " : line), ...look }]);
    }
    return this;
  }

  addHeading(words: string): this {
    this.lines.push([{ text: " " }], [{ text: words, tone: "title" }]);
    return this;
  }

  addEnds(left: string, right: string, look: TextStyle = {}): this {
    const gap = this.columns - widthOf(left) - widthOf(right);
    if (gap < 2) return this.addText(left, look).addText(right, { tone: "muted" });
    const pieces = [{ text: left, ...look }, { text: " ".repeat(gap) }];
    this.lines.push([...pieces, { text: right, tone: "muted" }]);
    return this;
  }

  addFact(label: string, value: string, look: TextStyle = {}, labelWidth = 12): this {
    const room = Math.max(8, this.columns - labelWidth);
    const [first = "", ...rest] = wrap(value, room);
    this.lines.push([
      { text: label + " ".repeat(Math.max(0, labelWidth - widthOf(label))), tone: "muted" },
      { text: first, ...look },
    ]);
    for (const line of rest) this.lines.push([{ text: " ".repeat(labelWidth) + line, ...look }]);
    return this;
  }
}

/**
 * Shows a document that scrolls, and the position in the document on the line below. `taken` is
 * the number of rows that the rest of the screen uses.
 */
export function Document(props: {
  readonly lines: readonly DocumentLine[];
  readonly taken: number;
  readonly scrollTo?: number | null;
  /** False if the screen passes another text to the pager. Default: true. */
  readonly pager?: boolean;
}) {
  const { lines, scrollTo = null, pager = true } = props;
  const app = useApp();
  const room = useRoom();
  const height = Math.max(1, room.rows - props.taken - 1);
  const scroll = useScroll(lines.length, height);
  const reveal = useEffectEvent(scroll.to);
  // A layout effect scrolls in the frame that first shows the lines, so that the document does not
  // jump from its start.
  useLayoutEffect(() => {
    if (scrollTo !== null) reveal(scrollTo);
  }, [scrollTo]);
  const inPager = () =>
    void showInPager(
      app,
      lines.map((pieces) => pieces.map(({ text }) => text).join("")),
    );
  useKeys({ ...scroll.actions, ...(pager ? { pager: inPager } : {}) });
  const { top } = scroll;
  return (
    <>
      <Box flexDirection="column" height={height} flexShrink={0}>
        <Lines lines={lines.slice(top, top + height)} />
      </Box>
      <Text tone="muted">{positionText(top, height, lines.length) ?? " "}</Text>
    </>
  );
}

function positionText(top: number, height: number, length: number): string | null {
  if (length <= height) return null;
  const last = Math.min(top + height, length);
  return `lines ${count(top + 1)}–${count(last)} of ${count(length)}${last < length ? ", ↓ shows more" : ""}`;
}
