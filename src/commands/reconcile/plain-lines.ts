import { utcInstant } from "../../text/dates.ts";
import { type RowClass, rowClasses } from "../../triage/reconcile/classes.ts";
import { PlainRow, type Reconciled } from "../../triage/reconcile/reconciled.ts";
import type { ReconcileField } from "./row-cells.ts";

type LineFormat = "json" | "csv" | "tsv";

/** Bytes gathered before they are handed over. */
const pieceBytes = 1 << 16;
/** In the place of an end: a value would have to be escaped, quoted or made safe. */
const notPlain = -1;
const classNames = Object.fromEntries(
  rowClasses.map((name) => [name, Buffer.from(name)]),
) as unknown as Readonly<Record<RowClass, Uint8Array>>;
/** Room for the names, the line and the times of one row. */
const mostBesides = 512;

/**
 * Writes rows as lines from their bytes. What it does not take it leaves untouched for the careful
 * writer; it never takes text that would have to be escaped, quoted or made safe.
 */
export class PlainLines {
  readonly #result: Reconciled;
  readonly #fields: readonly ReconcileField["name"][];
  readonly #format: LineFormat;
  /** Bytes of text that stand for themselves in this format. */
  readonly #plain: Uint8Array;
  /** Before the value of each field: its name, and the quote of a text. */
  readonly #names: readonly Uint8Array[];
  readonly #separator: number;
  readonly #row = new PlainRow();
  #buffer = Buffer.alloc(pieceBytes * 2);
  #length = 0;

  constructor(result: Reconciled, fields: readonly ReconcileField[], format: LineFormat) {
    this.#result = result;
    this.#fields = fields.map(({ name }) => name);
    this.#format = format;
    const taken = format === "json" ? [0x22, 0x5c] : format === "csv" ? [0x22, 0x2c] : [];
    this.#plain = Uint8Array.from({ length: 256 }, (_, byte) =>
      byte >= 0x20 && byte < 0x7f && !taken.includes(byte) ? 1 : 0,
    );
    this.#names = this.#fields.map((name) =>
      Buffer.from(`${JSON.stringify(name)}:${name === "line" ? "" : '"'}`),
    );
    this.#separator = format === "tsv" ? 0x09 : 0x2c;
  }

  /** Whether enough has been gathered to be handed over. */
  get isFull(): boolean {
    return this.#length >= pieceBytes;
  }

  /** Appends a row of the source, without a line break; false where it is not plain. */
  take(row: number): boolean {
    const plain = this.#row;
    if (!this.#result.plainRow(row, plain)) return false;
    this.#room(plain.to - plain.from + plain.end - plain.service + mostBesides);
    const end = this.#format === "json" ? this.#json(plain) : this.#cells(plain);
    if (end !== notPlain) this.#length = end;
    return end !== notPlain;
  }

  /** Appends text of any kind. */
  text(text: string): void {
    this.#room(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  /** What has been gathered. */
  taken(): string {
    const text = this.#buffer.toString("utf8", 0, this.#length);
    this.#length = 0;
    return text;
  }

  /** Where the object ends in the buffer. */
  #json(row: PlainRow): number {
    const buffer = this.#buffer;
    const begin = this.#length;
    let length = begin;
    for (let at = 0; at < this.#fields.length; at++) {
      const name = this.#fields[at] as ReconcileField["name"];
      if (!applies(row, name)) continue;
      buffer[length] = length === begin ? 0x7b : 0x2c;
      length = put(buffer, length + 1, this.#names[at] as Uint8Array);
      length = this.#value(length, row, name);
      if (length === notPlain) return notPlain;
      if (name !== "line") buffer[length++] = 0x22;
    }
    if (length === begin) buffer[length++] = 0x7b;
    buffer[length++] = 0x7d;
    return length;
  }

  #cells(row: PlainRow): number {
    const buffer = this.#buffer;
    let length = this.#length;
    for (let at = 0; at < this.#fields.length; at++) {
      const name = this.#fields[at] as ReconcileField["name"];
      if (at > 0) buffer[length++] = this.#separator;
      if (!applies(row, name)) continue;
      const value = length;
      length = this.#value(length, row, name);
      if (length === notPlain || isFormula(buffer[value] as number)) return notPlain;
    }
    return length;
  }

  /** Writes a value at `length`; where it ends, or {@link notPlain}. */
  #value(length: number, row: PlainRow, name: ReconcileField["name"]): number {
    const buffer = this.#buffer;
    switch (name) {
      case "line":
        return putNumber(buffer, length, row.line);
      case "external_account_number":
        return this.#copy(length, this.#result.source.text, row.from, row.to);
      case "class":
        return put(buffer, length, classNames[row.class]);
      case "service_account_number":
        return this.#copy(length, row.facts, row.service, row.created);
      case "account_created_at":
        return this.#copy(length, row.facts, row.created, row.end);
      case "pending_since":
        return put(buffer, length, Buffer.from(utcInstant(row.pendingSince)));
      default:
        return length;
    }
  }

  #copy(length: number, bytes: Uint8Array, from: number, to: number): number {
    const buffer = this.#buffer;
    const plain = this.#plain;
    let end = length;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      if (plain[byte] === 0) return notPlain;
      buffer[end++] = byte;
    }
    return end;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.alloc((this.#length + bytes) * 2);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** Whether a field has a value in a plain row. */
function applies(row: PlainRow, name: ReconcileField["name"]): boolean {
  switch (name) {
    case "line":
    case "external_account_number":
    case "class":
      return true;
    case "service_account_number":
      return row.created > row.service;
    case "account_created_at":
      return row.end > row.created;
    case "pending_since":
      return !Number.isNaN(row.pendingSince);
    default:
      return false;
  }
}

function put(buffer: Buffer, length: number, bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at++) buffer[length + at] = bytes[at] as number;
  return length + bytes.length;
}

function putNumber(buffer: Buffer, length: number, number: number): number {
  let digits = 1;
  for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
  for (let at = length + digits - 1, rest = number; at >= length; at--) {
    buffer[at] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return length + digits;
}

/** Whether a spreadsheet would compute a cell that begins with this byte. */
function isFormula(byte: number): boolean {
  return byte === 0x3d || byte === 0x2b || byte === 0x2d || byte === 0x40;
}
