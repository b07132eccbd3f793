/** Formats rows as CSV, TSV or JSON directly from bytes, for the fast output of long lists. */

const chunkBytes = 1 << 16;

/** Bytes that are copied unchanged: always, never, or except at the start of a value. */
const Copied = { always: 0, never: 1, notFirst: 2 } as const;

/**
 * The values of one row as ranges of bytes, so that a row needs no object and no string. It is
 * filled again for each row. A value that is not set is absent.
 */
export class RowBytes {
  readonly texts: Uint8Array[] = [];
  readonly from: number[] = [];
  readonly to: number[] = [];
  /** The bit of each value that is set. */
  present = 0;
  /** Number of bytes of all values. */
  length = 0;
  readonly #digits = Buffer.alloc(10);

  /** Begins a row, in which all values are absent. */
  begin(): void {
    this.present = 0;
    this.length = 0;
  }

  set(value: number, text: Uint8Array, from: number, to: number): void {
    this.present |= 1 << value;
    this.length += to - from;
    this.texts[value] = text;
    this.from[value] = from;
    this.to[value] = to;
  }

  /** Sets a value to a whole number below 2^32. A row has at most one number. */
  setNumber(value: number, number: number): void {
    let from = this.#digits.length;
    let rest = number;
    do {
      const tenth = (rest / 10) >>> 0;
      from -= 1;
      this.#digits[from] = 0x30 + rest - tenth * 10;
      rest = tenth;
    } while (rest > 0);
    this.set(value, this.#digits, from, this.#digits.length);
  }
}

/** A field of the output with its value in {@link RowBytes}, or null if no row has a value. */
export interface ByteField {
  readonly name: string;
  readonly value: number | null;
  /** True if the value has no quotes in JSON. Default: false. */
  readonly isNumber?: boolean;
}

interface LineOptions {
  readonly format: "csv" | "tsv" | "json";
  /** The texts before and after each row. */
  readonly around: readonly [before: string, after: string];
  /** True if JSON has null for an absent value. Otherwise its field is left out. */
  readonly hasNull: boolean;
}

/** The parts of all rows with the same values, and the text after the last one. */
interface LineForm {
  readonly parts: readonly { readonly before: Uint8Array; readonly value: number }[];
  readonly tail: Uint8Array;
  /** Number of bytes of the texts before the values and after them. */
  readonly length: number;
}

/**
 * Writes rows as lines directly from their bytes, with the same result as the writers of text. Rows
 * with text that is not ASCII, or must be escaped, quoted or made safe, are left to the caller.
 */
export class LineBytes {
  readonly #fields: readonly ByteField[];
  readonly #options: LineOptions;
  /** The forms by the values that a row has, created at the first such row. */
  readonly #forms: (LineForm | undefined)[] = [];
  readonly #copiedByByte: Uint8Array;
  #buffer = Buffer.allocUnsafe(chunkBytes * 2);
  #length = 0;

  constructor(fields: readonly ByteField[], options: LineOptions) {
    this.#fields = fields;
    this.#options = options;
    const { format } = options;
    const escaped = format === "json" ? '"\\' : format === "csv" ? '",' : "";
    const escapedFirst = format === "json" ? "" : "=+-@";
    this.#copiedByByte = Uint8Array.from({ length: 256 }, (_, code) => {
      const character = String.fromCharCode(code);
      if (code < 0x20 || code > 0x7e || escaped.includes(character)) return Copied.never;
      return escapedFirst.includes(character) ? Copied.notFirst : Copied.always;
    });
  }

  get isFull(): boolean {
    return this.#length >= chunkBytes;
  }

  /** Appends a row with the texts around it. Returns false, and appends nothing, if it is not plain. */
  take(row: RowBytes): boolean {
    const { present } = row;
    let form = this.#forms[present];
    if (form === undefined) {
      form = this.#formOf(present);
      this.#forms[present] = form;
    }
    const { parts, tail } = form;
    // A column can be requested more than once.
    this.#reserve(form.length + row.length * this.#fields.length);
    const buffer = this.#buffer;
    const copied = this.#copiedByByte;
    let length = this.#length;
    let cases = 0;
    for (let part = 0; part < parts.length; part++) {
      const { before, value } = parts[part] as LineForm["parts"][number];
      const text = row.texts[value] as Uint8Array;
      const from = row.from[value] as number;
      const to = row.to[value] as number;
      buffer.set(before, length);
      length += before.length;
      // For the first byte, the shift converts `notFirst` to `never`.
      if (from < to) cases |= (copied[text[from] as number] as number) >> 1;
      for (let at = from; at < to; at++) {
        const byte = text[at] as number;
        cases |= copied[byte] as number;
        buffer[length++] = byte;
      }
    }
    if ((cases & Copied.never) !== 0) return false;
    for (let at = 0; at < tail.length; at++) buffer[length++] = tail[at] as number;
    this.#length = length;
    return true;
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  /** Returns the bytes that were appended since the last call. */
  taken(): Uint8Array {
    const bytes = this.#buffer.subarray(0, this.#length);
    // The next chunk is about as long, so that it fits without a copy.
    this.#buffer = Buffer.allocUnsafe(Math.max(chunkBytes * 2, bytes.length + (bytes.length >> 3)));
    this.#length = 0;
    return bytes;
  }

  #formOf(present: number): LineForm {
    const { format, around, hasNull } = this.#options;
    const isJson = format === "json";
    const between = format === "tsv" ? "\t" : ",";
    const parts: LineForm["parts"][number][] = [];
    let fixed = around[0] + (isJson ? "{" : "");
    let isFirst = true;
    for (const { name, value, isNumber = false } of this.#fields) {
      const has = value !== null && ((present >> value) & 1) === 1;
      if (isJson && !has && !hasNull) continue;
      fixed += (isFirst ? "" : between) + (isJson ? `${JSON.stringify(name)}:` : "");
      isFirst = false;
      if (!has) {
        if (isJson) fixed += "null";
        continue;
      }
      const quote = isJson && !isNumber ? '"' : "";
      parts.push({ before: Buffer.from(fixed + quote), value });
      fixed = quote;
    }
    const tail = Buffer.from(fixed + (isJson ? "}" : "") + around[1]);
    const length = parts.reduce((sum, { before }) => sum + before.length, tail.length);
    return { parts, tail, length };
  }

  #reserve(bytes: number): void {
    const length = this.#length;
    if (length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe((length + bytes) * 2);
    this.#buffer.copy(larger, 0, 0, length);
    this.#buffer = larger;
  }
}
