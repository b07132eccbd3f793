/** Edits the text of a form field: moves the cursor, inserts, deletes, cuts and pastes. */
import { segmentsOf } from "../text/width.ts";
import { rowAt, rowsOf, toColumn } from "./line-view.ts";
import { withoutBlanks } from "./odd-characters.ts";

/**
 * The text of a field while it is edited. `cursor` is an index into `text`, always between two
 * visible characters (graphemes). The value of the field is exactly `text`.
 */
export interface LineState {
  readonly text: string;
  readonly cursor: number;
  readonly multiline: boolean;
  /** The text of the last cut, which {@link LineCommand} `yank` inserts. */
  readonly killed: string;
  /** True if the last action was a cut. The next cut is then added to `killed`. */
  readonly killing: boolean;
  /** The column, in cells, to which moving up and down returns, or null after another action. */
  readonly goal: number | null;
}

export type LineCommand =
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "start"
  | "end"
  | "delete-left"
  | "delete-right"
  | "kill-argument-left"
  | "kill-word-left"
  | "kill-word-right"
  | "kill-to-start"
  | "kill-to-end"
  | "yank"
  | "line-break";

export type LineAction =
  | { readonly type: LineCommand }
  | { readonly type: "insert"; readonly text: string }
  /** `width` is the width of the field in cells. Longer lines are broken into rows. */
  | { readonly type: "row-up" | "row-down"; readonly width: number };

export function lineOf(text: string, options: { readonly multiline?: boolean } = {}): LineState {
  return {
    text,
    cursor: text.length,
    multiline: options.multiline ?? false,
    killed: "",
    killing: false,
    goal: null,
  };
}

/** The kind of text that a field contains. Default: one line of any text. */
export interface TextKind {
  readonly multiline?: boolean;
  /** True for a number, a code or a date. Blanks around such a value are removed. */
  readonly code?: boolean;
}

/**
 * Converts pasted text to text that a field accepts. A field with several lines gets plain line
 * breaks. In a field with one line, a line break or a tab becomes a space. Line breaks at the end
 * are removed.
 */
export function pastedText(pasted: string, { multiline = false, code = false }: TextKind): string {
  const text = pasted.replace(/\r\n?/g, "\n");
  if (multiline) return text;
  return (code ? withoutBlanks(text) : text.replace(/\n+$/, "")).replace(/[\n\t]/g, " ");
}

/** Returns the state after an action, as readline does, or the same state without an effect. */
export function editLine(state: LineState, action: LineAction): LineState {
  const { text, cursor } = state;
  switch (action.type) {
    case "insert":
      return insert(state, action.text);
    case "line-break":
      return state.multiline ? insert(state, "\n") : moved(state, cursor);
    case "yank":
      return insert(state, state.killed);
    case "left":
      return moved(state, before(text, cursor));
    case "right":
      return moved(state, after(text, cursor));
    case "word-left":
      return moved(state, wordStart(text, cursor));
    case "word-right":
      return moved(state, wordEnd(text, cursor));
    case "start":
      return moved(state, startOfLine(state));
    case "end":
      return moved(state, endOfLine(state));
    case "delete-left":
      return deleteRange(state, before(text, cursor), cursor);
    case "delete-right":
      return deleteRange(state, cursor, after(text, cursor));
    case "kill-argument-left":
      return kill(state, argumentStart(text, cursor), cursor);
    case "kill-word-left":
      return kill(state, wordStart(text, cursor), cursor);
    case "kill-word-right":
      return kill(state, cursor, wordEnd(text, cursor));
    case "kill-to-start": {
      const start = startOfLine(state);
      // At the start of a line, the line break before it is cut.
      return kill(state, start === cursor ? before(text, cursor) : start, cursor);
    }
    case "kill-to-end": {
      const end = endOfLine(state);
      return kill(state, cursor, end === cursor ? after(text, cursor) : end);
    }
    case "row-up":
      return toRow(state, -1, action.width);
    case "row-down":
      return toRow(state, 1, action.width);
  }
}

export function characterBefore({ text, cursor }: LineState): string {
  return text.slice(before(text, cursor), cursor);
}

let cachedSegments: {
  readonly text: string;
  readonly segments: ReturnType<typeof segmentsOf>;
} | null = null;

function characterAt(text: string, at: number): { readonly start: number; readonly end: number } {
  // The segments are cached, because a segmenter copies its text.
  if (cachedSegments?.text !== text) cachedSegments = { text, segments: segmentsOf(text) };
  const character = cachedSegments.segments.containing(at);
  return character
    ? { start: character.index, end: character.index + character.segment.length }
    : { start: at, end: at };
}

/** Returns true if the text between the indexes is printable ASCII: one character per code unit. */
function isPlain(text: string, from: number, to: number): boolean {
  return /^[\x20-\x7e]*$/.test(text.slice(Math.max(0, from), to));
}

function before(text: string, at: number): number {
  if (at <= 0) return 0;
  if (isPlain(text, at - 2, at + 1)) return at - 1;
  return characterAt(text, at - 1).start;
}

function after(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (isPlain(text, at - 1, at + 2)) return at + 1;
  return characterAt(text, at).end;
}

/**
 * Returns the index if a character begins there, or the end of the character around the index.
 * Typed text can merge with the text after it into one character.
 */
function boundary(text: string, at: number): number {
  if (at <= 0 || at >= text.length || isPlain(text, at - 1, at + 1)) return at;
  const { start, end } = characterAt(text, at);
  return start === at ? at : end;
}

const isWord = (text: string) => /^[\p{L}\p{N}\p{M}]/u.test(text);
const isBlank = (text: string) => /^\s/u.test(text);

function skipBack(text: string, from: number, matches: (character: string) => boolean): number {
  let at = from;
  while (at > 0 && matches(text.slice(before(text, at), at))) at = before(text, at);
  return at;
}

function skipForward(text: string, from: number, matches: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && matches(text.slice(at, after(text, at)))) at = after(text, at);
  return at;
}

const isNoWord = (text: string) => !isWord(text);

function wordStart(text: string, at: number): number {
  return skipBack(text, skipBack(text, at, isNoWord), isWord);
}

function wordEnd(text: string, at: number): number {
  return skipForward(text, skipForward(text, at, isNoWord), isWord);
}

function argumentStart(text: string, at: number): number {
  return skipBack(text, skipBack(text, at, isBlank), (character) => !isBlank(character));
}

function startOfLine({ text, cursor, multiline }: LineState): number {
  if (!multiline) return 0;
  const line = text.slice(0, cursor);
  return Math.max(line.lastIndexOf("\n"), line.lastIndexOf("\r")) + 1;
}

function endOfLine({ text, cursor, multiline }: LineState): number {
  const length = multiline ? text.slice(cursor).search(/[\r\n]/) : -1;
  return length === -1 ? text.length : cursor + length;
}

function moved(state: LineState, cursor: number): LineState {
  if (cursor === state.cursor && !state.killing && state.goal === null) return state;
  return { ...state, cursor, killing: false, goal: null };
}

function changed(state: LineState, text: string, cursor: number): LineState {
  return { ...state, text, cursor: boundary(text, cursor), killing: false, goal: null };
}

function insert(state: LineState, added: string): LineState {
  const { text, cursor } = state;
  if (added === "") return moved(state, cursor);
  return changed(state, text.slice(0, cursor) + added + text.slice(cursor), cursor + added.length);
}

function deleteRange(state: LineState, from: number, to: number): LineState {
  const { text, cursor } = state;
  return from === to
    ? moved(state, cursor)
    : changed(state, text.slice(0, from) + text.slice(to), from);
}

/** Cuts text and stores the text in `killed`. Consecutive cuts are stored as one text. */
function kill(state: LineState, from: number, to: number): LineState {
  if (from === to) return moved(state, state.cursor);
  const cut = state.text.slice(from, to);
  const earlier = state.killing ? state.killed : "";
  const killed = to === state.cursor ? cut + earlier : earlier + cut;
  return { ...deleteRange(state, from, to), killed, killing: true };
}

function toRow(state: LineState, step: 1 | -1, width: number): LineState {
  const { text, cursor } = state;
  const rows = rowsOf(text, width);
  const here = rowAt(rows, text, cursor);
  const row = rows[here.row + step];
  if (row === undefined) return moved(state, cursor);
  const goal = state.goal ?? here.column;
  return {
    ...state,
    cursor: toColumn(row, rows[here.row + step + 1], text, goal),
    killing: false,
    goal,
  };
}
