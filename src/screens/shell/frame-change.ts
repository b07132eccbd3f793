/** Computes the shortest terminal output that changes one frame into the next. */
import { narrow, widthOf } from "../../text/width.ts";

export type Lines = readonly string[];

/**
 * The minimum number of lines that are moved together. To write fewer lines again costs no more.
 */
const minMoved = 3;

/**
 * The maximum number of unchanged cells between two changed cells that are written again, because
 * a cursor movement takes as many bytes.
 */
const maxRewrittenGap = 4;

const eraseRight = "\x1b[K";
const plainStyle = "\x1b[m";

/**
 * Returns the sequences that change the lines on a terminal into the same number of other lines.
 * Only changed cells are written. If `scrolls` is true, lines that moved together are scrolled if
 * that takes fewer bytes. Returns null if a line does not fit into `columns`.
 */
export function changeOf(
  shown: Lines,
  next: Lines,
  { columns, scrolls }: { readonly columns: number; readonly scrolls: boolean },
): string | null {
  const fits = (line: string) => (cellsOf(line)?.chars.length ?? widthOf(line)) <= columns;
  if (!shown.every(fits) || !next.every(fits)) return null;
  const output = rewrite(shown, next);
  const move = scrolls ? moveBetween(shown, next) : null;
  if (move === null) return output;
  const scrolled = scrollSequence(move) + rewrite(moved(shown, move), next);
  return scrolled.length < output.length ? scrolled : output;
}

function rewrite(shown: Lines, next: Lines): string {
  return next.map((line, row) => lineChange(shown[row] ?? "", line, row)).join("");
}

/**
 * Writes the changed cells of a line, or erases the line and writes all cells that are not blank,
 * whichever is shorter. Writes the whole line if its cells cannot be determined.
 */
function lineChange(old: string, line: string, row: number): string {
  if (old === line) return "";
  const before = cellsOf(old);
  const after = cellsOf(line);
  const erased = at(row, 0) + eraseRight;
  if (after === null) return erased + line;
  const whole = erased + cellsChange(noCells, after, row, 0);
  const changed = before === null ? whole : cellsChange(before, after, row);
  return whole.length < changed.length ? whole : changed;
}

/**
 * Writes the changed cells of a row. `from` is the column of the cursor, or -1 if the cursor is in
 * another row.
 */
function cellsChange(before: Cells, after: Cells, row: number, from = -1): string {
  const end = lengthOf(after);
  let output = "";
  let cursor = from;
  let style = "";
  for (let column = 0; column < end; column++) {
    if (isSame(before, after, column)) continue;
    if (cursor === -1) output += at(row, column);
    else if (column - cursor > maxRewrittenGap) {
      output += `${style === "" ? "" : plainStyle}\x1b[${column - cursor}C`;
      style = "";
    } else column = cursor;
    const wanted = after.styles[column] ?? "";
    if (wanted !== style) output += sgr(style, wanted);
    style = wanted;
    output += after.chars[column] ?? "";
    cursor = column + 1;
  }
  if (style !== "") output += plainStyle;
  return lengthOf(before) > end
    ? output + (cursor === end ? "" : at(row, end)) + eraseRight
    : output;
}

/** Returns the number of cells up to and including the last cell that is not blank. */
function lengthOf({ chars, styles }: Cells): number {
  let length = chars.length;
  while (length > 0 && chars[length - 1] === " " && styles[length - 1] === "") length--;
  return length;
}

function isSame(one: Cells, other: Cells, column: number): boolean {
  return (
    (one.chars[column] ?? " ") === (other.chars[column] ?? " ") &&
    (one.styles[column] ?? "") === (other.styles[column] ?? "")
  );
}

const textColor = /^(?:3[0-7]|9[0-7]|38;5;\d+)$/;
const incompleteColor = /(?:^|;)[34]8(?:;\d+)?$/;

/**
 * Returns the sequence that changes one style into another. If only the text color changes, the
 * other codes stay.
 */
function sgr(from: string, to: string): string {
  if (to === "") return plainStyle;
  if (from === "") return `\x1b[${to}m`;
  const [before, after] = [from.split(";"), to.split(";")];
  const differs = before.findIndex((code, at) => code !== after[at]);
  const common = differs === -1 ? before.length : differs;
  const [removed, added] = [before.slice(common).join(";"), after.slice(common).join(";")];
  const isComplete = !incompleteColor.test(before.slice(0, common).join(";"));
  const isReplaced =
    removed === "" || (textColor.test(removed) && (added === "" || textColor.test(added)));
  if (!isComplete || !isReplaced) return `\x1b[0;${to}m`;
  return `\x1b[${added === "" ? "39" : added}m`;
}

/**
 * A move of the content of the rows `top` to `bottom` up by `by` rows, or down if `by` is negative.
 */
interface Move {
  readonly by: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns the most frequent move and its best rows, or null if too few lines moved. */
function moveBetween(shown: Lines, next: Lines): Move | null {
  const rows = new Map<string, number>();
  // A line that is on the screen twice is ignored, because it is unknown which of the two moved.
  for (const [row, line] of shown.entries())
    if (line !== next[row]) rows.set(line, rows.has(line) || line === "" ? -1 : row);
  const counts = new Map<number, { count: number; first: number; last: number }>();
  for (const [row, line] of next.entries()) {
    const from = line === shown[row] ? -1 : (rows.get(line) ?? -1);
    if (from === -1) continue;
    const { count, first } = counts.get(from - row) ?? { count: 0, first: row };
    counts.set(from - row, { count: count + 1, first, last: row });
  }
  const [mostFrequent] = [...counts].sort(([, a], [, b]) => b.count - a.count);
  if (mostFrequent === undefined || mostFrequent[1].count < minMoved) return null;
  const [by, { first, last }] = mostFrequent;
  let move: Move = { by, top: Math.min(first, first + by), bottom: Math.max(last, last + by) };
  const cost = (tried: Move) => rewrite(moved(shown, tried), next).length;
  let currentCost = cost(move);
  for (;;) {
    const longerMoves = [
      { ...move, top: move.top - 1 },
      { ...move, bottom: move.bottom + 1 },
    ].filter(({ top, bottom }) => top >= 0 && bottom < shown.length);
    const better = longerMoves.find((tried) => cost(tried) < currentCost);
    if (better === undefined) return move;
    move = better;
    currentCost = cost(better);
  }
}

function moved(shown: Lines, { by, top, bottom }: Move): Lines {
  const region = shown.slice(top, bottom + 1);
  const blank = new Array<string>(Math.abs(by)).fill("");
  return [
    ...shown.slice(0, top),
    ...(by > 0 ? [...region.slice(by), ...blank] : [...blank, ...region.slice(0, by)]),
    ...shown.slice(bottom + 1),
  ];
}

/**
 * Returns the sequence that deletes or inserts lines within a region. Terminals since the VT102
 * support this sequence.
 */
function scrollSequence({ by, top, bottom }: Move): string {
  return `\x1b[${top + 1};${bottom + 1}r${at(top, 0)}\x1b[${Math.abs(by)}${by > 0 ? "M" : "L"}\x1b[r`;
}

export function at(row: number, column: number): string {
  return column === 0 ? `\x1b[${row + 1}H` : `\x1b[${row + 1};${column + 1}H`;
}

/** The cells of a line, one character each, whichever sequences wrote them. */
interface Cells {
  readonly chars: string;
  /** The style of each cell: the parameters of one SGR sequence, or an empty text for plain. */
  readonly styles: readonly string[];
}

const noCells: Cells = { chars: "", styles: [] };

const parts = /\x1b\[([\d;]*)m|[^\x1b]+|\x1b/g;
const oneCellPerCharacter = new RegExp(`^${narrow}*$`);

const endings: Readonly<Record<string, readonly string[]>> = {
  22: ["1", "2"],
  23: ["3"],
  24: ["4"],
  27: ["7"],
  28: ["8"],
  29: ["9"],
  39: ["foreground"],
  49: ["background"],
};

/**
 * The cells of recent lines. They are cached, because most lines of a frame were also in the
 * previous frame, and each line is compared several times.
 */
const recentCells = new Map<string, Cells | null>();
const maxRecentLines = 400;

/**
 * Returns the cells of a styled line. Returns null if a character might not be exactly one cell
 * wide, or if a sequence or style is unknown.
 */
function cellsOf(line: string): Cells | null {
  let cells = recentCells.get(line);
  if (cells === undefined) {
    cells = parseLine(line);
    if (recentCells.size >= maxRecentLines) recentCells.clear();
    recentCells.set(line, cells);
  }
  return cells;
}

function parseLine(line: string): Cells | null {
  let chars = "";
  const styles: string[] = [];
  const open = new Map<string, string>();
  let style = "";
  for (const [part, code] of line.matchAll(parts)) {
    if (code === undefined) {
      if (!oneCellPerCharacter.test(part)) return null;
      chars += part;
      for (let n = 0; n < part.length; n++) styles.push(style);
    } else {
      if (!apply(code, open)) return null;
      style = [...open.keys()]
        .sort()
        .map((kind) => open.get(kind))
        .join(";");
    }
  }
  return { chars, styles };
}

function apply(code: string, open: Map<string, string>): boolean {
  if (code === "" || code === "0") {
    open.clear();
    return true;
  }
  const ended = endings[code];
  for (const kind of ended ?? []) open.delete(kind);
  const kind = styleKindOf(code);
  if (kind !== null) open.set(kind, code);
  return ended !== undefined || kind !== null;
}

function styleKindOf(code: string): string | null {
  if (/^[1-4789]$/.test(code)) return code;
  if (/^(?:[39][0-7]|38;[\d;]+)$/.test(code)) return "foreground";
  if (/^(?:4[0-7]|10[0-7]|48;[\d;]+)$/.test(code)) return "background";
  return null;
}
