/** Keys and reports of terminals, by terminal and mode, from their public documents. */

/** The names of the keys of a sequence. An empty list is a sequence without a key. */
type Row = readonly [sequence: string, keys: readonly string[]];

/** Rows of these sequences with the keys of these names, one for each. */
function keys(names: string, sequences: readonly string[]): readonly Row[] {
  const all = names.split(" ");
  if (all.length !== sequences.length) throw new Error(`not one sequence for each of ${names}`);
  return sequences.map((sequence, at) => [sequence, [all[at] ?? ""]]);
}

const none = (...sequences: readonly string[]): readonly Row[] =>
  sequences.map((sequence) => [sequence, []]);

const csi = (...ends: readonly string[]) => ends.map((end) => `\x1b[${end}`);
const ss3 = (...ends: readonly string[]) => ends.map((end) => `\x1bO${end}`);
const alt = (...ends: readonly string[]) => ends.map((end) => `\x1b${end}`);
const kitty = (...codes: readonly number[]) => codes.map((code) => `\x1b[${code}u`);

/** Sequences of xterm's modifyOtherKeys for characters. */
const other = (modifier: number, text: string) =>
  [...text].map((character) => `\x1b[27;${modifier};${character.codePointAt(0)}~`);

/** Sequences of arrows and similar keys with a modifier. */
const modified = (modifier: number, finals: string) =>
  [...finals].map((final) => `\x1b[1;${modifier}${final}`);

/** Characters, typed without a sequence. */
export const characters: readonly Row[] = [
  ...keys("a A 9 ~ space é 漢 😀 \u0301", [..."aA9~ é漢😀\u0301"]),
  ...keys("enter tab backspace backspace ctrl-space", [..."\r\t\x7f\b\0"]),
  ...keys("ctrl-a ctrl-c ctrl-j ctrl-z", [..."\x01\x03\n\x1a"]),
  ...keys("ctrl-\\ ctrl-] ctrl-^ ctrl-_", [..."\x1c\x1d\x1e\x1f"]),
];

/** Alt with a character: Esc and the character in short succession. */
export const altCharacters: readonly Row[] = [
  ...keys("alt-b alt-b alt-d alt-é alt-漢 alt-space", alt(..."bBdé漢 ")),
  ...keys("alt-backspace alt-enter alt-tab", alt(..."\x7f\r\t")),
];

/** Alt with a key in rxvt: Esc and the sequence of the key in short succession. */
export const altSequences: readonly Row[] = [
  ...keys("alt-up alt-down alt-right alt-left", alt(...csi(..."ABCD"))),
  ...keys("alt-right alt-delete alt-home", alt(...ss3("C"), ...csi("3~", "7~"))),
];

export const sequences: Readonly<Record<string, readonly Row[]>> = {
  "xterm and VT220": [
    ...keys("up down right left home end", csi(..."ABCDHF")),
    ...keys("delete page-up page-down shift-tab", csi("3~", "5~", "6~", "Z")),
    ...keys("f1 f2 f3 f4", ss3(..."PQRS")),
    ...keys("f5 f6 f7 f8", csi("15~", "17~", "18~", "19~")),
    ...keys("f9 f10 f11 f12", csi("20~", "21~", "23~", "24~")),
    // Insert, Begin, Help, Do and further function keys have no name.
    ...none(...csi("2~", "E", "25~", "26~", "28~", "29~", "31~", "34~")),
  ],
  "xterm, application modes": [
    ...keys("up down right left home end", ss3(..."ABCDHF")),
    ...keys("enter tab * + , - . / =", ss3(..."MIjklmnoX")),
    ...keys("0 1 2 3 4 5 6 7 8 9", ss3(..."pqrstuvwxy")),
    // Begin, and the function keys of the Hurd console from F5 on, have no name.
    ...none(...ss3(..."ETUVWY")),
  ],
  "XFree86's xterm, function keys with modifiers": [
    ...keys("shift-f1 shift-f4 ctrl-f1 ctrl-f2", ss3("2P", "2S", "5P", "6Q")),
  ],
  "xterm, keys with modifiers": [
    ...keys("shift-up shift-down right left home end", modified(2, "ABCDHF")),
    ...keys("alt-up alt-down alt-right alt-left", modified(3, "ABCD")),
    ...keys("ctrl-up ctrl-down ctrl-right ctrl-left", modified(5, "ABCD")),
    ...keys("ctrl-home ctrl-end alt-left alt-right", [...modified(5, "HF"), ...modified(9, "DC")]),
    ...keys("ctrl-delete alt-delete ctrl-page-up", csi("3;5~", "3;3~", "5;5~")),
    ...keys("shift-f1 ctrl-f2 shift-f5", csi("1;2P", "1;5Q", "15;2~")),
    // F3 would be the same as a cursor position in the first line.
    ...none(...csi("1;2R", "1;5R")),
  ],
  modifyOtherKeys: [
    ...keys("ctrl-c ctrl-c ctrl-a ctrl-j ctrl-k", other(5, "cCajk")),
    ...keys("tab enter esc backspace ctrl-space", other(5, "im[h ")),
    ...keys("tab enter backspace esc", other(5, "\t\r\x7f\x1b")),
    ...keys("shift-tab enter backspace space A ! É", other(2, "\t\r\x7f A!É")),
    ...keys("alt-b alt-d alt-enter alt-backspace", other(3, "bd\r\x7f")),
    ...keys("alt-b ctrl-shift-c ctrl-alt-c", [
      ...other(4, "B"),
      ...other(6, "C"),
      ...other(7, "c"),
    ]),
    ...none(...csi("27;5;99999999~", "27;2;55555~", "27~", "27;5~", "27;5;3~")),
  ],
  "CSI u": [
    ...keys(
      "ctrl-c tab enter alt-d A É",
      csi("99;5u", "105;5u", "109;5u", "100;3u", "97;2u", "233;2u"),
    ),
    ...keys("esc enter tab backspace space", kitty(27, 13, 9, 127, 32)),
    ...keys("shift-tab alt-enter space backspace", csi("9;2u", "13;3u", "32;2u", "127;2u")),
  ],
  "kitty, characters": [
    ...keys("a a A ß", csi("97u", "97;1:1u", "97:65;2u", "223;2u")),
    ...keys("! ! 7 / 7", csi("49:33;2u", "49;2;33u", "55u", "55:47;2u", "55;129u")),
    ...keys("A a å 漢 A", csi("97;65u", "97;66u", "0;;229u", "0;;28450u", "97:65;2:2;65u")),
    ["\x1b[0;;97:98u", ["a", "b"]],
    // A layout that is not known determines Shift with a digit or a sign.
    ...none(...csi("49;2u", "47;2u")),
  ],
  "kitty, other keys": [
    ...keys("a down delete", csi("97;1:2u", "1;1:2B", "3;1:2~")),
    ...keys("f1 f3 f5 f2", csi("1;129P", "13;1:1~", "15;1:1~", "1;1:2Q")),
    ...keys("ctrl-c ctrl-c alt-b enter", csi("1089::99;5u", "99;133u", "98;3:2u", "13;1;13u")),
    ...keys("left right up down page-up", kitty(57417, 57418, 57419, 57420, 57421)),
    ...keys("page-down home end delete enter", kitty(57422, 57423, 57424, 57426, 57414)),
    ...keys("0 1 8 9 . / * -", kitty(57399, 57400, 57407, 57408, 57409, 57410, 57411, 57412)),
    ...keys("+ = ,", kitty(57413, 57415, 57416)),
    // Insert, Caps Lock, F13, media keys and modifiers, and keys with Super and Hyper.
    ...none(
      ...kitty(57425, 57358, 57376, 57427, 57428, 57441),
      ...csi("57442;5:1u", "99;9u", "100;17u"),
    ),
    // What is no code of a character.
    ...none(...kitty(55296, 1114112, 0, 3), ...csi("3;5u", "?0u", "?31u", "u")),
  ],
  "kitty, released keys": none(
    ...csi("97;1:3u", "115;1:3u", "99;5:3u", "13;1:3u", "27;1:3u", "32;1:3;32u", "57441;1:3u"),
    ...csi("1;1:3A", "1;1:3B", "1;1:3H", "3;1:3~", "5;1:3~", "1;1:3P", "15;1:3~"),
  ),
  rxvt: [
    ...keys("home end delete page-up", csi("7~", "8~", "3~", "5~")),
    ...keys("shift-up shift-down right left", csi(..."abcd")),
    ...keys("ctrl-up ctrl-down ctrl-right ctrl-left", ss3(..."abcd")),
    ...keys("delete ctrl-delete page-up ctrl-page-down", csi("3$", "3^", "5$", "6^")),
    ...keys("f1 f2 f3 f4 f5", csi("11~", "12~", "13~", "14~", "15~")),
    ...keys("ctrl-f1 shift-f11", csi("11^", "23$")),
    ...none(...csi("2$", "2^", "2@", "33~", "34$")),
  ],
  "Linux console, PuTTY and older terminals": [
    ...keys("f1 f2 f3 f4 f5", csi("[A", "[B", "[C", "[D", "[E")),
    ...keys("home end page-up page-down", csi("1~", "4~", "[5~", "[6~")),
    ...keys("f1 f2 f3 f4", csi(..."PQRS")),
    ...keys("ctrl-left ctrl-right", csi("5D", "5C")),
    ...none(...csi("G", "224z", "[Z")),
  ],
  mouse: [
    ...none("\x1b[M   ", "\x1b[M s*", "\x1b[M#!!", "\x1b[M`qq", "\x1b[Mq\x7f\x7f", "\x1b[M\0\0\0"),
    // A coordinate beyond the last that a byte can say, which some terminals cut to a control byte.
    ...none("\x1b[M \x10\x05", "\x1b[M \r\n", "\x1b[M \x07\x01"),
    ...none("\x1b[tqq", "\x1b[Tqqqqqq", "\x1b[M \u00c0s", "\x1b[M s\u0100", "\x1b[M \u0100\u0101"),
    ...none(
      ...csi("<0;83;10M", "<0;83;10m", "<64;1;1M", "<35;200;70M", "32;83;10M", "0;1;2;3;1&w"),
    ),
  ],
  reports: [
    // Focus and attributes.
    ...none(...csi("I", "O", "?62;22c", "?1;2c", "?6c", ">41;370;0c", ">0;276;0c", "=00000000c")),
    // Positions, status, themes, modes and sizes.
    ...none(
      ...csi("1;1R", "24;80R", "?12;40R", "?12;40;1R", "0n", "3n", "?11n", "?13n", "?997;1n"),
    ),
    ...none(...csi("?2026;2$y", "?2004;1$y", "4;2$y", "20;0$y", "8;24;80t", "4;600;800t", "1t")),
    ...none(
      ...csi("3;0;0t", "48;24;80;384;640t", "2;1;1;112;112;1;0x", "?1;0;256S", "1 q", ">4;2m"),
    ),
  ],
  strings: [
    ...["\x07", "\x1b\\"].flatMap((end) =>
      none(
        `\x1b]11;rgb:1e1e/1e1e/1e1e${end}`,
        `\x1b]10;rgb:ffff/ffff/ffff${end}`,
        `\x1b]4;1;rgb:cdcd/0000/0000${end}`,
        `\x1b]52;c;${"cXFxc2Vu".repeat(40)}${end}`,
        `\x1b]52;c;${end}`,
        `\x1b]l“quit” ÜÜ${end}`,
        `\x1b]Lq${end}`,
        `\x1b]99;i=1:p=close;q${end}`,
      ),
    ),
    ...none("\x1bP>|xterm(370)\x1b\\", "\x1bP>|Konsole 23.08.1\x1b\\", "\x1bP1$r2 q\x1b\\"),
    ...none("\x1bP0$r\x1b\\", "\x1bP1$r0;38:2::1:2:3m\x1b\\", "\x1bP1+r544e=787465726d\x1b\\"),
    ...none("\x1bP0+r\x1b\\", "\x1bP!|7E565445\x1b\\", "\x1b_Gi=31;OK\x1b\\"),
    ...none("\x1b_Gi=31;ENOENT:No such file q\x1b\\"),
  ],
  "8-bit controls, in UTF-8": [
    ...keys("up f1 home", ["\x9bA", "\x8fP", "\x9b1~"]),
    ...none(
      "\x9b?62;22c",
      "\x9d11;rgb:0/0/0\x9c",
      "\x9d11;rgb:0/0/0\x07",
      "\x90>|q\x9c",
      "\x9fGq\x9c",
    ),
    ...none("\x85", "\x9b115;1:3u"),
  ],
};

/** Bytes that are no UTF-8, and their keys: 8-bit controls, and mouse reports of a wide screen. */
export const rawBytes: readonly (readonly [bytes: readonly number[], keys: readonly string[]])[] = [
  [[0x9b, 0x41], ["up"]],
  [[0x8f, 0x50], ["f1"]],
  [[0x9b, 0x3f, 0x36, 0x63], []],
  [[0x9d, 0x31, 0x31, 0x3b, 0x71, 0x9c], []],
  [[0x1b, 0x5b, 0x4d, 0x20, 0xe4, 0x85], []],
  [[0x1b, 0x5b, 0x4d, 0x20, 0x9b, 0xff], []],
  [[0x1b, 0x5b, 0x4d, 0x20, 0x71, 0xc4], []],
  // A letter in Latin-1 is no character.
  [[0xe9], []],
  [[0xff], []],
];
