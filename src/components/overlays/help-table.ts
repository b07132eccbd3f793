/** Lays out the table of keys in the help. */
import { truncate, widthOf } from "../../text/width.ts";
import type { Piece } from "../text.tsx";

/** A line of the key table in the help: a title, a key with its label, or an empty line. */
export interface TableEntry {
  readonly key: Piece;
  readonly label: Piece;
  readonly isTitle: boolean;
}

/** Entries below a title. */
export interface Block {
  readonly title: string;
  readonly entries: readonly TableEntry[];
}

const gap = 2;

const blank: TableEntry = { key: { text: "" }, label: { text: "" }, isTitle: false };

function titleEntry(title: string): TableEntry {
  return { key: { text: title, tone: "title" }, label: { text: "" }, isTitle: true };
}

export function keyEntry(name: string, label: string, isOff: boolean): TableEntry {
  return {
    key: { text: name, bold: true },
    label: { text: label, ...(isOff ? { tone: "muted" as const } : {}) },
    isTitle: false,
  };
}

/**
 * Draws blocks beside and below each other in as few lines as possible without cutting. A label is
 * cut only if one column is wider than the room.
 */
export function drawTable(
  blocks: readonly Block[],
  columns: number,
): readonly (readonly Piece[])[] {
  const most = blocks.reduce((sum, { entries }) => sum + entries.length + 2, 0);
  let height = 1;
  let stacks = stacksOf(blocks, height);
  while (height < most && cells(stacks) > columns) stacks = stacksOf(blocks, ++height);
  return drawStacks(stacks, columns);
}

type Stack = readonly TableEntry[];

/**
 * Returns the blocks as stacks of at most `height` lines. A block that fits below another is placed
 * there. A block that is higher than a stack continues at the top of the next stack.
 */
function stacksOf(blocks: readonly Block[], height: number): readonly Stack[] {
  const stacks: TableEntry[][] = [];
  for (const { title, entries } of blocks) {
    const above = stacks.at(-1);
    if (above !== undefined && above.length + 2 + entries.length <= height) {
      above.push(blank, titleEntry(title), ...entries);
      continue;
    }
    const each = Math.max(1, height - 1);
    for (let from = 0; from < entries.length; from += each)
      stacks.push([titleEntry(from === 0 ? title : ""), ...entries.slice(from, from + each)]);
  }
  return stacks;
}

function drawStacks(stacks: readonly Stack[], columns: number): readonly (readonly Piece[])[] {
  const spare = Math.max(0, columns - cells(stacks));
  const between = gap + Math.floor(spare / stacks.length);
  const height = Math.max(0, ...stacks.map((stack) => stack.length));
  return Array.from({ length: height }, (_, row) =>
    stacks.flatMap((stack, at) => {
      const { key, label, isTitle } = stack[row] ?? blank;
      const width = Math.min(columns, widthIn(stack)) + (at === stacks.length - 1 ? 0 : between);
      if (isTitle) return padded(key, width);
      const keyWidth = keyWidthIn(stack);
      return [...padded(key, keyWidth), ...padded(label, width - keyWidth)];
    }),
  );
}

/**
 * Pads a piece with blanks that have no style, because trailing plain blanks need not be written.
 */
function padded(piece: Piece, width: number): readonly Piece[] {
  const text = truncate(piece.text, width);
  return [{ ...piece, text }, { text: " ".repeat(Math.max(0, width - widthOf(text))) }];
}

/** Returns the width of the stacks beside each other in cells. */
function cells(stacks: readonly Stack[]): number {
  return stacks.reduce((sum, stack) => sum + widthIn(stack) + gap, -gap);
}

/**
 * Returns the width of the keys of a stack with the gap after them. Titles are ignored, because
 * they can extend over the labels.
 */
function keyWidthIn(stack: Stack): number {
  return widest(stack.map(({ key, isTitle }) => (isTitle ? "" : key.text))) + gap;
}

function widthIn(stack: Stack): number {
  const labels = keyWidthIn(stack) + widest(stack.map(({ label }) => label.text));
  return Math.max(labels, widest(stack.map(({ key }) => key.text)));
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}
