import { type FilterWord, fuzzyPattern, plainPattern } from "./filter-query.ts";

/** How a row's state stands on the screen; "as shown" holds for it too. */
const stateWords = { pending: "pending", imported: "imported" } as const;

/** A word made ready to be looked for a million times. */
export interface Needle {
  readonly word: FilterWord;
  readonly pattern: RegExp;
  /** Both cases of each byte; null when the text is not ASCII, so that no ASCII field holds it. */
  readonly lower: Uint8Array | null;
  readonly upper: Uint8Array | null;
  /** How far to go on when the byte under the needle's last one is this. */
  readonly skip: Uint8Array;
  readonly inPending: boolean;
  readonly inImported: boolean;
  /** Told block by block: no text of the wire can hold it. */
  notOnWire: boolean;
  /** The same for the shown times of the block. */
  notShown: boolean;
  /** Was found in so many rows of the last block that a call for each find is not worth while. */
  frequent: boolean;
}

export function needleOf(word: FilterWord): Needle {
  const pattern = word.fuzzy ? fuzzyPattern(word.text) : plainPattern(word.text);
  // The two characters outside ASCII that fold into it.
  const text = word.text.replaceAll("\u017f", "s").replaceAll("\u212a", "k");
  const ascii = /^[\x00-\x7f]*$/.test(text);
  const lower = ascii ? Buffer.from(text.toLowerCase()) : null;
  const upper = ascii ? Buffer.from(text.toUpperCase()) : null;
  const skip = new Uint8Array(256);
  if (lower && upper) {
    const last = lower.length - 1;
    skip.fill(Math.min(255, lower.length));
    for (let at = Math.max(0, last - 254); at < last; at++) {
      skip[lower[at] as number] = last - at;
      skip[upper[at] as number] = last - at;
    }
  }
  return {
    word,
    pattern,
    lower,
    upper,
    skip,
    inPending: word.column === "any" && pattern.test(stateWords.pending),
    inImported: word.column === "any" && pattern.test(stateWords.imported),
    notOnWire: false,
    notShown: false,
    frequent: false,
  };
}

/** Whether only ASCII bytes occur. */
export function asciiAlphabet(alphabet: Uint8Array): boolean {
  return alphabet.indexOf(1, 0x80) < 0;
}

/** Whether a text of these bytes only could hold the needle. */
export function spellable(needle: Needle, alphabet: Uint8Array): boolean {
  const { lower, upper } = needle;
  if (!lower || !upper) return false;
  for (let at = 0; at < lower.length; at++) {
    if (!alphabet[lower[at] as number] && !alphabet[upper[at] as number]) return false;
  }
  return true;
}

/** The one way in which the needle can be spelled with these bytes; null when there are several. */
export function spelling(needle: Needle, alphabet: Uint8Array): Buffer | null {
  const { lower, upper } = needle;
  if (!lower || !upper) return null;
  const bytes = Buffer.from(lower);
  for (let at = 0; at < lower.length; at++) {
    if (lower[at] === upper[at] || !alphabet[upper[at] as number]) continue;
    if (alphabet[lower[at] as number]) return null;
    bytes[at] = upper[at] as number;
  }
  return bytes;
}

/** Where an ASCII needle stands in ASCII text (fuzzy: where its last character does); -1 if nowhere. */
export function find(needle: Needle, text: Uint8Array, from: number, to: number): number {
  const { lower, upper, skip } = needle;
  if (!lower || !upper) return -1;
  const last = lower.length - 1;
  if (needle.word.fuzzy) {
    let next = 0;
    for (let at = from; at < to; at++) {
      const byte = text[at] as number;
      if (byte !== lower[next] && byte !== upper[next]) continue;
      if (next === last) return at;
      next += 1;
    }
    return -1;
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
      if (at < 0) return end - last;
    }
    end += skip[byte] as number;
  }
  return -1;
}
