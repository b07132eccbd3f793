/** Detects the layout of an input from its first bytes: CSV with its separator, or JSON lines. */
import { extname } from "node:path";

/**
 * The layout of an input, by which its bytes are cut into records. `begin` is the index of the
 * first byte after a byte order mark, and `separator` is a byte.
 */
export type Layout =
  | { readonly kind: "csv"; readonly separator: number; readonly begin: number }
  | { readonly kind: "jsonl"; readonly begin: number }
  | { readonly kind: "unreadable"; readonly message: string };

/** The format from the command line. `detect` decides by the first bytes. */
export type InputFormat = "csv" | "jsonl" | "detect";

/** Returns the format of a file by its extension, or `detect` for an unknown extension. */
export function formatOf(path: string): InputFormat {
  switch (extname(path).toLowerCase()) {
    case ".csv":
    case ".tsv":
      return "csv";
    case ".jsonl":
    case ".ndjson":
      return "jsonl";
    default:
      return "detect";
  }
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const quote = 0x22;
const lineEnds = [0x0a, 0x0d];
const blanks = [0x20, 0x09, ...lineEnds];
const [brace, bracket] = [0x7b, 0x5b];
/** The bytes of comma, semicolon and tab. The first wins if two are equally frequent. */
const separators = [0x2c, 0x3b, 0x09];

/**
 * Returns the layout of an input, or null if more bytes are needed. `isAll` is true if `bytes` is
 * the whole input. The separator is the most frequent one in the first line, outside quotes.
 */
export function layoutOf(bytes: Uint8Array, format: InputFormat, isAll: boolean): Layout | null {
  if (bytes.length < byteOrderMark.length && !isAll) return null;
  const other = otherFormatOf(bytes);
  if (other !== null) {
    return { kind: "unreadable", message: `This is ${other.name}. ${other.remedy}.` };
  }
  const begin = byteOrderMarkLength(bytes);
  if (format === "jsonl") return { kind: "jsonl", begin };
  const first = bytes.findIndex((byte, at) => at >= begin && !blanks.includes(byte));
  if (first < 0 && !isAll) return null;
  if (format === "detect" && (bytes[first] === brace || bytes[first] === bracket)) {
    return { kind: "jsonl", begin };
  }
  const separator = separatorOf(bytes, Math.max(first, begin), isAll);
  return separator === null ? null : { kind: "csv", separator, begin };
}

/** Returns the number of bytes of the byte order mark at the start of an input, or 0. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return byteOrderMark.every((byte, at) => bytes[at] === byte) ? byteOrderMark.length : 0;
}

/** Returns true for a line that sets the separator for Excel, such as `sep=;`. */
export function isSeparatorHint(line: string): boolean {
  return /^\s*"?sep=.?"?\s*$/i.test(line);
}

const utf16 = { name: "UTF-16 text", remedy: "Save the file as UTF-8" };
const workbook = {
  name: "no text, but a workbook such as .xlsx, or an archive",
  remedy: "Save its sheet as CSV in UTF-8",
};

/** The formats that are not read, by the bytes that their files begin with. */
const otherFormats: readonly (typeof utf16 & { readonly first: readonly number[] })[] = [
  { first: [0xff, 0xfe], ...utf16 },
  { first: [0xfe, 0xff], ...utf16 },
  { first: [0x50, 0x4b, 0x03, 0x04], ...workbook },
  { first: [0xd0, 0xcf, 0x11, 0xe0], ...workbook },
];

/** Returns the format of a file that is not read, and what to do about it, or null for others. */
export function otherFormatOf(bytes: Uint8Array): typeof utf16 | null {
  return otherFormats.find(({ first }) => first.every((byte, at) => bytes[at] === byte)) ?? null;
}

function separatorOf(bytes: Uint8Array, begin: number, isAll: boolean): number | null {
  const counts = separators.map(() => 0);
  let isQuoted = false;
  for (let at = begin; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (lineEnds.includes(byte)) return mostFrequent(counts);
    const index = separators.indexOf(byte);
    if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
  }
  return isAll ? mostFrequent(counts) : null;
}

function mostFrequent(counts: readonly number[]): number {
  return separators[counts.indexOf(Math.max(...counts))] ?? 0x2c;
}
