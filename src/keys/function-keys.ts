/**
 * Passes function keys through Ink, which reads function keys but does not report their numbers.
 * Ink receives each as a key of the kitty protocol without text, with the number in the modifier
 * bits. No terminal sends such keys, because the protocol is never enabled.
 */

/**
 * The numbers of function keys by their sequences: xterm and vt, the Linux console, and older
 * codes.
 */
const sequences: Readonly<Record<string, number>> = {
  OP: 1,
  OQ: 2,
  OR: 3,
  OS: 4,
  "[[A": 1,
  "[[B": 2,
  "[[C": 3,
  "[[D": 4,
  "[[E": 5,
  "[11~": 1,
  "[12~": 2,
  "[13~": 3,
  "[14~": 4,
  "[15~": 5,
  "[17~": 6,
  "[18~": 7,
  "[19~": 8,
  "[20~": 9,
  "[21~": 10,
  "[23~": 11,
  "[24~": 12,
};

/**
 * The modifiers of the kitty protocol that encode the number, for its lowest bit first: super, Caps
 * Lock, Num Lock and Shift.
 */
const numberBits = [8, 64, 128, 1];
/** The modifier Hyper, which marks a function key. */
const hyper = 16;
/** The code of a key of the protocol that has no text. */
const textlessKey = 57_376;

/** The flags of Ink's key event that contain the number. */
export interface FunctionKeyFlags {
  readonly hyper?: boolean;
  readonly super?: boolean;
  readonly capsLock?: boolean;
  readonly numLock?: boolean;
  readonly shift: boolean;
}

/**
 * Returns the sequence that Ink receives for a function key of the terminal. Other input is
 * unchanged.
 */
export function toInkSequence(piece: string): string {
  const number = piece.startsWith("\x1b") ? sequences[piece.slice(1)] : undefined;
  if (number === undefined) return piece;
  const modifiers = numberBits.reduce((sum, bit, at) => sum + ((number >> at) & 1) * bit, hyper);
  return `\x1b[${textlessKey};${modifiers + 1}u`;
}

/** Returns the number of a function key that passed through Ink, or null for any other key. */
export function functionKeyOf(key: FunctionKeyFlags): number | null {
  if (key.hyper !== true) return null;
  const flags = [key.super === true, key.capsLock === true, key.numLock === true, key.shift];
  return flags.reduce((sum, flag, at) => sum + (flag ? 1 << at : 0), 0);
}
