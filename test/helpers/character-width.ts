import type { IUnicodeVersionProvider } from "@xterm/headless";
import stringWidth from "string-width";

const zeroWidthJoiner = 0x200d;
const emojiPresentation = 0xfe0f;

/** The character before, as far as others can join it. The terminal stores it between characters. */
const plain = 0;
const pictograph = 1;
const joined = 2;
const halfFlag = 3;

function isRegionalIndicator(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff;
}

function isPictograph(code: number): boolean {
  return traitsOf(code).isPictograph;
}

/** The terminal's packing of one character: kind, width in cells, whether it joins the one before. */
function pack(kind: number, width: number, joins: boolean): number {
  return (kind << 3) | (width << 1) | (joins ? 1 : 0);
}

function widthOf(code: number): 0 | 1 | 2 {
  return traitsOf(code).width;
}

interface Traits {
  readonly width: 0 | 1 | 2;
  readonly isPictograph: boolean;
  readonly kind: number;
}

/** Found once for each character: a screen is drawn thousands of times, with few different ones. */
const known = new Map<number, Traits>();

function traitsOf(code: number): Traits {
  const found = known.get(code);
  if (found !== undefined) return found;
  const character = String.fromCodePoint(code);
  const isHalfFlag = isRegionalIndicator(code);
  const isPictograph = /\p{Extended_Pictographic}/u.test(character);
  const cells = isHalfFlag ? 1 : stringWidth(character);
  const traits: Traits = {
    width: cells >= 2 ? 2 : cells === 1 ? 1 : 0,
    isPictograph,
    kind: isHalfFlag ? halfFlag : isPictograph ? pictograph : plain,
  };
  known.set(code, traits);
  return traits;
}

/**
 * Character widths as today's terminals have them. The emulator comes with Unicode 6, where an
 * emoji takes one cell; layout is made for two, so that a screen would look shifted when it is not.
 */
export const characterWidths: IUnicodeVersionProvider = {
  version: "today",
  wcwidth: widthOf,
  charProperties(code, preceding) {
    const widthBefore = (preceding >> 1) & 3;
    const kindBefore = preceding >> 3;
    if (widthBefore > 0) {
      if (code === zeroWidthJoiner) {
        return pack(kindBefore === pictograph ? joined : plain, widthBefore, true);
      }
      if (kindBefore === joined && isPictograph(code)) return pack(pictograph, 2, true);
      if (kindBefore === pictograph) {
        if (code === emojiPresentation) return pack(pictograph, 2, true);
        if (isSkinTone(code)) return pack(pictograph, 2, true);
      }
      if (kindBefore === halfFlag && isRegionalIndicator(code)) return pack(plain, 2, true);
    }
    const width = widthOf(code);
    if (width === 0 && widthBefore > 0) return pack(kindBefore, widthBefore, true);
    return pack(traitsOf(code).kind, width, false);
  },
};
