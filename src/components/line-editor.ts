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
import { useUnseen, useWindow } from "../hooks/window.tsx";
import { editingOn } from "../keys/editing.ts";
import { isPrintable } from "../keys/key-name.ts";
import { safe } from "../text/sanitize.ts";

/** The text of a field that is edited, and its reactions to keys and pastes. */
interface LineEditor {
  readonly line: LineState;
  /** Applies a key by its name. Returns false if the key does not edit the text. */
  readonly press: (key: string) => boolean;
  /**
   * Inserts a paste at the cursor. Returns the number of invisible characters that were left out.
   */
  readonly paste: (text: string) => number;
}

/**
 * Edits a text that the caller stores. Keys apply to the newest text at once, because several keys
 * can arrive before the caller returns the first change. A value that equals a text passed to
 * `onChange` does not move the cursor. Any other value is a change from outside and moves the
 * cursor to its end.
 */
export function useLineEditor(options: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly holds: TextKind;
  /** True if invisible characters stay in the text, so that its validation can report them. */
  readonly keepsUnseen: boolean;
  /** The width in cells at which a multiline text is wrapped. */
  readonly width: number;
}): LineEditor {
  const { value, holds, keepsUnseen, width } = options;
  const { multiline = false } = holds;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const held = useRef(begun(value, multiline));
  held.current = answered(held.current, value, multiline);
  const owner = useRef(options);
  owner.current = options;

  const apply = (action: LineAction): boolean => {
    const before = held.current;
    const line = editLine(before.line, action);
    if (line === before.line) return false;
    const isChanged = line.text !== before.line.text;
    held.current = {
      ...before,
      line,
      handed: isChanged ? [...before.handed, line.text] : before.handed,
    };
    if (isChanged) owner.current.onChange(line.text);
    redraw();
    return line.text !== before.line.text || line.cursor !== before.line.cursor;
  };

  return {
    line: held.current.line,
    press(key) {
      if (isPrintable(key)) {
        const character = key === "space" ? " " : key;
        apply({
          type: "insert",
          text: keepsUnseen ? character : typed(held.current.line, character),
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
      const whole = pastedText(pasted, holds);
      const shown = multiline ? typeableLines(whole) : typeable(whole);
      const { text, removed } = keepsUnseen ? { text: whole, removed: 0 } : shown;
      apply({ type: "insert", text });
      return removed;
    },
  };
}

interface Held {
  readonly line: LineState;
  /** The last value that the owner passed. */
  readonly value: string;
  /** The texts passed to `onChange` that the owner has not returned yet, in order. */
  readonly handed: readonly string[];
}

function begun(value: string, multiline: boolean): Held {
  return { line: lineOf(value, { multiline }), value, handed: [] };
}

/** Returns the state after the owner has passed a value. */
function answered(held: Held, value: string, multiline: boolean): Held {
  if (value === held.line.text) return { ...held, value, handed: [] };
  if (value === held.value) return held;
  const at = held.handed.indexOf(value);
  if (at !== -1) return { ...held, value, handed: held.handed.slice(at + 1) };
  const next = begun(value, multiline);
  return { ...next, line: { ...next.line, killed: held.line.killed } };
}

/**
 * Returns the visible part of a typed character. A combining mark is checked together with the
 * letter before it.
 */
function typed(line: LineState, character: string): string {
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
 * Returns the position of a box on the screen, or null before its layout. It is measured after
 * every frame of its owner, because Ink lays out a frame when it draws it.
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
 * Puts the terminal's cursor on a cell of a box, for input methods and screen magnifiers that
 * follow it. The cursor is hidden if no field uses it, or if the cell is not visible.
 */
export function useTextCursor(
  place: ScreenPlace | null,
  cell: { readonly column: number; readonly row: number },
): void {
  const { setCursorPosition } = useCursor();
  const window = useWindow();
  const unseen = useUnseen();
  const x = (place?.x ?? 0) + cell.column;
  const y = (place?.y ?? 0) + cell.row;
  const isSeen = place !== null && !unseen && x < window.columns && y < window.rows;
  setCursorPosition(isSeen ? { x, y } : undefined);
}

const isShown = (text: string) => safe(text) === text;

/**
 * Returns a text as one line to type, without the characters that a field cannot show, and their
 * number. Line breaks and tabs become spaces. A combining mark stays with its letter: alone it
 * would be invisible, and many scripts need it.
 */
export function typeable(text: string): { readonly text: string; readonly removed: number } {
  const line = text.replace(/\r\n?|\n|\t/g, " ");
  if (isShown(line)) return { text: line, removed: 0 };
  let kept = "";
  let removed = 0;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (isShown(segment)) {
      kept += segment;
      continue;
    }
    let part = "";
    for (const character of segment) {
      if (isShown(part + character)) part += character;
      else removed++;
    }
    kept += part;
  }
  return { text: kept, removed };
}

/** Returns a text to type. Line breaks (`\n`) and tabs stay. */
function typeableLines(text: string): ReturnType<typeof typeable> {
  const parts = text
    .split(/([\n\t])/)
    .map((part) => (/^[\n\t]$/.test(part) ? { text: part, removed: 0 } : typeable(part)));
  return {
    text: parts.map((part) => part.text).join(""),
    removed: parts.reduce((sum, { removed }) => sum + removed, 0),
  };
}
