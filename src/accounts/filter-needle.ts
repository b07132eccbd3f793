import { fuzzyPattern, plainPattern, type TextWord } from "./filter-query.ts";

/** How a row's state stands on the screen; "as shown" holds for it too. */
const stateWords = { pending: "pending", imported: "imported", gone: "gone" } as const;

/** A word made ready to be looked for a million times. */
export interface Needle {
  readonly word: TextWord;
  /** Right for every text, and slow. */
  readonly pattern: RegExp;
  readonly inPending: boolean;
  readonly inImported: boolean;
  readonly inGone: boolean;
  /** How to find it in bytes; null when it is not ASCII, so that no ASCII text holds it. */
  readonly bytes: NeedleBytes | null;
}

/** An ASCII word as bytes. */
export interface NeedleBytes {
  /** Both cases of each byte. */
  readonly lower: Uint8Array;
  readonly upper: Uint8Array;
  readonly fuzzy: boolean;
  /** How far to go on when the byte under the needle's last one is this. */
  readonly skip: Uint8Array;
  /** Holds a letter that is also another way to write a character outside ASCII (K, long s). */
  readonly foldsBeyondAscii: boolean;
}

export function needleOf(word: TextWord): Needle {
  const pattern = word.fuzzy ? fuzzyPattern(word.text) : plainPattern(word.text);
  // The two characters outside ASCII that fold into it.
  const text = word.text.replaceAll("\u017f", "s").replaceAll("\u212a", "k");
  return {
    word,
    pattern,
    inPending: word.column === "any" && pattern.test(stateWords.pending),
    inImported: word.column === "any" && pattern.test(stateWords.imported),
    inGone: word.column === "any" && pattern.test(stateWords.gone),
    bytes: /^[\x00-\x7f]*$/.test(text) ? needleBytes(text, word.fuzzy) : null,
  };
}

function needleBytes(text: string, fuzzy: boolean): NeedleBytes {
  const lower = Buffer.from(text.toLowerCase());
  const upper = Buffer.from(text.toUpperCase());
  const last = lower.length - 1;
  const skip = new Uint8Array(256).fill(Math.min(255, lower.length));
  for (let at = Math.max(0, last - 254); at < last; at++) {
    skip[lower[at] as number] = last - at;
    skip[upper[at] as number] = last - at;
  }
  return { lower, upper, fuzzy, skip, foldsBeyondAscii: /[ks]/i.test(text) };
}

/** Whether the needle stands in these bytes of text. */
export function standsIn(needle: NeedleBytes, text: Uint8Array, from: number, to: number): boolean {
  const { lower, upper, skip } = needle;
  const last = lower.length - 1;
  if (needle.fuzzy) {
    let next = 0;
    for (let at = from; at < to; at++) {
      const byte = text[at] as number;
      if (byte !== lower[next] && byte !== upper[next]) continue;
      if (next === last) return true;
      next += 1;
    }
    return false;
  }
  const lastLower = lower[last] as number;
  const lastUpper = upper[last] as number;
  let end = from + last;
  while (end < to) {
    const byte = text[end] as number;
    if (byte === lastLower || byte === lastUpper) {
      let at = last - 1;
      let place = end - 1;
      for (; at >= 0; at--, place--) {
        const other = text[place] as number;
        if (other !== lower[at] && other !== upper[at]) break;
      }
      if (at < 0) return true;
    }
    end += skip[byte] as number;
  }
  return false;
}
