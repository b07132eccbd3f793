import { type FunctionKeyFlags, functionKeyOf } from "./function-keys.ts";

/** The parts of Ink's key event that name a key. */
export interface KeyEvent extends FunctionKeyFlags {
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
  readonly backspace: boolean;
  readonly delete: boolean;
}

/**
 * One name for one key press, as the table of bindings spells it: `enter`, `shift-tab`, `ctrl-c`,
 * `page-down`, `f1`, `space`, or the character itself. Null for what has no name (for example Alt-x).
 */
export function keyName(input: string, key: KeyEvent): string | null {
  const number = functionKeyOf(key);
  if (number !== null) return `f${number}`;
  if (key.upArrow) return "up";
  if (key.downArrow) return "down";
  if (key.leftArrow) return "left";
  if (key.rightArrow) return "right";
  if (key.pageUp) return "page-up";
  if (key.pageDown) return "page-down";
  if (key.home) return "home";
  if (key.end) return "end";
  if (key.return || input === "\r" || input === "\n") return "enter";
  if (key.escape) return "esc";
  if (key.tab) return key.shift ? "shift-tab" : "tab";
  if (key.backspace) return "backspace";
  if (key.delete) return "delete";
  if (key.meta) return null;
  if (key.ctrl) return input.length === 1 ? `ctrl-${input}` : null;
  if (input === " ") return "space";
  return [...input].length === 1 ? input : null;
}

/** Whether a named key types a character, so that a text field in focus takes it first. */
export function isPrintable(name: string): boolean {
  return name === "space" || [...name].length === 1;
}
