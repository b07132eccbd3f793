import { describe, expect, test } from "vitest";
import { functionKeyOf, toInkSequence } from "../../src/keys/function-keys.ts";
import { isPrintable, keyName } from "../../src/keys/key-name.ts";

/** The flags that Ink reads from a key of the kitty protocol. */
function flagsOf(piece: string) {
  const modifiers = Number(/;(\d+)u$/.exec(piece)?.[1] ?? 1) - 1;
  const has = (bit: number) => (modifiers & bit) !== 0;
  return {
    shift: has(1),
    ctrl: has(4),
    meta: has(2) || has(32),
    super: has(8),
    hyper: has(16),
    capsLock: has(64),
    numLock: has(128),
  };
}

const noKey = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageUp: false,
  pageDown: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  tab: false,
  backspace: false,
  delete: false,
};

describe("function keys", () => {
  test.each([
    ["f1", ["\x1bOP", "\x1b[11~", "\x1b[[A"]],
    ["f2", ["\x1bOQ", "\x1b[12~", "\x1b[[B"]],
    ["f3", ["\x1bOR", "\x1b[13~", "\x1b[[C"]],
    ["f4", ["\x1bOS", "\x1b[14~", "\x1b[[D"]],
    ["f5", ["\x1b[15~", "\x1b[[E"]],
    ["f6", ["\x1b[17~"]],
    ["f7", ["\x1b[18~"]],
    ["f8", ["\x1b[19~"]],
    ["f9", ["\x1b[20~"]],
    ["f10", ["\x1b[21~"]],
    ["f11", ["\x1b[23~"]],
    ["f12", ["\x1b[24~"]],
  ])("%s keeps its name through Ink, and is neither text nor Ctrl nor Alt", (name, pieces) => {
    for (const piece of pieces) {
      const flags = flagsOf(toInkSequence(piece));
      expect(keyName("", { ...noKey, ...flags })).toBe(name);
      expect(flags).toMatchObject({ ctrl: false, meta: false });
    }
    expect(isPrintable(name)).toBe(false);
  });

  test("are no other key, and no other key is one", () => {
    for (const piece of ["a", "\x1b", "\x1b[A", "\x1bOA", "\x1b[3~", "\x1b[H", "\x1bb", "OP"]) {
      expect(toInkSequence(piece)).toBe(piece);
    }
    expect(functionKeyOf({ shift: true })).toBeNull();
  });
});
