/** Passes the names of keys through Ink, and formats the names for display. */

/** The code of a key of the kitty protocol that has no meaning for Ink. */
const unnamedKey = 57_376;

/** The modifier Hyper as sent, which marks the name of a key. */
const hyper = 16 + 1;

/**
 * Returns the input from which Ink's parser reads exactly this key: the character, or the name as
 * the text of a key of the kitty protocol. Ink thus decides nothing about a sequence of the
 * terminal, and waits for no continuation.
 */
export function inkInput(name: string): string {
  if (name === "space") return " ";
  if ([...name].length === 1) return name;
  const codes = [...name].map((character) => character.codePointAt(0));
  return `\x1b[${unnamedKey};${hyper};${codes.join(":")}u`;
}

/**
 * Returns the name of a key that passed through Ink, as in the tables of keys: `enter`,
 * `shift-tab`, `ctrl-c`, `alt-b`, `ctrl-left`, `page-down`, `f1`, `space`, or the character itself.
 * Returns null for other input.
 */
export function keyName(input: string, key: { readonly hyper: boolean }): string | null {
  if (key.hyper) return input;
  if (input === " ") return "space";
  return [...input].length === 1 ? input : null;
}

export function isPrintable(name: string): boolean {
  return name === "space" || [...name].length === 1;
}

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
