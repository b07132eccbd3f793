/** Returns the names of typed keys, and formats the names for display. */
import { type FunctionKeyFlags, functionKeyOf } from "./function-keys.ts";

/** The parts of Ink's key event that determine the name of a key. */
interface KeyEvent extends FunctionKeyFlags {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly leftArrow: boolean;
  readonly rightArrow: boolean;
  readonly pageUp: boolean;
  readonly pageDown: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly tab: boolean;
  readonly ctrl: boolean;
  readonly meta: boolean;
  /** True in terminals that report Alt with an arrow as another modifier. */
  readonly super?: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
}

/**
 * Returns the name of a key press as in the tables of keys: `enter`, `shift-tab`, `ctrl-c`,
 * `alt-b`, `ctrl-left`, `page-down`, `f1`, `space`, or the character itself. Returns null for a key
 * without a name.
 */
export function keyName(input: string, key: KeyEvent): string | null {
  const number = functionKeyOf(key);
  if (number !== null) return `f${number}`;
  const alt = key.meta || key.super === true;
  const modified = (name: string) => (alt ? `alt-${name}` : key.ctrl ? `ctrl-${name}` : name);
  if (key.upArrow) return key.shift ? "shift-up" : "up";
  if (key.downArrow) return key.shift ? "shift-down" : "down";
  if (key.leftArrow) return modified("left");
  if (key.rightArrow) return modified("right");
  if (key.pageUp) return "page-up";
  if (key.pageDown) return "page-down";
  if (key.home) return "home";
  if (key.end) return "end";
  if (key.return) return modified("enter");
  if (input === "\n") return "ctrl-j";
  if (key.escape) return "esc";
  if (key.tab) return key.shift ? "shift-tab" : "tab";
  if (key.backspace) return alt ? "alt-backspace" : "backspace";
  if (key.delete) return modified("delete");
  const character = input === " " ? "space" : input;
  if (character !== "space" && [...character].length !== 1) return null;
  if (alt) return key.ctrl ? null : `alt-${character.toLowerCase()}`;
  return key.ctrl ? `ctrl-${character}` : character;
}

/** Returns true if a key types a character, so that a focused text field receives it first. */
export function isPrintable(name: string): boolean {
  return name === "space" || [...name].length === 1;
}

/** The display words for parts of a key's name. */
const keyWords: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  delete: "Del",
};

/**
 * Returns a key's name for display: `enter` → `Enter`, `ctrl-left` → `Ctrl-←`, `space` → `Space`.
 */
export function keyLabel(name: string): string {
  if (name.length === 1) return name;
  if (name === "page-up") return "PgUp";
  if (name === "page-down") return "PgDn";
  return name
    .split("-")
    .map((part) => keyWords[part] ?? part.charAt(0).toUpperCase() + part.slice(1))
    .join("-");
}

/**
 * Returns the display name of the first key, followed by Enter and Esc if they are also bound.
 * These two keys work in addition to a user's key.
 */
export function shownKey([first = "", ...others]: readonly string[]): string {
  const fixedKeys = others.filter((key) => key === "enter" || key === "esc");
  return [first, ...fixedKeys].map(keyLabel).join(" ");
}
