/** Prepares a text word of a filter for a fast search in many rows. */
import { isAscii, utf8 } from "./columns.ts";
import { fuzzyPattern, plainPattern, type TextWord } from "./filter-query.ts";

const stateWords = { pending: "pending", imported: "imported", gone: "gone" } as const;

/** A text word that is prepared for a million searches. */
export interface Needle {
  readonly word: TextWord;
  /** The pattern of the word. It is correct for every text, but slow. */
  readonly pattern: RegExp;
  readonly inPending: boolean;
  readonly inImported: boolean;
  readonly inGone: boolean;
  /** The word as bytes, or null if it is not ASCII. No ASCII text contains such a word. */
  readonly bytes: NeedleBytes | null;
}

/** An ASCII word as bytes. */
export interface NeedleBytes {
  readonly lower: Uint8Array;
  readonly upper: Uint8Array;
  readonly fuzzy: boolean;
  /** The number of bytes to advance, by the text byte at the last position of the needle. */
  readonly skip: Uint8Array;
  /** True if the word has a letter that also matches a character outside ASCII (K, long s). */
  readonly foldsBeyondAscii: boolean;
}

export function needleOf(word: TextWord): Needle {
  const pattern = word.fuzzy ? fuzzyPattern(word.text) : plainPattern(word.text);
  // The long s and the Kelvin sign are outside ASCII, but match ASCII letters if case is ignored.
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

export function contains(needle: Needle, text: Uint8Array, from: number, to: number): boolean {
  return isAscii(text, from, to)
    ? needle.bytes !== null && containsBytes(needle.bytes, text, from, to)
    : needle.pattern.test(utf8.decode(text.subarray(from, to)));
}

/** Returns true if these bytes of ASCII text contain the needle. */
export function containsBytes(
  needle: NeedleBytes,
  text: Uint8Array,
  from: number,
  to: number,
): boolean {
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
      let position = end - 1;
      for (; at >= 0; at--, position--) {
        const other = text[position] as number;
        if (other !== lower[at] && other !== upper[at]) break;
      }
      if (at < 0) return true;
    }
    end += skip[byte] as number;
  }
  return false;
}
