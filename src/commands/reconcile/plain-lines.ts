/** Formats rows of `reconcile` directly from bytes, for the fast output of long lists. */

import { utcInstant } from "../../text/dates.ts";
import { rowClasses } from "../../triage/reconcile/classes.ts";
import { PlainRow, type Reconciled } from "../../triage/reconcile/reconciled.ts";

type LineFormat = "json" | "csv" | "tsv";

const chunkBytes = 1 << 16;
/** Maximum number of bytes of a line number, a class or a time. */
const maxShortValueBytes = 32;
/** The result in place of an end offset if a value must be escaped, quoted or made safe. */
const notPlain = -1;

/** The values of a plain row. `none` is for fields that a plain row never has. */
const Value = {
  none: 0,
  line: 1,
  external: 2,
  class: 3,
  service: 4,
  created: 5,
  since: 6,
} as const;
const valuesByName: Readonly<Partial<Record<string, number>>> = {
  line: Value.line,
  external_account_number: Value.external,
  class: Value.class,
  service_account_number: Value.service,
  account_created_at: Value.created,
  pending_since: Value.since,
};

interface LineField {
  readonly value: number;
  readonly before: string;
  readonly after: string;
}

/** A value of a line that differs between rows, and the fixed text before it. */
interface LinePart {
  readonly before: Uint8Array;
  readonly value: number;
}

/** The parts of all rows of a class that have the same values, and the text after the last one. */
interface LineForm {
  readonly parts: readonly LinePart[];
  readonly tail: Uint8Array;
}

const Has = { service: 1, created: 2, since: 4 } as const;
const formsPerClass = 8;

/**
 * Writes rows as lines directly from their bytes, except for rows with text that must be escaped,
 * quoted or made safe, which the caller formats.
 */
export class PlainLines {
  readonly #result: Reconciled;
  readonly #fields: readonly LineField[];
  readonly #isJson: boolean;
  /** The forms by class and by the values that a row has, created at the first such row. */
  readonly #forms: (LineForm | undefined)[] = [];
  /** For each byte value, 1 if it needs no escape in this format, else 0. */
  readonly #plain: Uint8Array;
  readonly #row = new PlainRow();
  /** Maximum number of bytes of a row, without its texts. */
  readonly #maxFixedBytes: number;
  #buffer = Buffer.alloc(chunkBytes * 2);
  #length = 0;

  constructor(result: Reconciled, names: readonly string[], format: LineFormat) {
    this.#result = result;
    this.#isJson = format === "json";
    this.#fields = format === "json" ? jsonFields(names) : cellFields(names, format);
    this.#maxFixedBytes = this.#fields.reduce(
      (sum, { before, after }) => sum + before.length + after.length + maxShortValueBytes,
      2,
    );
    const escaped = this.#isJson ? [0x22, 0x5c] : format === "csv" ? [0x22, 0x2c] : [];
    this.#plain = Uint8Array.from({ length: 256 }, (_, byte) =>
      byte >= 0x20 && byte < 0x7f && !escaped.includes(byte) ? 1 : 0,
    );
  }

  get isFull(): boolean {
    return this.#length >= chunkBytes;
  }

  /** Appends a row of the source, without a line break. Returns false if the row is not plain. */
  take(row: number): boolean {
    const plain = this.#row;
    if (!this.#result.plainRow(row, plain)) return false;
    // A column can be requested more than once.
    const textBytes = plain.to - plain.from + plain.end - plain.service;
    this.#reserve(textBytes * this.#fields.length + this.#maxFixedBytes);
    const { parts, tail } = this.#formOf(plain);
    let length = this.#length;
    for (let at = 0; at < parts.length; at++) {
      const { before, value } = parts[at] as LinePart;
      const begin = put(this.#buffer, length, before);
      length = this.#value(begin, plain, value);
      if (length === notPlain) return false;
      if (!this.#isJson && isFormula(this.#buffer[begin] as number)) return false;
    }
    this.#length = put(this.#buffer, length, tail);
    return true;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#length = put(this.#buffer, this.#length, bytes);
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  taken(): Uint8Array {
    const bytes = new Uint8Array(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    return bytes;
  }

  #formOf(row: PlainRow): LineForm {
    const bits =
      (row.created > row.service ? Has.service : 0) |
      (row.end > row.created ? Has.created : 0) |
      (Number.isNaN(row.pendingSince) ? 0 : Has.since);
    const at = row.code * formsPerClass + bits;
    const form = this.#forms[at] ?? this.#newForm(row.code, bits);
    this.#forms[at] = form;
    return form;
  }

  #newForm(code: number, bits: number): LineForm {
    const parts: LinePart[] = [];
    let fixed = "";
    let isFirst = true;
    for (const { value, before, after } of this.#fields) {
      const has = applies(value, bits);
      if (this.#isJson && !has) continue;
      // The comma before the first field of an object is replaced by its brace.
      fixed += this.#isJson && isFirst ? `{${before.slice(1)}` : before;
      isFirst = false;
      if (value === Value.class) fixed += rowClasses[code];
      else if (has) {
        parts.push({ before: Buffer.from(fixed), value });
        fixed = "";
      }
      fixed += after;
    }
    const end = this.#isJson ? `${isFirst ? "{" : ""}}` : "";
    return { parts, tail: Buffer.from(fixed + end) };
  }

  /** Writes a value at `length`. Returns its end, or {@link notPlain}. */
  #value(length: number, row: PlainRow, value: number): number {
    switch (value) {
      case Value.line:
        return putNumber(this.#buffer, length, row.line);
      case Value.external:
        return this.#copy(length, this.#result.source.text, row.from, row.to);
      case Value.service:
        return this.#copy(length, row.facts, row.service, row.created);
      case Value.created:
        return this.#copy(length, row.facts, row.created, row.end);
      default:
        return put(this.#buffer, length, Buffer.from(utcInstant(row.pendingSince)));
    }
  }

  /** Copies a text to `length`. Returns its end, or {@link notPlain}. */
  #copy(length: number, bytes: Uint8Array, from: number, to: number): number {
    const buffer = this.#buffer;
    const plain = this.#plain;
    let end = length;
    let isPlain = 1;
    for (let index = from; index < to; index++) {
      const byte = bytes[index] as number;
      isPlain &= plain[byte] as number;
      buffer[end++] = byte;
    }
    return isPlain === 1 ? end : notPlain;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.alloc((this.#length + bytes) * 2);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

function jsonFields(names: readonly string[]): LineField[] {
  return names.flatMap((name) => {
    const value = valuesByName[name];
    if (value === undefined) return [];
    const isText = value !== Value.line;
    const before = `,${JSON.stringify(name)}:${isText ? '"' : ""}`;
    return [{ value, before, after: isText ? '"' : "" }];
  });
}

function cellFields(names: readonly string[], format: "csv" | "tsv"): LineField[] {
  const separator = format === "csv" ? "," : "\t";
  return names.map((name, index) => ({
    value: valuesByName[name] ?? Value.none,
    before: index === 0 ? "" : separator,
    after: "",
  }));
}

function applies(value: number, bits: number): boolean {
  switch (value) {
    case Value.none:
      return false;
    case Value.service:
      return (bits & Has.service) !== 0;
    case Value.created:
      return (bits & Has.created) !== 0;
    case Value.since:
      return (bits & Has.since) !== 0;
    default:
      return true;
  }
}

function put(buffer: Buffer, length: number, bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; index++)
    buffer[length + index] = bytes[index] as number;
  return length + bytes.length;
}

/** Writes a whole number below 2^32 at `length`. Returns its end. */
function putNumber(buffer: Buffer, length: number, number: number): number {
  let digits = 1;
  for (let power = 10; number >= power; power *= 10) digits += 1;
  for (let index = length + digits - 1, rest = number; index >= length; index--) {
    const tenth = (rest / 10) >>> 0;
    buffer[index] = 0x30 + rest - tenth * 10;
    rest = tenth;
  }
  return length + digits;
}

function isFormula(byte: number): boolean {
  return byte === 0x3d || byte === 0x2b || byte === 0x2d || byte === 0x40;
}
