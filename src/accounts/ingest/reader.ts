/** Parses the bytes of an account list into batches of rows as the bytes arrive. */
import { isUtf8 } from "node:buffer";
import { Expect, JsonScanner, notAList } from "../../json/byte-scanner.ts";
import { nestingLimit } from "../../json/exact.ts";
import { longer, utf8 } from "../columns.ts";
import type { AccountBatch } from "./batch.ts";
import { BatchBuilder } from "./batch-builder.ts";
import { readElement } from "./careful-path.ts";
import { FastPath } from "./fast-path.ts";
import { ListEnvelope } from "./part-of-list.ts";

/**
 * Maximum size of a list element in bytes. Reading fails at a larger element, so that memory stays
 * bounded.
 */
const elementLimit = 4 * 1024 * 1024;
/**
 * A batch is returned as soon as it has an eighth of the number of earlier rows, so that a slow list
 * still shows progress.
 */
const batchDivisor = 8;

const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

interface AccountRowsEnd {
  /** The last rows, or null if there are none. */
  readonly batch: AccountBatch | null;
  readonly rows: number;
  /** Number of elements that name no account. */
  readonly unreadableRows: number;
  /** A sentence about the invalid byte or the incomplete list, or null if there is no problem. */
  readonly problem: string | null;
  /** The beginning of a body with a problem and without rows, for the error, or null. */
  readonly text: string | null;
}

/** Maximum size of {@link AccountRowsEnd.text} in bytes. */
const maxTextBytes = 2048;

interface ReaderOptions {
  readonly brand?: string;
  readonly imported?: boolean;
  readonly batchRows?: number;
  readonly withoutSimd?: boolean;
}

/**
 * Turns the bytes of an account list (INTERFACE 4.9–4.11) into batches of rows as they arrive. It
 * reads an array of list items, or an object in which one array has such items and nothing names an
 * error (4.11 does not show its body). Nothing else is a list: an error object and an array of
 * texts must never look like an empty list or like accounts. Rows before an error are returned.
 * Elements without an external account number and elements that are not UTF-8 are counted, not
 * shown as rows.
 *
 * `brand` is the word in `<brand>_account_number`. Default: `service`. If that field is missing,
 * the only other account number of the row is used. `imported` is for the list of imported
 * accounts, whose rows are imported even without a number. The first rows are returned at once.
 * Later batches grow up to `batchRows` rows. Default: 4096. Never throws.
 */
export class AccountRowReader {
  readonly #builder: BatchBuilder;
  readonly #scanner = new JsonScanner(nestingLimit);

  readonly #brandField: string;
  readonly #fastPath: FastPath;
  readonly #batchRows: number;
  #problem: string | null = null;
  #earlierBytes = 0;
  #returnedRows = 0;
  #unreadable = 0;
  /** Number of bytes of a byte order mark that were read. Also 3 if the body has no mark. */
  #markBytes = 0;
  /** True after the first byte that is neither white space nor a byte order mark. */
  #begun = false;
  /** Depth inside the list of items, or 0 outside it. */
  #itemsDepth = 0;
  /** Number of lists inside an outer object so far. */
  #lists = 0;
  /** The number of the list with items, counted from 1, or 0 before its first item. */
  #listWithItems = 0;
  #envelope: ListEnvelope | null = null;
  #inElement = false;
  readonly #head = new Uint8Array(maxTextBytes);
  /** Memory for the bytes of an element from earlier chunks. */
  #carry = new Uint8Array(0);
  #carriedBytes = 0;

  constructor({ brand = "service", batchRows = 4096, imported, withoutSimd }: ReaderOptions = {}) {
    this.#builder = new BatchBuilder(imported ? "imported" : "pending");
    this.#brandField = `${brand}_account_number`;
    this.#batchRows = Math.max(1, batchRows);
    this.#fastPath = new FastPath(this.#builder, this.#brandField, withoutSimd);
  }

  /** The problem of the body so far, or null. Nothing is read after a problem. */
  get problem(): string | null {
    return this.#problem;
  }

  get unbatchedRows(): number {
    return this.#builder.count;
  }

  push(chunk: Uint8Array): AccountBatch | null {
    if (this.#problem === null) {
      if (this.#earlierBytes < maxTextBytes)
        this.#head.set(chunk.subarray(0, maxTextBytes - this.#earlierBytes), this.#earlierBytes);
      this.#builder.reserve(chunk.length);
      this.#read(chunk);
      this.#earlierBytes += chunk.length;
    }
    const batchRows = Math.min(this.#batchRows, Math.max(1, this.#returnedRows / batchDivisor));
    return this.#builder.count >= batchRows ? this.flush() : null;
  }

  flush(): AccountBatch | null {
    this.#returnedRows += this.#builder.count;
    return this.#builder.take();
  }

  end(): AccountRowsEnd {
    if (this.#problem === null) this.#problem = this.#problemAtEnd();
    const batch = this.flush();
    const hasText = this.#problem !== null && this.#returnedRows === 0 && this.#begun;
    return {
      batch,
      rows: this.#returnedRows,
      unreadableRows: this.#unreadable,
      problem: this.#problem,
      text: hasText
        ? utf8.decode(this.#head.subarray(0, Math.min(this.#earlierBytes, maxTextBytes)))
        : null,
    };
  }

  #problemAtEnd(): string | null {
    const { depth, state } = this.#scanner;
    if (!this.#begun) {
      return this.#earlierBytes === 0
        ? "The body is empty."
        : `The body ends at byte ${this.#earlierBytes} without any JSON in it.`;
    }
    if (depth === 0 && state === Expect.separator) {
      const rows = this.#returnedRows + this.unbatchedRows;
      if (this.#envelope !== null) return this.#envelope.problem(rows, this.#unreadable);
      return rows === 0 && this.#unreadable > 0
        ? "The body is a JSON array without an account."
        : null;
    }
    const where = this.#inElement ? "in the middle of a row" : "before the list is closed";
    return `The body is cut off: it ends at byte ${this.#earlierBytes}, ${where}.`;
  }

  #fail(reason: string, chunkAt: number): void {
    this.#problem = `The body is not readable from byte ${this.#earlierBytes + chunkAt} on: ${reason}.`;
  }

  #read(chunk: Uint8Array): void {
    const to = chunk.length;
    let at = this.#begun ? 0 : this.#begin(chunk);
    let elementFrom = 0;
    const scanner = this.#scanner;
    while (at < to && this.#problem === null) {
      if (this.#itemsDepth > 0 && scanner.depth === this.#itemsDepth && !this.#inElement) {
        at = this.#readFast(chunk, at, to);
        if (at >= to) break;
        if (this.#problem !== null) return;
        if (!this.#startsElement(chunk[at] as number)) {
          at = this.#closeList(chunk, at);
          continue;
        }
        if (!this.#claimList(at)) return;
        this.#inElement = true;
        elementFrom = at;
      }
      const from = at;
      at = scanner.scan(chunk, at, to, this.#itemsDepth > 0 ? this.#itemsDepth : -1);
      if (this.#itemsDepth === 0) this.#envelope?.add(chunk, from, at);
      if (scanner.problem !== null) {
        this.#fail(scanner.problem, at);
      } else if (scanner.openedList) {
        this.#lists += 1;
        this.#itemsDepth = 2;
      } else if (
        this.#inElement &&
        scanner.depth === this.#itemsDepth &&
        scanner.state === Expect.separator
      ) {
        this.#readCarefully(chunk, elementFrom, at);
      }
    }
    if (this.#inElement && this.#problem === null) this.#carryOver(chunk, elementFrom, to);
  }

  /** Skips a byte order mark and white space, and determines the form of the body. */
  #begin(chunk: Uint8Array): number {
    let at = 0;
    while (at < chunk.length && this.#markBytes < 3) {
      if (chunk[at] !== byteOrderMark[this.#markBytes]) {
        // An incomplete mark is not a mark, so the body is invalid from its first byte.
        if (this.#markBytes > 0) this.#problem = notAList(byteOrderMark[0], 0);
        this.#markBytes = 3;
        break;
      }
      this.#markBytes += 1;
      at += 1;
    }
    for (; at < chunk.length && this.#problem === null; at++) {
      const byte = chunk[at] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      this.#begun = true;
      if (byte === 0x5b) this.#itemsDepth = 1;
      else if (byte === 0x7b) this.#envelope = new ListEnvelope();
      else this.#problem = notAList(byte, this.#earlierBytes + at);
      // The bracket is scanned here, so that the next byte is inside the list or object.
      if (this.#problem === null) this.#scanner.scan(chunk, at, at + 1, -1);
      return at + 1;
    }
    return at;
  }

  /** Reads a byte that is not an element: the closing bracket, or an invalid byte. */
  #closeList(chunk: Uint8Array, at: number): number {
    const scanner = this.#scanner;
    const next = scanner.scan(chunk, at, at + 1, -1);
    if (scanner.problem !== null) this.#fail(scanner.problem, at);
    else if (this.#itemsDepth === 2) {
      this.#itemsDepth = 0;
      this.#envelope?.add(chunk, at, next);
    }
    return next;
  }

  #startsElement(byte: number): boolean {
    const { state } = this.#scanner;
    return state === Expect.value || (state === Expect.firstValue && byte !== 0x5d);
  }

  /**
   * Accepts one list with items in an outer object. Fails at a second list with items, and at a
   * list after or under the name of an error, before its first item becomes a row.
   */
  #claimList(at: number): boolean {
    if (this.#envelope === null || this.#listWithItems === this.#lists) return true;
    if (this.#listWithItems === 0) {
      this.#listWithItems = this.#lists;
      this.#problem = this.#envelope.problemAtItems();
    } else {
      this.#fail("a second list begins, and it is not known which one has the accounts", at);
    }
    return this.#problem === null;
  }

  /** Reads elements on the fast path. Returns the position of the first byte that is not read. */
  #readFast(chunk: Uint8Array, from: number, to: number): number {
    const scanner = this.#scanner;
    let { state } = scanner;
    let at = from;
    while (at < to) {
      const byte = chunk[at] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        at += 1;
      } else if (state === Expect.separator) {
        if (byte !== 0x2c) break;
        state = Expect.value;
        at += 1;
      } else {
        if (byte !== 0x7b) break;
        if (!this.#claimList(at)) break;
        const next = this.#fastPath.takeElements(chunk, at, to);
        if (next === 0) break;
        state = Expect.separator;
        at = next;
      }
    }
    scanner.state = state;
    return at;
  }

  /** Reads one element, after its last byte, on the fast or the careful path. */
  #readCarefully(chunk: Uint8Array, from: number, to: number): void {
    let bytes = chunk.subarray(from, to);
    if (this.#carriedBytes > 0) {
      this.#carryOver(chunk, from, to);
      bytes = this.#carry.subarray(0, this.#carriedBytes);
    }
    this.#inElement = false;
    this.#carriedBytes = 0;
    // An element in two chunks usually has the common form, so the fast path is tried first.
    if (this.#problem !== null || this.#fastPath.takeWhole(bytes)) return;
    const json = isUtf8(bytes) ? utf8.decode(bytes) : null;
    const row = json === null ? null : readElement(json, this.#brandField);
    if (json === null || row === null) {
      this.#unreadable += 1;
      return;
    }
    this.#builder.addTexts(row.external, row.service, row.created);
    if (row.more) this.#builder.storeExtras(json);
    if (row.serviceField !== null) this.#fastPath.setFallbackField(row.serviceField);
    if (this.#carry.length > 1 << 16) this.#carry = new Uint8Array(0);
  }

  #carryOver(chunk: Uint8Array, from: number, to: number): void {
    const length = this.#carriedBytes + to - from;
    if (length > elementLimit) {
      this.#fail(`a row of more than ${elementLimit / 1024 / 1024} MiB`, from);
      return;
    }
    if (length > this.#carry.length)
      this.#carry = longer(this.#carry, Math.max(length, this.#carry.length * 2, 256));
    this.#carry.set(chunk.subarray(from, to), this.#carriedBytes);
    this.#carriedBytes = length;
  }
}
