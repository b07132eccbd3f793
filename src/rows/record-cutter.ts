/** Cuts the bytes of an input into records: CSV rows or lines. */
import { Buffer } from "node:buffer";
import { type InputFormat, type Layout, layoutOf } from "./layout.ts";
import { QUOTE, type RawRecord } from "./record-text.ts";

/** The maximum length of a record in bytes. */
export const maxRecordBytes = 1024 * 1024;

/** The bytes of line feed and carriage return. */
const [LF, CR] = [0x0a, 0x0d];

/** The part of a record that contains the next byte. */
type Reading =
  | "cell-start"
  /** In a cell without quotes, or in a line of an input without cells. */
  | "plain"
  /** Inside quotes. */
  | "quoted"
  /** After a quote inside quotes. It ends the cell, or another quote follows. */
  | "closed"
  /** The record has an issue. It continues to the end of the line. */
  | "faulty"
  /** The record is too long. It continues to the end of the line, and its bytes are discarded. */
  | "too-long";

/**
 * Cuts bytes that arrive in chunks into CSV records (RFC 4180) or lines. At most the incomplete
 * record and one chunk are in memory. The result does not depend on the size of the chunks. After
 * an issue, cutting continues with the next line.
 */
export class RecordCutter {
  readonly #format: InputFormat;
  readonly #separator: number | null;
  #layout: Layout | null = null;
  #buffer = Buffer.alloc(0);
  #end = 0;
  #isAll = false;

  #start = 0;
  #contentStart = 0;
  #at = 0;
  #line = 1;
  #recordLine = 1;
  #reading: Reading = "cell-start";
  #cell = 0;
  readonly #cellEnds: number[] = [];
  #quoteAt = 0;
  #quoteLine = 1;
  #issue: RawRecord["issue"] = null;

  /** Without a `separator`, the cutter detects it in the first line. */
  constructor(format: InputFormat, separator?: string) {
    this.#format = format;
    this.#separator = separator?.charCodeAt(0) ?? null;
  }

  /** The layout, or null if more bytes are needed. It is known before the first record. */
  get layout(): Layout | null {
    return this.#layout;
  }

  /** Adds the next bytes of the input. */
  append(chunk: Uint8Array): void {
    const unread = this.#end - this.#start;
    if (this.#end + chunk.length > this.#buffer.length) {
      const needed = unread + chunk.length;
      const target =
        needed > this.#buffer.length ? Buffer.alloc(needed + (needed >> 1)) : this.#buffer;
      this.#buffer.copy(target, 0, this.#start, this.#end);
      this.#moveBack(this.#start);
      this.#buffer = target;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Marks the input as complete. */
  finish(): void {
    this.#isAll = true;
  }

  /** Cuts a whole input. Yields the records of one chunk after another. */
  async *cut(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<RawRecord>, void, void> {
    for await (const chunk of bytes) {
      this.append(chunk);
      yield this.records();
    }
    this.finish();
    yield this.records();
  }

  /** Yields the records that are complete. */
  *records(): Generator<RawRecord, void, void> {
    for (let record = this.take(); record !== null; record = this.take()) yield record;
  }

  /** Returns the next record, or null if it needs more bytes or no record is left. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the bytes, without calls
  take(): RawRecord | null {
    if (this.#layout === null && !this.#detectLayout()) return null;
    const { separator, quote } = this.#separatorAndQuote();
    const buffer = this.#buffer;
    for (;;) {
      const bound = Math.min(this.#end, this.#start + maxRecordBytes);
      if (this.#at >= bound) {
        if (this.#at < this.#end) {
          const record = this.#overlong();
          if (record !== null) return record;
          continue;
        }
        return this.#isAll ? this.#lastRecord() : null;
      }
      const byte = buffer[this.#at];
      if (byte === LF || byte === CR) {
        if (byte === CR && this.#at + 1 === this.#end && !this.#isAll) return null;
        const contentEnd = this.#at;
        this.#at += this.#lineEndAt(this.#at);
        this.#line += 1;
        if (this.#reading === "quoted") continue;
        const record = this.#endRecord(contentEnd);
        if (record !== null) return record;
        continue;
      }
      switch (this.#reading) {
        case "cell-start":
          if (byte === quote) {
            this.#reading = "quoted";
            this.#quoteAt = this.#at;
            this.#quoteLine = this.#line;
          } else if (byte === separator) this.#endCell(this.#at);
          else this.#reading = "plain";
          this.#at += 1;
          break;
        case "plain":
          this.#plain(bound, separator, quote);
          break;
        case "quoted":
          this.#quoted(bound);
          break;
        case "closed":
          this.#at += 1;
          if (byte === quote) this.#reading = "quoted";
          else if (byte === separator) this.#endCell(this.#at - 1);
          else this.#markFaulty(this.#textAfterQuoteMessage());
          break;
        default:
          this.#toLineEnd(bound);
      }
    }
  }

  /** Detects the layout. Returns false if more bytes are needed. */
  #detectLayout(): boolean {
    const available = this.#buffer.subarray(0, this.#end);
    this.#layout = layoutOf(available, this.#format, this.#isAll || this.#end > maxRecordBytes);
    if (this.#layout === null) return false;
    if (this.#layout.kind !== "unreadable") this.#at = this.#layout.begin;
    this.#contentStart = this.#at;
    this.#reading = this.#startOfRecord();
    return true;
  }

  /** Returns both bytes, or -1 for an input without cells. */
  #separatorAndQuote(): { readonly separator: number; readonly quote: number } {
    const layout = this.#layout;
    if (layout?.kind !== "csv") return { separator: -1, quote: -1 };
    return { separator: this.#separator ?? layout.separator, quote: QUOTE };
  }

  /**
   * Returns the length in bytes of the line end at `at`. Bytes after `#end` are from an earlier
   * chunk.
   */
  #lineEndAt(at: number): number {
    const isPair = this.#buffer[at] === CR && at + 1 < this.#end && this.#buffer[at + 1] === LF;
    return isPair ? 2 : 1;
  }

  #startOfRecord(): Reading {
    return this.#layout?.kind === "csv" ? "cell-start" : "plain";
  }

  #endCell(separatorAt: number): void {
    this.#reading = "cell-start";
    this.#cellEnds[this.#cell] = separatorAt - this.#contentStart;
    this.#cell += 1;
  }

  /** Reads to the end of a cell without quotes. */
  #plain(bound: number, separator: number, quote: number): void {
    const buffer = this.#buffer;
    let at = this.#at;
    for (; at < bound; at++) {
      const byte = buffer[at];
      if (byte === separator || byte === quote || byte === LF || byte === CR) break;
    }
    this.#at = at;
    if (at >= bound || buffer[at] === LF || buffer[at] === CR) return;
    this.#at += 1;
    if (buffer[at] === separator) this.#endCell(at);
    else
      this.#markFaulty(
        "A quote is inside a cell that does not begin with one. Put the whole cell in quotes and double the quotes in it.",
      );
  }

  /** Reads to the next quote or line end inside quotes. */
  #quoted(bound: number): void {
    const buffer = this.#buffer;
    let at = this.#at;
    for (; at < bound; at++) {
      const byte = buffer[at];
      if (byte === QUOTE || byte === LF || byte === CR) break;
    }
    this.#at = at;
    if (at >= bound || buffer[at] !== QUOTE) return;
    this.#at += 1;
    this.#reading = "closed";
  }

  /** Skips the rest of a line. */
  #toLineEnd(bound: number): void {
    const buffer = this.#buffer;
    let at = this.#at;
    while (at < bound && buffer[at] !== LF && buffer[at] !== CR) at++;
    this.#at = at;
    if (this.#reading === "too-long") this.#start = this.#contentStart = at;
  }

  #textAfterQuoteMessage(): string {
    const place =
      this.#line !== this.#quoteLine
        ? `on line ${this.#line} that closes the one of line ${this.#quoteLine}`
        : "that closes the cell";
    return `There is text after the quote ${place}. Is a quote missing? Double a quote in text.`;
  }

  #markFaulty(message: string): void {
    this.#reading = "faulty";
    this.#issue = { message, cell: this.#cell };
  }

  /** Returns the record that ends here, or null for an empty line. */
  #endRecord(contentEnd: number): RawRecord | null {
    const isEmpty = contentEnd === this.#contentStart && this.#reading !== "too-long";
    const record: RawRecord = {
      line: this.#recordLine,
      bytes: this.#buffer.subarray(this.#start, this.#at),
      content: this.#buffer.subarray(this.#contentStart, contentEnd),
      issue: this.#issue,
      cellCount: this.#cell + 1,
      cellEnds: this.#cellEnds,
    };
    this.#start = this.#contentStart = this.#at;
    this.#recordLine = this.#line;
    this.#reading = this.#startOfRecord();
    this.#cell = 0;
    this.#issue = null;
    return isEmpty ? null : record;
  }

  /** Handles a record that is longer than the limit. Null if the rest is discarded. */
  #overlong(): RawRecord | null {
    const limit = `${maxRecordBytes / 1024 / 1024} MiB`;
    if (this.#reading === "quoted" || this.#reading === "closed") {
      const record = this.#unclosed(`is not closed within ${limit}`);
      if (record !== null) return record;
    }
    this.#issue ??= { message: `This row is longer than ${limit}.`, cell: null };
    this.#reading = "too-long";
    this.#start = this.#contentStart = this.#at;
    return null;
  }

  /** Returns the record that ends with the input, or null if none is left. */
  #lastRecord(): RawRecord | null {
    if (this.#reading === "quoted") {
      const record = this.#unclosed("is never closed");
      if (record !== null) return record;
    }
    if (this.#at === this.#contentStart && this.#reading !== "too-long") return null;
    return this.#endRecord(this.#at);
  }

  /**
   * Returns the faulty record up to the end of the line with the opening quote, and reads the rest
   * again as separate records. Returns null if no line follows.
   */
  #unclosed(problem: string): RawRecord | null {
    const remedy = "Close it, or write a quote in a text twice.";
    const message = `The quote that opens on line ${this.#quoteLine} ${problem}. ${remedy}`;
    this.#issue = { message, cell: this.#cell };
    let at = this.#quoteAt;
    while (at < this.#at && this.#buffer[at] !== LF && this.#buffer[at] !== CR) at++;
    this.#reading = "faulty";
    if (at >= this.#at) return null;
    const contentEnd = at;
    this.#at = at + this.#lineEndAt(at);
    this.#line = this.#quoteLine + 1;
    return this.#endRecord(contentEnd);
  }

  /** Subtracts the number of bytes that left the buffer from all its indexes. */
  #moveBack(by: number): void {
    this.#start -= by;
    this.#contentStart -= by;
    this.#at -= by;
    this.#quoteAt -= by;
    this.#end -= by;
  }
}
