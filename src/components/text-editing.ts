/** React hooks for a text field: editing, pasting, and the position of the terminal cursor. */
import { type DOMElement, measureElement, useCursor } from "ink";
import { type RefObject, useLayoutEffect, useReducer, useRef, useState } from "react";
import {
  characterBefore,
  editLine,
  type LineAction,
  type LineState,
  lineOf,
  pastedText,
  type TextKind,
} from "../forms/line-editor.ts";
import { useTooSmall, useWindow } from "../hooks/window.tsx";
import { editingOn } from "../keys/editing.ts";
import { isPrintable } from "../keys/key-name.ts";
import { safe } from "../text/sanitize.ts";

interface LineEditor {
  readonly line: LineState;
  readonly press: (key: string) => boolean;
  /**
   * Inserts a paste at the cursor. Returns the number of invisible characters that were left out.
   */
  readonly paste: (text: string) => number;
}

/**
 * Edits a text that the caller stores. Each key changes the newest text at once, because several
 * keys can arrive before the caller passes the first change back as `value`. A value that was
 * passed to `onChange` before does not move the cursor. Any other value is a change from outside
 * and moves the cursor to the end.
 */
export function useLineEditor(options: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly textKind: TextKind;
  /** True if invisible characters stay in the text, so that its validation can report them. */
  readonly keepsUnseen: boolean;
  readonly width: number;
}): LineEditor {
  const { value, textKind, keepsUnseen, width } = options;
  const { multiline = false } = textKind;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const state = useRef(initialState(value, multiline));
  state.current = withValue(state.current, value, multiline);
  const latestOptions = useRef(options);
  latestOptions.current = options;

  const apply = (action: LineAction): boolean => {
    const before = state.current;
    const line = editLine(before.line, action);
    if (line === before.line) return false;
    const isChanged = line.text !== before.line.text;
    state.current = {
      ...before,
      line,
      pending: isChanged ? [...before.pending, line.text] : before.pending,
    };
    if (isChanged) latestOptions.current.onChange(line.text);
    redraw();
    return line.text !== before.line.text || line.cursor !== before.line.cursor;
  };

  return {
    line: state.current.line,
    press(key) {
      if (isPrintable(key)) {
        const character = key === "space" ? " " : key;
        apply({
          type: "insert",
          text: keepsUnseen ? character : visibleCharacter(state.current.line, character),
        });
        return true;
      }
      const id = editingOn(key, multiline);
      if (id === null) return false;
      // At the first or last row the key is not handled, so that it can leave the field.
      if (id === "row-up" || id === "row-down") return apply({ type: id, width });
      apply({ type: id });
      return true;
    },
    paste(pasted) {
      const cleaned = pastedText(pasted, textKind);
      const shown = multiline ? typeableLines(cleaned) : typeable(cleaned);
      const { text, removed } = keepsUnseen ? { text: cleaned, removed: 0 } : shown;
      apply({ type: "insert", text });
      return removed;
    },
  };
}

interface EditorState {
  readonly line: LineState;
  readonly value: string;
  /** The texts passed to `onChange` that the caller has not passed back yet, in order. */
  readonly pending: readonly string[];
}

function initialState(value: string, multiline: boolean): EditorState {
  return { line: lineOf(value, { multiline }), value, pending: [] };
}

function withValue(state: EditorState, value: string, multiline: boolean): EditorState {
  if (value === state.line.text) return { ...state, value, pending: [] };
  if (value === state.value) return state;
  const index = state.pending.indexOf(value);
  if (index !== -1) return { ...state, value, pending: state.pending.slice(index + 1) };
  const next = initialState(value, multiline);
  return { ...next, line: { ...next.line, killed: state.line.killed } };
}

/**
 * Returns the visible part of a typed character. A combining mark is checked together with the
 * letter before it.
 */
function visibleCharacter(line: LineState, character: string): string {
  const base = characterBefore(line);
  const joined = typeable(base + character).text;
  return joined.startsWith(base) ? joined.slice(base.length) : typeable(character).text;
}

/** The position of a box on the screen, in cells from 0, and its width. */
interface ScreenPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/**
 * Returns the position of a box on the screen, or null before its layout. The box is measured after
 * every render, because Ink lays out a frame only when it draws the frame.
 */
export function useScreenPlace(box: RefObject<DOMElement | null>): ScreenPlace | null {
  const [place, setPlace] = useState<ScreenPlace | null>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    const { x, y, width } = measureElement(box.current);
    setPlace((before) =>
      before?.x === x && before.y === y && before.width === width ? before : { x, y, width },
    );
  });
  return place;
}

/**
 * Moves the terminal's cursor to a cell of a box, for input methods and screen magnifiers that
 * follow the cursor. The cursor is hidden if `place` is null or the cell is not visible.
 */
export function useTextCursor(
  place: ScreenPlace | null,
  cell: { readonly column: number; readonly row: number },
): void {
  const { setCursorPosition } = useCursor();
  const window = useWindow();
  const isHidden = useTooSmall();
  const x = (place?.x ?? 0) + cell.column;
  const y = (place?.y ?? 0) + cell.row;
  const isVisible = place !== null && !isHidden && x < window.columns && y < window.rows;
  setCursorPosition(isVisible ? { x, y } : undefined);
}

const isShown = (text: string) => safe(text) === text;

/**
 * Returns a text as one line without the characters that a field cannot show, and the number of
 * removed characters. Line breaks and tabs become spaces. A combining mark is checked together with
 * its letter, because a mark alone is invisible.
 */
export function typeable(text: string): { readonly text: string; readonly removed: number } {
  const line = text.replace(/\r\n?|\n|\t/g, " ");
  if (isShown(line)) return { text: line, removed: 0 };
  let visible = "";
  let removed = 0;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (isShown(segment)) {
      visible += segment;
      continue;
    }
    let part = "";
    for (const character of segment) {
      if (isShown(part + character)) part += character;
      else removed++;
    }
    visible += part;
  }
  return { text: visible, removed };
}

/** Removes the characters that a field cannot show. Line breaks (`\n`) and tabs stay. */
function typeableLines(text: string): ReturnType<typeof typeable> {
  const parts = text
    .split(/([\n\t])/)
    .map((part) => (/^[\n\t]$/.test(part) ? { text: part, removed: 0 } : typeable(part)));
  return {
    text: parts.map((part) => part.text).join(""),
    removed: parts.reduce((sum, { removed }) => sum + removed, 0),
  };
}
