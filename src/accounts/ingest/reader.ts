/** Parses the bytes of an account list into batches of rows as the bytes arrive. */
import { nestingLimit } from "../../json/exact.ts";
import { longer, utf8 } from "../columns.ts";
import { type AccountBatch, AccountFlag } from "./batch.ts";
import { BatchBuilder } from "./batch-builder.ts";
import { readElement } from "./careful-path.ts";
import { PlainRows } from "./fast-path.ts";
import { Expect, JsonScanner, notAList } from "./json-scanner.ts";
import { ListEnvelope } from "./part-of-list.ts";

/**
 * Maximum size of a list element in bytes. Reading fails at a larger element, so that memory stays
 * bounded.
 */
const elementLimit = 4 * 1024 * 1024;
/**
 * A batch ends at the latest at this fraction (one eighth) of the number of earlier rows, so that a
 * slow list still shows progress.
 */
const heldShare = 8;

const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/** The result of reading a body. */
interface AccountRowsEnd {
  /** The last rows, or null if there are none. */
  readonly batch: AccountBatch | null;
  /** Number of rows in all batches. */
  readonly rows: number;
  /** Number of elements that name no account. */
  readonly unreadableRows: number;
  /** The problem of the body with its byte, the reason why the list is not complete, or null. */
  readonly problem: string | null;
}

interface ReaderOptions {
  readonly brand?: string;
  readonly imported?: boolean;
  readonly batchRows?: number;
  /** True to read without SIMD, as on a Node that lacks it. Default: false. */
  readonly isScalar?: boolean;
}

/**
 * Turns the bytes of an account list (INTERFACE 4.9–4.11) into batches of rows as they arrive. It
 * reads an array of list items, an array of external account numbers, or an object that has one
 * such array (4.11 does not show its body). Rows before an error are returned. Elements without an
 * external account number are counted, not shown as rows.
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
  readonly #plain: PlainRows;
  readonly #batchRows: number;
  #problem: string | null = null;
  /** Number of bytes in earlier chunks. */
  #base = 0;
  #handedOver = 0;
  #unreadable = 0;
  /** Number of bytes of a byte order mark that were read, or 3 if the body has none. */
  #markBytes = 0;
  #begun = false;
  /** Depth inside the list of items, or 0 outside it. */
  #itemsDepth = 0;
  /** Number of lists inside an outer object so far, and the number of the list with items, or 0. */
  #lists = 0;
  #listWithItems = 0;
  #envelope: ListEnvelope | null = null;
  /** True inside an element. `#carry` contains its bytes from earlier chunks. */
  #inElement = false;
  #carry = new Uint8Array(0);
  #carried = 0;

  constructor({ brand = "service", batchRows = 4096, imported, isScalar }: ReaderOptions = {}) {
    this.#builder = new BatchBuilder(imported ? "imported" : "pending");
    this.#brandField = `${brand}_account_number`;
    this.#batchRows = Math.max(1, batchRows);
    this.#plain = new PlainRows(this.#builder, this.#brandField, isScalar);
  }

  /** The problem of the body so far, or null. Nothing is read after a problem. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Number of complete rows that are not in a batch yet. */
  get held(): number {
    return this.#builder.count;
  }

  /** Reads the next bytes. Returns a batch if there are enough rows. */
  push(chunk: Uint8Array): AccountBatch | null {
    if (this.#problem === null) {
      this.#builder.reserve(chunk.length);
      this.#read(chunk);
      this.#base += chunk.length;
    }
    const held = Math.min(this.#batchRows, Math.max(1, this.#handedOver / heldShare));
    return this.#builder.count >= held ? this.flush() : null;
  }

  /** Returns the remaining rows while the body pauses. */
  flush(): AccountBatch | null {
    this.#handedOver += this.#builder.count;
    return this.#builder.take();
  }

  /** Returns the result after the last byte. */
  end(): AccountRowsEnd {
    if (this.#problem === null) this.#problem = this.#missing();
    return {
      batch: this.flush(),
      rows: this.#handedOver,
      unreadableRows: this.#unreadable,
      problem: this.#problem,
    };
  }

  #missing(): string | null {
    const { depth, state } = this.#scanner;
    if (!this.#begun) {
      return this.#base === 0
        ? "The body is empty."
        : `The body ends at byte ${this.#base} without any JSON in it.`;
    }
    if (depth === 0 && state === Expect.separator) {
      if (this.#itemsDepth === 1) return null;
      if (this.#lists === 0) return "The body is a JSON object without a list.";
      return this.#envelope?.lack(this.#handedOver + this.held + this.#unreadable) ?? null;
    }
    const where = this.#inElement ? "in the middle of a row" : "before the list is closed";
    return `The body is cut off: it ends at byte ${this.#base}, ${where}.`;
  }

  #fail(what: string, chunkAt: number): void {
    this.#problem = `The body is not readable from byte ${this.#base + chunkAt} on: ${what}.`;
  }

  #read(chunk: Uint8Array): void {
    const to = chunk.length;
    let at = this.#begun ? 0 : this.#begin(chunk);
    let elementFrom = 0;
    const scanner = this.#scanner;
    while (at < to && this.#problem === null) {
      if (this.#itemsDepth > 0 && scanner.depth === this.#itemsDepth && !this.#inElement) {
        at = this.#readPlain(chunk, at, to);
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
      if (this.#itemsDepth === 0) this.#envelope?.keep(chunk, from, at);
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
      else this.#problem = notAList(byte, this.#base + at);
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
      this.#envelope?.keep(chunk, at, next);
    }
    return next;
  }

  #startsElement(byte: number): boolean {
    const { state } = this.#scanner;
    return state === Expect.value || (state === Expect.firstValue && byte !== 0x5d);
  }

  /** Accepts one list with items in an outer object. If there are two, the right one is unknown. */
  #claimList(at: number): boolean {
    if (this.#listWithItems === 0) this.#listWithItems = this.#lists;
    if (this.#itemsDepth === 1 || this.#listWithItems === this.#lists) return true;
    this.#fail("a second list begins, and it is not known which one has the accounts", at);
    return false;
  }

  #readPlain(chunk: Uint8Array, from: number, to: number): number {
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
        if (byte !== 0x7b && byte !== 0x22) break;
        if (this.#itemsDepth !== 1 && !this.#claimList(at)) break;
        const next = this.#plain.takeMany(chunk, at, to);
        if (next === 0) break;
        state = Expect.separator;
        at = next;
      }
    }
    scanner.state = state;
    return at;
  }

  #readCarefully(chunk: Uint8Array, from: number, to: number): void {
    let bytes = chunk.subarray(from, to);
    if (this.#carried > 0) {
      this.#carryOver(chunk, from, to);
      bytes = this.#carry.subarray(0, this.#carried);
    }
    this.#inElement = false;
    this.#carried = 0;
    // An element in two chunks usually has the common form, so the byte path is tried first.
    if (this.#problem !== null || this.#plain.takeWhole(bytes)) return;
    const json = utf8.decode(bytes);
    const row = readElement(json, this.#brandField);
    if (row === null) {
      this.#unreadable += 1;
      return;
    }
    this.#builder.addTexts(row.external, row.service, row.created);
    if (row.bare) this.#builder.flag(AccountFlag.bare);
    if (row.more) this.#builder.keepExtras(json);
    if (row.serviceField !== null) this.#plain.learn(row.serviceField);
    if (this.#carry.length > 1 << 16) this.#carry = new Uint8Array(0);
  }

  #carryOver(chunk: Uint8Array, from: number, to: number): void {
    const length = this.#carried + to - from;
    if (length > elementLimit) {
      this.#fail(`a row of more than ${elementLimit / 1024 / 1024} MiB`, from);
      return;
    }
    if (length > this.#carry.length)
      this.#carry = longer(this.#carry, Math.max(length, this.#carry.length * 2, 256));
    this.#carry.set(chunk.subarray(from, to), this.#carried);
    this.#carried = length;
  }
}
