/**
 * The states of reading a terminal's input, and the effect of each byte in them, as in the parsers of
 * terminals (ECMA-48, with the mouse reports and pastes of xterm).
 */

export type State =
  | "ground"
  | "character"
  | "escape"
  | "csi"
  | "ss3"
  | "string"
  | "terminator"
  | "mouse"
  | "paste";

/**
 * The effect of a byte: the next state, or one of these:
 * - `whole`: the byte completes a token
 * - `abort`: the token is dropped, and the byte is read again
 * - `first`: the first of two Esc bytes is a key, and the byte is read again after the second
 * - `restart`: the token is dropped, but its last Esc begins another, and the byte is read again
 */
type Effect = State | "whole" | "abort" | "first" | "restart";

export const esc = "\x1b";
const bell = "\x07";
export const interrupt = "\x03";
export const pasteStart = "\x1b[200~";

/** The state after Esc and a character: CSI, SS3, and the strings DCS, SOS, OSC, PM and APC. */
export const introducers: Readonly<Record<string, State>> = {
  "[": "csi",
  O: "ss3",
  P: "string",
  X: "string",
  "]": "string",
  "^": "string",
  _: "string",
};

/**
 * The bytes that terminals send after each introducer. After an Esc byte that was delivered as the
 * key, other bytes are characters that someone typed.
 */
export const continuations: Readonly<Record<string, RegExp>> = {
  "[": /[0-?@-~]/,
  O: /[\dA-FHIMP-Ya-dj-y]/,
  P: /[\d!$+>|]/,
  "]": /[\dlL]/,
  _: /G/,
};

/** The number of characters after the mouse reports that have no parameters, by final byte. */
const mouseCharacters: Readonly<Record<string, number>> = { M: 3, t: 2, T: 6 };

export const bare = /^\x1b{1,2}[[OPX\]^_]$/;

const wholeCharacter =
  /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})[\x80-\xbf]$/;

/** Matches a key of rxvt with Shift, such as `ESC [ 3 $`. Elsewhere `$` does not end a sequence. */
const rxvtShift = /^\x1b{1,2}\[\d+\$$/;

/**
 * Returns the state after an 8-bit introducer (C1), or undefined for other bytes. `0x9b`, for
 * example, is `ESC [`.
 */
export function stateAfterC1(byte: string): State | undefined {
  return /[\x80-\x9f]/.test(byte) ? introducers[sevenBit(byte)] : undefined;
}

export const sevenBit = (byte: string) => String.fromCharCode(byte.charCodeAt(0) - 0x40);

export const effects: Readonly<Record<State, (byte: string, begun: string) => Effect>> = {
  ground(byte) {
    if (byte === esc) return "escape";
    return /[\xc2-\xf4]/.test(byte) ? "character" : (stateAfterC1(byte) ?? "whole");
  },
  character(byte, begun) {
    if (!/[\x80-\xbf]/.test(byte)) return "abort";
    if (begun === "\xc2") return stateAfterC1(byte) ?? "whole";
    return wholeCharacter.test(begun + byte) ? "whole" : "character";
  },
  escape(byte, begun) {
    const isSecond = begun !== esc;
    if (byte === esc) return isSecond ? "first" : "escape";
    // rxvt sends Alt with an arrow as a sequence after another Esc byte.
    if (isSecond && byte !== "[" && byte !== "O") return "first";
    return introducers[byte] ?? (/[\xc2-\xf4]/.test(byte) ? "character" : "whole");
  },
  csi(byte, begun) {
    if (bare.test(begun) && byte in mouseCharacters) return "mouse";
    // The Linux console sends function keys as `ESC [ [ A`.
    if (bare.test(begun) && byte === "[") return "csi";
    if (/[ -?]/.test(byte)) return rxvtShift.test(begun + byte) ? "whole" : "csi";
    if (!/[@-~]/.test(byte)) return "abort";
    // The key Esc right before a paste is no part of it.
    return begun + byte === pasteStart || begun + byte === esc + pasteStart ? "paste" : "whole";
  },
  ss3(byte) {
    if (/[\d;]/.test(byte)) return "ss3";
    return /[ -~]/.test(byte) ? "whole" : "abort";
  },
  string(byte, begun) {
    if (byte === bell) return "whole";
    if (byte === esc) return "terminator";
    // In UTF-8 the 8-bit terminator can be a part of a character.
    if (byte === "\x9c" && /[\x00-\x7f\xc2]$/.test(begun)) return "whole";
    // A person whose keys a string without an end would swallow presses Esc or Ctrl-C.
    return byte === interrupt ? "abort" : "string";
  },
  terminator: (byte) => (byte === "\\" ? "whole" : "restart"),
  mouse(byte, begun) {
    // A coordinate that no byte can say can be any control byte, such as Enter.
    if (byte === esc || byte === interrupt) return "abort";
    const [, final = "", sent = ""] = /\[(.)([\s\S]*)$/.exec(begun + byte) ?? [];
    // A coordinate is one byte, or in the mode 1005 a character of UTF-8.
    const characters = sent.match(/[\xc2-\xdf][\x80-\xbf]|[\s\S]/g) ?? [];
    const missing = (mouseCharacters[final] ?? 0) - characters.length;
    if (missing < 0) return "abort";
    return missing > 0 || /^[\xc2-\xdf]$/.test(characters.at(-1) ?? "") ? "mouse" : "whole";
  },
  // The reader looks for the end of a paste itself.
  paste: () => "paste",
};
