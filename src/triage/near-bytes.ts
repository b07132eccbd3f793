/**
 * Excludes numbers that cannot be near a wanted number, after a few bytes. Used for suggestions.
 */
import { isAscii } from "../accounts/columns.ts";
import { normalForm } from "./normal-form.ts";

/** A wanted number, prepared so that most other numbers are excluded after a few bytes. */
export interface WantedBytes {
  readonly bytes: Uint8Array;
  /** The bytes of the number's normal form, or null if they are not all ASCII. */
  readonly form: Uint8Array | null;
}

/** The length of the longest code point in UTF-8, in bytes. */
const longestPoint = 4;

export function wantedBytes(number: string): WantedBytes {
  const form = Buffer.from(normalForm(number));
  return { bytes: Buffer.from(number), form: isAscii(form, 0, form.length) ? form : null };
}

/** Returns false if the number in these bytes of `text` is certainly not near. */
export function mayBeNear(wanted: WantedBytes, text: Uint8Array, from: number, to: number) {
  return mayBeOneEdit(wanted, text, from, to) || mayBeAlike(wanted, text, from, to);
}

/** Returns true if the number can be one edit away: an edit does not change the text around it. */
function mayBeOneEdit({ bytes }: WantedBytes, text: Uint8Array, from: number, to: number): boolean {
  const length = to - from;
  const shorter = Math.min(length, bytes.length);
  const longer = Math.max(length, bytes.length);
  if (longer - shorter > longestPoint) return false;
  let start = 0;
  while (start < shorter && text[from + start] === bytes[start]) start++;
  let end = 0;
  const most = shorter - start;
  while (end < most && text[to - 1 - end] === bytes[bytes.length - 1 - end]) end++;
  return longer - start - end <= longestPoint;
}

/**
 * Returns true if the normal forms can be equal: a normal form lacks only separators and some
 * zeros.
 */
function mayBeAlike({ form }: WantedBytes, text: Uint8Array, from: number, to: number): boolean {
  if (form === null) return true;
  let left = form.length;
  for (let at = to - 1; at >= from; at--) {
    let byte = text[at] as number;
    if (byte >= 0x80) return true;
    if (byte >= 0x41 && byte <= 0x5a) byte += 0x20;
    if (left > 0 && form[left - 1] === byte) left--;
    else if (byte !== 0x30 && !isSeparator(byte)) return false;
  }
  return left === 0;
}

function isSeparator(byte: number): boolean {
  return byte === 0x2d || byte === 0x5f || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
