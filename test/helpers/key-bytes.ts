const named = {
  enter: "\r",
  esc: "\x1b",
  tab: "\t",
  "shift-tab": "\x1b[Z",
  space: " ",
  backspace: "\x7f",
  delete: "\x1b[3~",
  "page-up": "\x1b[5~",
  "page-down": "\x1b[6~",
  f1: "\x1bOP",
  f2: "\x1bOQ",
  f3: "\x1bOR",
  f4: "\x1bOS",
  f5: "\x1b[15~",
  "shift-up": "\x1b[1;2A",
  "shift-down": "\x1b[1;2B",
  f6: "\x1b[17~",
  f7: "\x1b[18~",
  f8: "\x1b[19~",
  f9: "\x1b[20~",
  f10: "\x1b[21~",
} as const;

/** Keys whose bytes depend on the terminal's cursor key mode. */
const cursorKeys = { up: "A", down: "B", right: "C", left: "D", home: "H", end: "F" } as const;

/** A key by the name the key table gives it, or a single character. */
export type KeyName =
  | keyof typeof named
  | keyof typeof cursorKeys
  | `ctrl-${string}`
  | `alt-${string}`
  | (string & {});

/**
 * Returns the bytes of a terminal for a key. `applicationCursor` is the terminal's mode of that name, which
 * changes the arrows, Home and End. Throws for a name that is no key.
 */
export function keyBytes(key: KeyName, applicationCursor = false): string {
  if (Object.hasOwn(named, key)) return named[key as keyof typeof named];
  if (Object.hasOwn(cursorKeys, key)) {
    const final = cursorKeys[key as keyof typeof cursorKeys];
    return applicationCursor ? `\x1bO${final}` : `\x1b[${final}`;
  }
  const control = /^ctrl-([a-z\\\]^_@])$/.exec(key)?.[1];
  if (control) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
  const alt = /^alt-(.)$/u.exec(key)?.[1];
  if (alt) return `\x1b${alt}`;
  if ([...key].length === 1) return key;
  throw new Error(`no key is called “${key}”; text goes through send()`);
}

/**
 * The bytes of several keys pressed in a row. Throws when something follows Esc: sent in one piece
 * no program can distinguish that from Alt, so wait for what Esc does before the next key.
 */
export function keysBytes(keys: readonly KeyName[], applicationCursor = false): string {
  const early = keys.indexOf("esc");
  if (early !== -1 && early !== keys.length - 1) {
    throw new Error(
      `Esc and then “${keys[early + 1]}” in one go reads as Alt; wait for what Esc does first`,
    );
  }
  return keys.map((key) => keyBytes(key, applicationCursor)).join("");
}

/** Returns the bytes of a terminal for pasted text: line ends become Enter, in brackets if they are on. */
export function pasteBytes(text: string, bracketed: boolean): string {
  const content = text.replace(/\r?\n/g, "\r");
  return bracketed ? `\x1b[200~${content}\x1b[201~` : content;
}
