import { type Buffer, isAscii, isUtf8 } from "node:buffer";

/**
 * Why a record cannot be read. `cell` is the number of the CSV cell concerned, from 0; null for the
 * record as a whole.
 */
export interface RecordIssue {
  readonly message: string;
  readonly cell: number | null;
}

/** One record of an input. Its bytes are lent: they hold until the next record is taken. */
export interface RawRecord {
  /** On which it begins, from 1. CRLF, LF and CR each end a line, in quotes too. */
  readonly line: number;
  /** Byte order mark and line end included. */
  readonly bytes: Buffer;
  /** Without them. */
  readonly content: Buffer;
  readonly issue: RecordIssue | null;
}

/** A record's text; null where it is not UTF-8. */
export function textOf({ content }: RawRecord): string | null {
  if (isAscii(content)) return content.toString("latin1");
  return isUtf8(content) ? content.toString("utf8") : null;
}

/** The first line of a record that is not UTF-8; a broken character never goes over a line end. */
export function lineNotUtf8({ line, content }: RawRecord): number {
  let at = line;
  let start = 0;
  for (let end = 0; end < content.length; end++) {
    const byte = content[end];
    if (byte !== 0x0a && (byte !== 0x0d || content[end + 1] === 0x0a)) continue;
    if (!isUtf8(content.subarray(start, end))) return at;
    start = end + 1;
    at += 1;
  }
  return at;
}
