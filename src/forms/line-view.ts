/** Finds the visible part of the text in a form field: scrolling, rows and the cursor. */
import { safe } from "../text/sanitize.ts";
import { graphemes, segmentsOf, widthOf } from "../text/width.ts";

interface LineView {
  /** The index of the first visible character in the text, to be passed to the next view. */
  readonly from: number;
  /** True if text is hidden on the left. A mark of one cell replaces the hidden text. */
  readonly before: boolean;
  readonly after: boolean;
  readonly shown: string;
  /** The column of the cursor in cells from 0, including a mark at the left. */
  readonly column: number;
}

const minMarkedWidth = 8;

function cellsOf(character: string): number {
  return widthOf(safe(character));
}

/**
 * Returns the part of a text that is visible in a field of `width` cells, with the cursor. Scrolls
 * as little as possible from the previous view, whose `from` is passed. Only the visible part is
 * measured, even in a long text.
 */
export function lineView(
  text: string,
  cursor: number,
  options: { readonly width: number; readonly from?: number },
): LineView {
  const width = Math.max(1, Math.floor(options.width));
  const segments = segmentsOf(text);
  const characterFrom = (at: number) => segments.containing(at)?.segment ?? "";
  const whole = shownFrom(text, 0, width, characterFrom);
  if (whole.end === text.length && whole.cells < width) {
    const column = widthOf(safe(text.slice(0, cursor)));
    return { from: 0, before: false, after: false, shown: whole.shown, column };
  }
  const mark = width < minMarkedWidth ? 0 : 1;
  const room = width - 2 * mark;
  const cursorCells = cursor < text.length ? Math.min(room, cellsOf(characterFrom(cursor))) : 1;
  const leftmost = (end: number, cells: number) => {
    let at = end;
    for (let used = 0; at > 0; ) {
      const start = segments.containing(at - 1)?.index ?? 0;
      used += cellsOf(text.slice(start, at));
      if (used > cells) break;
      at = start;
    }
    return at;
  };
  const before = Math.min(options.from ?? 0, cursor, leftmost(text.length, room - 1));
  const scrolled = segments.containing(before)?.index ?? before;
  const from = Math.max(scrolled, leftmost(cursor, room - cursorCells));
  const area = width - (from > 0 ? mark : 0);
  const rest = shownFrom(text, from, area, characterFrom);
  const isCut = rest.end < text.length;
  const visible = isCut ? shownFrom(text, from, area - mark, characterFrom) : rest;
  return {
    from,
    before: from > 0 && mark > 0,
    after: isCut && mark > 0,
    shown: visible.shown,
    column: (from > 0 ? mark : 0) + widthOf(safe(text.slice(from, cursor))),
  };
}

function shownFrom(
  text: string,
  from: number,
  room: number,
  characterFrom: (at: number) => string,
): { readonly shown: string; readonly cells: number; readonly end: number } {
  let shown = "";
  let cells = 0;
  let end = from;
  while (end < text.length) {
    const part = characterFrom(end);
    const width = cellsOf(part);
    if (cells + width > room) break;
    cells += width;
    shown += safe(part);
    end += part.length;
  }
  return { shown, cells, end };
}

export function masked(
  text: string,
  cursor: number,
  sign: string,
): { readonly text: string; readonly cursor: number } {
  const count = (part: string) => graphemes(part).length;
  return { text: sign.repeat(count(text)), cursor: count(text.slice(0, cursor)) };
}

export const maxRowsShown = 6;

interface TextRow {
  readonly start: number;
  readonly end: number;
}

const lineBreak = /\r\n|\r|\n/g;

/**
 * Breaks a text into rows for a field of `width` cells: its lines, broken after a space if they are
 * longer. The last cell of a row is empty, so that the cursor has a place after every character.
 */
export function rowsOf(text: string, width: number): readonly TextRow[] {
  const room = Math.max(1, Math.floor(width) - 1);
  const rows: TextRow[] = [];
  let start = 0;
  for (const { index, 0: sign } of text.matchAll(lineBreak)) {
    breakLine(text.slice(start, index), start, room, rows);
    start = index + sign.length;
  }
  breakLine(text.slice(start), start, room, rows);
  return rows;
}

function breakLine(line: string, offset: number, room: number, rows: TextRow[]): void {
  // ASCII text is not divided into graphemes, because that takes seconds for a pasted log.
  const parts = /^[\x20-\x7e]*$/.test(line) ? null : graphemes(line);
  let start = 0;
  const add = (end: number) => {
    rows.push({ start: offset + start, end: offset + end });
    start = end;
  };
  if (parts === null) {
    while (line.length - start > room) {
      const space = line.lastIndexOf(" ", start + room - 1);
      add(space >= start ? space + 1 : start + room);
    }
  } else {
    let at = 0;
    let used = 0;
    let space = { end: 0, used: 0 };
    for (const { text } of parts) {
      const cells = cellsOf(text);
      while (used + cells > room && at > start) {
        const end = space.end > start ? space.end : at;
        used -= end === at ? used : space.used;
        add(end);
      }
      at += text.length;
      used += cells;
      if (text === " ") space = { end: at, used };
    }
  }
  add(line.length);
}

/** Returns the row and cell of an index. Between two rows of one line, it is on the lower one. */
export function rowAt(
  rows: readonly TextRow[],
  text: string,
  at: number,
): { readonly row: number; readonly column: number } {
  const row = Math.max(
    0,
    rows.findLastIndex(({ start }) => start <= at),
  );
  return { row, column: widthOf(safe(text.slice(rows[row]?.start ?? 0, at))) };
}

export function toColumn(
  row: TextRow,
  next: TextRow | undefined,
  text: string,
  column: number,
): number {
  let at = row.start;
  let used = 0;
  for (const part of graphemes(text.slice(row.start, row.end))) {
    used += cellsOf(part.text);
    // A cursor at the end of a row that continues is shown in the next row.
    if (used > column || (next?.start === row.end && at + part.text.length === row.end)) break;
    at += part.text.length;
  }
  return at;
}
