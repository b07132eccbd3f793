import type { IUnicodeVersionProvider } from "@xterm/headless";
import stringWidth from "string-width";

const zeroWidthJoiner = 0x200d;
const emojiPresentation = 0xfe0f;

/** What the character before can still be joined with; kept by the terminal between characters. */
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
  return /\p{Extended_Pictographic}/u.test(String.fromCodePoint(code));
}

/** The terminal's packing of one character: kind, width in cells, whether it joins the one before. */
function pack(kind: number, width: number, joins: boolean): number {
  return (kind << 3) | (width << 1) | (joins ? 1 : 0);
}

function widthOf(code: number): 0 | 1 | 2 {
  if (isRegionalIndicator(code)) return 1;
  const width = stringWidth(String.fromCodePoint(code));
  return width >= 2 ? 2 : width === 1 ? 1 : 0;
}

function kindOf(code: number): number {
  if (isRegionalIndicator(code)) return halfFlag;
  return isPictograph(code) ? pictograph : plain;
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
    return pack(kindOf(code), width, false);
  },
};
