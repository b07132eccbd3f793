/**
 * Names the keys of characters and escape sequences: xterm, VT220, rxvt, the Linux console, PuTTY,
 * xterm's modifyOtherKeys and the kitty protocol. A report of the terminal has no key.
 */
import type { Token } from "./sequence-reader.ts";

/** The bits of a modifier, as sent (plus one). Caps Lock (64) and Num Lock (128) change no name. */
const bits = { shift: 1, alt: 2, ctrl: 4, super: 8, hyper: 16, meta: 32, capsLock: 64 } as const;

const controls: Readonly<Record<string, string>> = {
  "\0": "ctrl-space",
  "\b": "backspace",
  "\t": "tab",
  "\r": "enter",
  "\x1b": "esc",
  "\x7f": "backspace",
};

/** Keys by the final byte of `ESC [` and `ESC O`, which can have modifiers before that byte. */
const byFinal: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  S: "f4",
};

/** Keys by the number before `~`, and in rxvt before `$`, `^` and `@`. */
const byNumber: Readonly<Record<string, string>> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

const rxvtModifiers: Readonly<Record<string, number>> = {
  "~": 0,
  $: bits.shift,
  "^": bits.ctrl,
  "@": bits.shift | bits.ctrl,
};

/** Sequences that have no modifiers. `ESC [ 1 ; 1 R` is a cursor position and not F3. */
const exact: Readonly<Record<string, string>> = {
  "[R": "f3",
  OR: "f3",
  "[[A": "f1",
  "[[B": "f2",
  "[[C": "f3",
  "[[D": "f4",
  "[[E": "f5",
  "[[5~": "page-up",
  "[[6~": "page-down",
  "[Z": "shift-tab",
  "[1;2Z": "shift-tab",
  "[a": "shift-up",
  "[b": "shift-down",
  "[c": "right",
  "[d": "left",
  Oa: "ctrl-up",
  Ob: "ctrl-down",
  Oc: "ctrl-right",
  Od: "ctrl-left",
  OM: "enter",
  OX: "=",
  OI: "tab",
};

const keypad = "*+,-./0123456789";

const byCode: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "esc",
  127: "backspace",
  ...Object.fromEntries([..."0123456789./*-+"].map((key, at) => [57_399 + at, key])),
  57414: "enter",
  57415: "=",
  57416: ",",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "page-up",
  57422: "page-down",
  57423: "home",
  57424: "end",
  57426: "delete",
};

/** The codes of the kitty protocol that are no characters. */
const privateCodes = { first: 57_344, last: 63_743 } as const;

/** The event of a key that is repeated. A press is 1, a release 3. */
const repeated = 2;

/** The modifiers with which a key types nothing. */
const held = bits.alt | bits.ctrl | bits.super | bits.hyper | bits.meta;

/** Keys that a terminal without further modes sends in the same way with Ctrl. */
const withoutCtrl: ReadonlySet<string> = new Set(["enter", "tab", "esc", "backspace"]);

/** Matches the keys whose name includes Shift. Other keys act as without Shift. */
const withShift = /^(?:tab|up|down|f\d+)$/;

export function keysOf({ kind, text }: Token): readonly string[] {
  if (kind === "paste") return [];
  if (kind === "character") return listOf(characterKey(text));
  const isAlt = text.startsWith("\x1b\x1b");
  return sequenceKeys(text.slice(isAlt ? 2 : 1), isAlt ? bits.alt : 0);
}

const listOf = (name: string | null): readonly string[] => (name === null ? [] : [name]);

function characterKey(text: string): string | null {
  if (/^[\x80-\x9f\ufffd]$/.test(text)) return null;
  const control = controls[text] ?? (text === " " ? "space" : undefined);
  if (control !== undefined) return control;
  const code = text.charCodeAt(0);
  return code < 32 ? `ctrl-${String.fromCharCode(code + (code <= 26 ? 96 : 64))}` : text;
}

/** Returns the keys of a sequence, without its Esc byte. `alt` is the bit of Alt, or 0. */
function sequenceKeys(sequence: string, alt: number): readonly string[] {
  const isKeypad = /^O[j-y]$/.test(sequence);
  const known = isKeypad ? keypad[sequence.charCodeAt(1) - 0x6a] : exact[sequence];
  if (known !== undefined) return listOf(named(known, alt));
  const match = /^([[O])([\d;:]*)([A-Za-z~$^@])$/.exec(sequence);
  if (match === null) return altKeys(sequence);
  const [, introducer, parameters = "", final = ""] = match;
  const fields = parameters.split(";").map((field) => field.split(":").map(Number));
  const [[number = 0] = [], [sentModifiers = 1, event = 1] = []] = fields;
  if (event > repeated) return [];
  const modifiers = Math.max(0, sentModifiers - 1) | alt;
  const isCsi = introducer === "[";
  if (isCsi && final === "u") return kittyKeys(fields, modifiers);
  if (isCsi && final === "~" && number === 27) {
    return listOf(codeKey(fields[2]?.[0] ?? 0, modifiers));
  }
  const rxvt = isCsi ? rxvtModifiers[final] : undefined;
  if (rxvt !== undefined) return listOf(named(byNumber[number] ?? null, modifiers | rxvt));
  if (fields.length > 1 && number > 1) return [];
  // Older terminals send the modifiers as the only parameter.
  const only = fields.length === 1 && number > 1 ? number - 1 : 0;
  // xterm reports Meta with an arrow by the bit that is Super in the kitty protocol.
  const meta = modifiers & bits.super ? bits.alt : 0;
  return listOf(named(byFinal[final] ?? null, (modifiers & ~bits.super) | meta | only));
}

function altKeys(text: string): readonly string[] {
  if ([...text].length !== 1) return [];
  // An interrupt right after Esc must not be lost.
  if (text === "\x03") return ["ctrl-c"];
  return listOf(named(characterKey(text)?.toLowerCase() ?? null, bits.alt));
}

/** Returns the keys of `CSI code:shifted:base ; modifiers:event ; text u`. */
function kittyKeys(fields: readonly (readonly number[])[], modifiers: number): readonly string[] {
  const [[code = 0, shifted = 0, base = 0] = [], , text = []] = fields;
  if (!(modifiers & held)) {
    const typed = text.flatMap((point) => listOf(printable(point)));
    if (typed.length > 0) return typed;
  }
  if (modifiers & bits.ctrl) {
    // A shortcut on a keyboard of another script is the key at the same place.
    return listOf(codeKey(code > 127 && base > 0 ? base : code, modifiers));
  }
  if (!(modifiers & bits.shift)) return listOf(codeKey(code, modifiers));
  if (shifted > 0) return listOf(codeKey(shifted, modifiers & ~bits.shift));
  // Only the layout of the keyboard determines these characters with Shift.
  return /^[\d\-=[\]\\;',./`]$/.test(printable(code) ?? "") ? [] : listOf(codeKey(code, modifiers));
}

function codeKey(code: number, modifiers: number): string | null {
  const name = byCode[code] ?? printable(code);
  if (name === null || [...name].length > 1) return named(name, modifiers);
  if (!(modifiers & held)) {
    const isUpper = Boolean(modifiers & bits.shift) !== Boolean(modifiers & bits.capsLock);
    return named(isUpper ? capital(name) : name, modifiers);
  }
  const lower = name.toLowerCase();
  const isCtrlAlone = (modifiers & (held | bits.shift)) === bits.ctrl;
  if (!isCtrlAlone || !/^[a-z[\\\]^_@]$/.test(lower)) return named(lower, modifiers);
  // Without the mode this key is a control character, such as Enter for Ctrl-M.
  return characterKey(String.fromCharCode(lower.charCodeAt(0) & 0x1f));
}

function printable(point: number): string | null {
  const isPrivate = point >= privateCodes.first && point <= privateCodes.last;
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  if (point < 32 || point === 127 || point > 0x10_ffff || isPrivate || isSurrogate) return null;
  return characterKey(String.fromCodePoint(point));
}

/** Returns the capital of a letter. A letter whose capital has several characters stays. */
function capital(letter: string): string {
  const upper = letter.toUpperCase();
  return [...upper].length === 1 ? upper : letter;
}

/**
 * Returns the name of a key with modifiers, or null for no key. A combination that is in no table
 * of keys has a name, too, so that it does not act as the key alone.
 */
function named(base: string | null, modifiers: number): string | null {
  if (base === null || modifiers & (bits.super | bits.hyper)) return null;
  const ctrl = modifiers & bits.ctrl && !withoutCtrl.has(base) ? "ctrl-" : "";
  const alt = modifiers & (bits.alt | bits.meta) ? "alt-" : "";
  const hasShift = ctrl === "" ? withShift.test(base) : base.length === 1;
  const shift = modifiers & bits.shift && hasShift ? "shift-" : "";
  return `${ctrl}${alt}${shift}${base}`;
}
