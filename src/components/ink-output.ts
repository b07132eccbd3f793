/**
 * The output of Ink: the texts of a frame, written into rows of cells. The build and the tests load it
 * in place of `build/output.js` of Ink, with the same result. Most lines of a frame are in the next
 * one, too, so the work on a line, and whole rows, are stored for the next frame
 * (docs/development/decisions.md).
 */
import {
  type StyledChar,
  styledCharsFromTokens,
  styledCharsToString,
  tokenize,
} from "@alcalzone/ansi-tokenize";
import stringWidth from "string-width";

/** The cells in which texts are visible. The ends are exclusive. An absent bound does not limit. */
interface Clip {
  readonly x1: number | undefined;
  readonly x2: number | undefined;
  readonly y1: number | undefined;
  readonly y2: number | undefined;
}

type Transformer = (line: string, index: number) => string;

interface Write {
  readonly kind: "write";
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly transformers: readonly Transformer[];
}

type Operation =
  | Write
  | { readonly kind: "clip"; readonly clip: Clip }
  | { readonly kind: "unclip" };

/** A line of text, and the column of a row in which it begins. */
interface Piece {
  readonly x: number;
  readonly line: string;
}

/** Maximum number of stored texts and widths, and of lines as cells, which need more memory. */
const maxTexts = 8000;
const maxCellLines = 400;

/** A cell without a text. A row is filled with this one, because cells are replaced, not changed. */
const blank: StyledChar = { type: "char", value: " ", fullWidth: false, styles: [] };

const isInvisible = /^\p{Default_Ignorable_Code_Point}+$/u;

/** The work on lines of text that is stored between frames. */
class LineStore {
  readonly #cells = new Map<string, readonly StyledChar[]>();
  readonly #widths = new Map<string, number>();
  readonly #lines = new Map<string, readonly string[]>();
  readonly #slices = new Map<string, string>();

  /** Empties what has become too large. Call it before a frame. */
  limit(): void {
    if (this.#lines.size + this.#slices.size + this.#widths.size > maxTexts)
      for (const map of [this.#lines, this.#slices, this.#widths, this.#cells]) map.clear();
    if (this.#cells.size > maxCellLines) this.#cells.clear();
  }

  /** Returns the cells of a text, without invisible characters. */
  cellsOf(text: string): readonly StyledChar[] {
    return stored(this.#cells, text, () =>
      styledCharsFromTokens(tokenize(text)).filter(({ value }) => !isInvisible.test(value)),
    );
  }

  widthOf(text: string): number {
    return stored(this.#widths, text, () => stringWidth(text));
  }

  linesOf(text: string): readonly string[] {
    return stored(this.#lines, text, () => {
      const lines: StyledChar[][] = [[]];
      for (const cell of this.cellsOf(text))
        if (cell.value === "\n") lines.push([]);
        else lines.at(-1)?.push(cell);
      return lines.map((line) => styledCharsToString(line));
    });
  }

  /** Returns the columns of a line from `from` to `to`. Half a wide character becomes a blank. */
  sliceOf(line: string, from: number, to: number): string {
    return stored(this.#slices, `${from} ${to}\0${line}`, () => {
      const visible: StyledChar[] = [];
      let start = 0;
      for (const cell of this.cellsOf(line)) {
        const width = this.widthOf(cell.value);
        const end = start + width;
        if (start >= to) break;
        const isCut = width > 1 && (start < from || end > to);
        if (end > from) visible.push(isCut ? blankOf(cell) : cell);
        start = end;
      }
      return from >= to ? "" : styledCharsToString(visible);
    });
  }

  widestOf(text: string): number {
    return text.split("\n").reduce((widest, line) => Math.max(widest, this.widthOf(line)), 0);
  }
}

function stored<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function blankOf(cell: StyledChar): StyledChar {
  return { ...cell, value: " ", fullWidth: false };
}

const store = new LineStore();

/** The rows of the frame before, by their width and pieces. */
let rowsBefore: ReadonlyMap<string, string> = new Map();

/** Collects the texts of one frame, and draws them. Ink creates one for each frame. */
export default class Output {
  readonly width: number;
  readonly height: number;
  readonly #operations: Operation[] = [];

  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    this.width = width;
    this.height = height;
    store.limit();
  }

  write(
    x: number,
    y: number,
    text: string,
    { transformers }: { readonly transformers: readonly Transformer[] },
  ): void {
    if (text !== "") this.#operations.push({ kind: "write", x, y, text, transformers });
  }

  clip(clip: Clip): void {
    this.#operations.push({ kind: "clip", clip });
  }

  unclip(): void {
    this.#operations.push({ kind: "unclip" });
  }

  /** Draws the frame. Its lines have no blanks at their ends. */
  get(): { readonly output: string; readonly height: number } {
    const rows: Piece[][] = Array.from({ length: this.height }, () => []);
    const clips: Clip[] = [];
    for (const operation of this.#operations)
      switch (operation.kind) {
        case "clip":
          clips.push(intersection(clips.at(-1), operation.clip));
          break;
        case "unclip":
          clips.pop();
          break;
        case "write":
          place(rows, operation, clips.at(-1));
      }
    return { output: this.#textsOf(rows).join("\n"), height: rows.length };
  }

  /** Returns the text of each row. A row with the pieces of a row before is not drawn again. */
  #textsOf(rows: readonly (readonly Piece[])[]): readonly string[] {
    const drawn = new Map<string, string>();
    const texts = rows.map((pieces) => {
      const parts = pieces.map(({ x, line }) => ` ${x} ${line.length} ${line}`);
      const key = `${this.width}${parts.join("")}`;
      const text = rowsBefore.get(key) ?? drawn.get(key) ?? rowText(pieces, this.width);
      drawn.set(key, text);
      return text;
    });
    rowsBefore = drawn;
    return texts;
  }
}

/** Returns the cells that two clips both show. */
function intersection(outer: Clip | undefined, inner: Clip): Clip {
  if (outer === undefined) return inner;
  return {
    x1: tighter(outer.x1, inner.x1, Math.max),
    x2: tighter(outer.x2, inner.x2, Math.min),
    y1: tighter(outer.y1, inner.y1, Math.max),
    y2: tighter(outer.y2, inner.y2, Math.min),
  };
}

function tighter(
  one: number | undefined,
  other: number | undefined,
  choose: (one: number, other: number) => number,
): number | undefined {
  return one === undefined ? other : other === undefined ? one : choose(one, other);
}

function place(rows: readonly Piece[][], write: Write, clip: Clip | undefined): void {
  const { text, transformers } = write;
  let { x, y } = write;
  let lines = store.linesOf(text);
  const across = boundsOf(clip?.x1, clip?.x2);
  const down = boundsOf(clip?.y1, clip?.y2);
  if (across?.isEmpty === true || down?.isEmpty === true) return;
  if (across !== null && (x + store.widestOf(text) < across.from || x > across.to)) return;
  if (down !== null && (y + lines.length < down.from || y > down.to)) return;
  if (across !== null) {
    const begin = Math.max(0, across.from - x);
    lines = lines.map((line) =>
      store.sliceOf(line, begin, Math.min(store.widthOf(line), across.to - x)),
    );
    x = Math.max(x, across.from);
  }
  if (down !== null) {
    lines = lines.slice(Math.max(0, down.from - y), Math.min(lines.length, down.to - y));
    y = Math.max(y, down.from);
  }
  for (const [index, line] of lines.entries()) {
    const transformed = transformers.reduce(
      (before, transform) => transform(before, index + y - write.y),
      line,
    );
    rows[y + index]?.push({ x, line: transformed });
  }
}

/** Returns the bounds of an axis, or null if one of them is absent. */
function boundsOf(from: number | undefined, to: number | undefined) {
  if (from === undefined || to === undefined) return null;
  return { from, to, isEmpty: from >= to };
}

/** Draws a row from its pieces. A later piece covers an earlier one. */
function rowText(pieces: readonly Piece[], width: number): string {
  const row: StyledChar[] = new Array<StyledChar>(width).fill(blank);
  for (const { x, line } of pieces) draw(row, x, store.cellsOf(line));
  const end = row.findLastIndex((cell) => cell !== blank) + 1;
  const cells = row.slice(0, end).filter((cell) => cell !== undefined);
  return styledCharsToString(cells).trimEnd();
}

/**
 * Puts cells into a row. A wide character is a cell and an empty cell after it. If only one of them
 * is covered, the other becomes a blank with its styles.
 */
function draw(row: StyledChar[], x: number, cells: readonly StyledChar[]): void {
  if (cells.length === 0) return;
  const before = row[x - 1];
  if (x > 0 && row[x]?.value === "" && before !== undefined && store.widthOf(before.value) > 1)
    row[x - 1] = blankOf(before);
  let at = x;
  for (const cell of cells) {
    row[at] = cell;
    const width = Math.max(1, store.widthOf(cell.value));
    // A leading cell outside the row leaves a visible blank.
    const rest = { ...blank, value: at < 0 ? " " : "", styles: cell.styles };
    for (let offset = 1; offset < width; offset++) row[at + offset] = rest;
    at += width;
  }
  const after = row[at];
  if (after?.value === "") row[at] = blankOf(after);
}
