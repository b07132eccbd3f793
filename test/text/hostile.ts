import * as fc from "../helpers/fast-check.ts";

/** One text of every class that a terminal must not get as it is, by what it tries. */
export const HOSTILE: Readonly<Record<string, string>> = {
  "color escape": "a\u001b[31mred\u001b[0m",
  "cursor and clear": "\u001b[2J\u001b[H\u001b[1;1Howned",
  "title by OSC": "\u001b]0;title\u0007rest",
  "hyperlink by OSC 8": "\u001b]8;;http://evil.example/\u001b\\click\u001b]8;;\u001b\\",
  "clipboard by OSC 52": "\u001b]52;c;ZXZpbA==\u0007",
  DCS: "\u001bP1$r0m\u001b\\after",
  APC: "\u001b_Gpayload\u001b\\after",
  PM: "\u001b^secret\u001b\\after",
  SOS: "\u001bXstring\u001b\\after",
  "C1 CSI": "a\u009b31mred",
  "C1 OSC and ST": "a\u009d0;title\u009crest",
  "C1 DCS, SOS, PM, APC": "\u0090a\u0098b\u009ec\u009fd\u0085e",
  "every C0 and DEL": `${Array.from({ length: 32 }, (_, at) => String.fromCharCode(at)).join("x")}\u007f`,
  "carriage return over the start": "EXT-1\rEXT-2",
  "line breaks": "one\ntwo\r\nthree",
  tabs: "a\tb",
  "right-to-left override": "EXT-\u202e21\u202c",
  "bidi isolates and marks": "\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c",
  "zero width": "E\u200bX\u200cT\u200d-\u20601\ufeff",
  "soft hyphen and fillers": "a\u00adb\u115f\u1160\u3164\uffa0\u034f",
  "tag characters": "ok\u{e0001}\u{e0068}\u{e0069}\u{e007f}",
  "variation selectors as data": "ok\ufe0f\ufe01\u{e0100}\u{e0101}\u{e01ef}",
  separators: "a\u2028b\u2029c",
  "lone surrogates": "a\ud800b\udc00c",
  noncharacters: "a\ufffeb\uffffc\u{1ffff}",
  "interlinear annotation": "a\ufff9b\ufffac\ufffb",
  "piled-up marks": `Z${"\u0301\u0300".repeat(20)}o`,
  "mark without a base": "\u0301abc",
};

/** The characters that no output for a terminal contains. Each test decides about line breaks and tabs. */
export const FORBIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e00ff}\p{Cs}]/u;

const LEGIBLE = [
  "EXT-1",
  "Zoë",
  "日本語",
  "e\u0301",
  "한글",
  "❤️",
  "1️⃣",
  "👩‍🚀",
  "👋🏽",
  "🇨🇭",
  "a b",
  "ｶﾞ",
];

/** Random mixes of hostile texts, ordinary words of many scripts and arbitrary code units. */
export const mixes: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.values(HOSTILE)),
      fc.constantFrom(...LEGIBLE),
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));
