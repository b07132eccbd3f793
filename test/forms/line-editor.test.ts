import {
  editLine,
  type LineAction,
  type LineCommand,
  type LineState,
  lineOf,
  pastedText,
} from "../../src/forms/line-editor.ts";
import { type EditingId, editingIds, editingOf, editingOn } from "../../src/keys/editing.ts";
import { isPrintable } from "../../src/keys/key-name.ts";
import * as fc from "../helpers/fast-check.ts";

const width = 20;

/** Applies a key to a text, through the table of editing keys. */
function pressed(state: LineState, key: string): LineState {
  if (isPrintable(key))
    return editLine(state, { type: "insert", text: key === "space" ? " " : key });
  const id = editingOn(key, state.multiline);
  return id === null ? state : editLine(state, actionOf(id));
}

function actionOf(id: EditingId): LineAction {
  return id === "row-up" || id === "row-down" ? { type: id, width } : { type: id };
}

/** A state written as its text, with `|` where the cursor stands. */
function state(drawn: string, options: { readonly multiline?: boolean } = {}): LineState {
  return { ...lineOf(drawn.replace("|", ""), options), cursor: drawn.indexOf("|") };
}

function drawn({ text, cursor }: LineState): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function after(before: string, keys: string, options: { readonly multiline?: boolean } = {}) {
  return drawn(keys.split(" ").reduce(pressed, state(before, options)));
}

describe("in a field of one line", () => {
  test.each([
    // Characters.
    ["ab|c", "x", "abx|c"],
    ["ab|c", "space", "ab |c"],
    ["ab|c", "left", "a|bc"],
    ["ab|c", "ctrl-b", "a|bc"],
    ["|abc", "left", "|abc"],
    ["ab|c", "right", "abc|"],
    ["ab|c", "ctrl-f", "abc|"],
    ["abc|", "right", "abc|"],
    ["ab|c", "backspace", "a|c"],
    ["ab|c", "ctrl-h", "a|c"],
    ["|abc", "backspace", "|abc"],
    ["a|bc", "delete", "a|c"],
    ["a|bc", "ctrl-d", "a|c"],
    ["abc|", "delete", "abc|"],
    // The line.
    ["one t|wo", "home", "|one two"],
    ["one t|wo", "ctrl-a", "|one two"],
    ["one t|wo", "end", "one two|"],
    ["one t|wo", "ctrl-e", "one two|"],
    ["one t|wo", "ctrl-u", "|wo"],
    ["one t|wo", "ctrl-k", "one t|"],
    // Words are letters and digits.
    ["one two-three|", "alt-b", "one two-|three"],
    ["one two-three|", "ctrl-left", "one two-|three"],
    ["one two-three|", "alt-left", "one two-|three"],
    ["one two-three|", "alt-b alt-b", "one |two-three"],
    ["|one  two", "alt-f", "one|  two"],
    ["|one  two", "ctrl-right ctrl-right", "one  two|"],
    ["one|  two", "alt-right", "one  two|"],
    ["pay 12.50|", "alt-backspace", "pay 12.|"],
    ["pay 12.50|", "ctrl-w", "pay |"],
    ["pay 12.50  |", "ctrl-w", "pay |"],
    ["|", "ctrl-w", "|"],
    ["one| two three", "alt-d", "one| three"],
    ["one| two three", "ctrl-delete", "one| three"],
    // What was cut comes back; cuts that follow each other are one.
    ["one two|", "ctrl-u ctrl-y ctrl-y", "one twoone two|"],
    ["one two three|", "ctrl-w ctrl-w ctrl-y", "one two three|"],
    ["one two three|", "ctrl-w left ctrl-w ctrl-y", "one two| "],
    ["one t|wo", "ctrl-u ctrl-k ctrl-y", "one two|"],
    ["one t|wo", "ctrl-k ctrl-u ctrl-y", "one two|"],
    ["one t|wo", "ctrl-k x ctrl-u ctrl-y", "one tx|"],
    ["abc|", "ctrl-y", "abc|"],
    // A character is what people count as one.
    ["Zoe\u0308|", "backspace", "Zo|"],
    ["हिन्दी|", "left", "हि|न्दी"],
    ["ที่อยู่|", "ctrl-b ctrl-b", "ที่|อยู่"],
    ["a👩🏽‍🚀b|", "left left", "a|👩🏽‍🚀b"],
    ["🇩🇪🇫🇷|", "backspace", "🇩🇪|"],
    ["|e\u0301a", "delete", "|a"],
    ["über Öl|", "alt-b", "über |Öl"],
    // What breaks lines elsewhere, and what is bound nowhere, leaves the text alone.
    ["a|b", "alt-enter", "a|b"],
    ["a|b", "ctrl-j", "a|b"],
    ["a|b", "up", "a|b"],
    ["a|b", "ctrl-p", "a|b"],
    ["a|b", "ctrl-n", "a|b"],
    ["a|b", "ctrl-t", "a|b"],
    ["a|b", "ctrl-_", "a|b"],
    ["a|b", "alt-x", "a|b"],
    ["a|b", "page-up", "a|b"],
  ])("%s and %s give %s", (before, keys, expected) => {
    expect(after(before, keys)).toBe(expected);
  });
});

describe("in a field of several lines", () => {
  test.each([
    ["one|two", "ctrl-j", "one\n|two"],
    ["one|two", "alt-enter", "one\n|two"],
    ["one\nt|wo", "home", "one\n|two"],
    ["o|ne\ntwo", "end", "one|\ntwo"],
    ["one\nt|wo", "ctrl-u", "one\n|wo"],
    ["o|ne\ntwo", "ctrl-k", "o|\ntwo"],
    ["one\n|two", "ctrl-u", "one|two"],
    ["one|\ntwo", "ctrl-k", "one|two"],
    ["one|\r\ntwo", "ctrl-k", "one|two"],
    ["one\r\n|two", "ctrl-u", "one|two"],
    ["o|ne\ntwo", "ctrl-k ctrl-k ctrl-y", "one\n|two"],
    ["one\nt|wo", "ctrl-u ctrl-u ctrl-y", "one\nt|wo"],
    ["|one", "ctrl-u", "|one"],
    ["one|", "ctrl-k", "one|"],
    ["one\n|two", "backspace", "one|two"],
    ["one|\r\ntwo", "delete", "one|two"],
    ["one\ntw|o", "up", "on|e\ntwo"],
    ["on|e\ntwo", "down", "one\ntw|o"],
    ["one\n\nthr|ee", "up", "one\n|\nthree"],
    ["one\n\nthr|ee", "up up", "one|\n\nthree"],
    ["one\n\nthr|ee", "up left up", "one|\n\nthree"],
    ["one, and another lin|e", "up", "one|, and another line"],
    ["one, and anot|her line", "down", "one, and another line|"],
    // On the first row and on the last one there is nowhere to go in the field.
    ["o|ne\ntwo", "up", "o|ne\ntwo"],
    ["one\nt|wo", "down", "one\nt|wo"],
    // A wide character counts two cells.
    ["漢字漢字\nabcd|", "up", "漢字|漢字\nabcd"],
  ])("%j and %s give %j", (before, keys, expected) => {
    expect(after(before, keys, { multiline: true })).toBe(expected);
  });
});

/** Letters, marks, wide characters, flags, joined emoji, blanks, line breaks. */
const someText = fc
  .array(
    fc.constantFrom(
      ..."abcZ09 -_./",
      "é",
      "e\u0301",
      "\u0301",
      "漢",
      "हिन्दी",
      "ที่",
      "👩🏽‍🚀",
      "🇩🇪",
      "🇫",
      "\u200d",
      "\n",
      "\r\n",
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

const commands: readonly LineCommand[] = editingIds.filter(
  (id) => id !== "row-up" && id !== "row-down",
);

const anAction: fc.Arbitrary<LineAction> = fc.oneof(
  fc.constantFrom<LineAction>(...commands.map((type) => ({ type }))),
  fc.record({
    type: fc.constantFrom("row-up" as const, "row-down" as const),
    width: fc.integer({ min: 1, max: 40 }),
  }),
  someText.map((text) => ({ type: "insert" as const, text })),
);

const aState = fc
  .record({ text: someText, multiline: fc.boolean(), moves: fc.array(anAction, { maxLength: 5 }) })
  .map(({ text, multiline, moves }) => moves.reduce(editLine, lineOf(text, { multiline })));

/** The indices between the characters of a text. */
function boundaries(text: string): readonly number[] {
  return [...new Intl.Segmenter().segment(text)].map(({ index }) => index).concat(text.length);
}

describe("whatever is pressed, whatever the text", () => {
  test("the cursor never stands within a character", () => {
    fc.assert(
      fc.property(aState, fc.array(anAction, { maxLength: 20 }), (start, actions) => {
        const end = actions.reduce(editLine, start);
        expect(boundaries(end.text)).toContain(end.cursor);
      }),
    );
  });

  test("a deletion takes whole characters out of the text and changes nothing else", () => {
    const deletions = commands.filter((id) => /^(delete|kill)/.test(id));
    fc.assert(
      fc.property(aState, fc.constantFrom(...deletions), (before, type) => {
        const end = editLine(before, { type });
        const gone = before.text.length - end.text.length;
        const from = Math.min(
          before.cursor,
          /left|start/.test(type) ? before.cursor - gone : before.cursor,
        );
        expect(end.text).toBe(before.text.slice(0, from) + before.text.slice(from + gone));
        expect(boundaries(before.text)).toEqual(expect.arrayContaining([from, from + gone]));
      }),
    );
  });

  test("pasting cut text restores it at the cursor", () => {
    const kills = commands.filter((id) => id.startsWith("kill"));
    fc.assert(
      fc.property(aState, fc.array(fc.constantFrom(...kills), { minLength: 1 }), (state, types) => {
        const before = editLine(state, { type: "insert", text: "x" });
        let cut = before;
        for (const type of types) {
          const next = editLine(cut, { type });
          // As in readline, a cut that finds nothing ends what belongs together.
          if (next.text === cut.text) break;
          cut = next;
        }
        if (cut === before) return;
        expect(editLine(cut, { type: "yank" }).text).toBe(before.text);
      }),
    );
  });

  test("moving never changes the text", () => {
    const moves = ["left", "right", "word-left", "word-right", "start", "end"] as const;
    fc.assert(
      fc.property(aState, fc.array(fc.constantFrom(...moves)), (state, types) => {
        const end = types.reduce((line, type) => editLine(line, { type }), state);
        expect(end.text).toBe(state.text);
      }),
    );
  });

  test("what is inserted stands before the cursor, and nothing else has changed", () => {
    fc.assert(
      fc.property(aState, fc.string({ unit: "grapheme-ascii" }), (state, text) => {
        const end = editLine(state, { type: "insert", text });
        const { cursor } = state;
        expect(end.text).toBe(state.text.slice(0, cursor) + text + state.text.slice(cursor));
        expect(end.cursor).toBeGreaterThanOrEqual(cursor + text.length);
      }),
    );
  });

  test("a key that the table does not have leaves everything as it is", () => {
    const known = new Set(editingIds.flatMap((id) => editingOf(id).keys));
    const aKey = fc
      .tuple(fc.constantFrom("ctrl-", "alt-", "f", "shift-"), fc.string({ minLength: 1 }))
      .map(([modifier, key]) => modifier + key)
      .filter((key) => !known.has(key));
    fc.assert(
      fc.property(aState, aKey, (state, key) => {
        expect(pressed(state, key)).toBe(state);
      }),
    );
  });

  test("100 kB are edited as a short text is", () => {
    const long = "Grüße, ".repeat(15_000);
    const start = lineOf(long, { multiline: true });
    const end = (["word-left", "left", "kill-word-right", "yank", "end"] as const).reduce(
      (line, type) => editLine(line, { type }),
      start,
    );
    expect(end.text).toBe(long);
    expect(end.cursor).toBe(long.length);
  });
});

describe("a paste", () => {
  const lines = "  one\r\n\ttwo  \rthree\n\n";
  test.each([
    ["several lines", { multiline: true }, lines, "  one\n\ttwo  \nthree\n\n"],
    ["several lines", { multiline: true }, "big ", "big "],
    ["several lines", { multiline: true }, "\n  line 2\n", "\n  line 2\n"],
    ["one line", {}, lines, "  one  two   three"],
    ["one line", {}, " big ", " big "],
    ["one line", {}, "EXT-1 \r\n", "EXT-1 "],
    ["a number or a code", { code: true }, lines, "one  two   three"],
    ["a number or a code", { code: true }, "\t 12.50 \n", "12.50"],
    ["a number or a code", { code: true }, "\u200b12\u00a0", "\u200b12\u00a0"],
  ])("into a field of %s, %j: %j is %j", (_field, holds, pasted, expected) => {
    expect(pastedText(pasted, holds)).toBe(expected);
  });

  test("changes nothing but its line breaks in a field of several lines", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const pasted = pastedText(text, { multiline: true });
        expect(pasted.split("\n")).toEqual(text.split(/\r\n|\r|\n/));
      }),
    );
  });
});

test("every editing key belongs to one command, and every command has a key and a sentence", () => {
  const keys = editingIds.flatMap((id) => editingOf(id).keys);
  expect(new Set(keys).size).toBe(keys.length);
  for (const id of editingIds) {
    expect(editingOf(id).keys.length).toBeGreaterThan(0);
    expect(editingOf(id).help).toMatch(/^[A-Z].*[^.]$/);
  }
});
