/**
 * Reads many account rows at once with WebAssembly (row-scan.wat), the fastest path of the reader.
 */
import { AccountFlag } from "./batch.ts";
import { createdField, externalField } from "./careful-path.ts";
import { rowScanCode } from "./row-scan-code.ts";

/**
 * Maximum number of bytes read in one call. It is reduced after rows of another form, but not below
 * `minBytes`.
 */
const maxBytes = 64 * 1024;
const minBytes = 1024;
/** Maximum number of rows of one call. Even the shortest rows cannot exceed it. */
const maxRows = 2048;
/** Maximum number of rows to skip before the next try after rows of another form. */
const maxPassed = 1024;
/**
 * Number of bytes after each region that can also be read or written. Two blocks of 16 are more
 * than enough.
 */
const slack = 64;

/** The addresses in the memory of the module. */
const literals = 0;
const input = 1024;
const text = input + maxBytes + slack;
const ends = text + maxBytes + slack;
const flags = ends + maxRows * 12;

/** The rows found by one call, in memory that the next call overwrites. */
export interface ScannedRows {
  readonly count: number;
  readonly text: Uint8Array;
  /** The ends of the three texts of each row, counted from the beginning of `text`. */
  readonly ends: Uint32Array;
  readonly flags: Uint8Array;
}

/** The exports of row-scan.wat. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly count: { readonly value: number };
  readonly length: { readonly value: number };
  readonly scan: (...numbers: readonly number[]) => number;
}

/** The used part of the WebAssembly API. A Node without just-in-time compilation lacks it. */
interface WebAssemblyApi {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
}

const { WebAssembly: api } = globalThis as { readonly WebAssembly?: WebAssemblyApi };

/** The only instance of the module. It stores no data between calls. */
interface Machine extends Exports {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  /** The scan whose field names are at {@link literals}, or null before the first scan. */
  named: RowScan | null;
}

let machine: Machine | null = null;

/**
 * The SIMD path: takes many rows of exactly the common form at once (row-scan.wat), in plain ASCII,
 * with the documented order of fields and no white space. Other rows are left to {@link PlainRows},
 * which can read these rows, too, but is slower.
 */
export class RowScan {
  readonly #machine: Machine;
  readonly #names: Uint8Array;
  readonly #parameters: readonly number[];
  #window = maxBytes;
  /**
   * Number of rows left to skip before the next try, and the number of rows skipped before the last
   * try.
   */
  #passing = 0;
  #passed = 0;

  /**
   * `brandField` is the name of the service account number. `unnumbered` is the flag of a row
   * without that number.
   */
  constructor(through: Machine, brandField: string, unnumbered: number) {
    this.#machine = through;
    const names = [`{"${externalField}":"`, `,"${brandField}":`, `,"${createdField}":`];
    const parts = names.map((name) => Buffer.from(name));
    let at = literals;
    const places = parts.flatMap(({ length }) => {
      at += length;
      return [at - length, length];
    });
    this.#names = Buffer.concat(parts);
    const serviceNull = AccountFlag.serviceNull | unnumbered;
    const bits = [serviceNull, unnumbered, AccountFlag.createdNull];
    this.#parameters = [...places, text, ends, flags, ...bits];
  }

  /**
   * Reads rows from `start` on and passes them to `add`. Returns the end of the last row, or 0 if
   * the first row has another form or is not complete.
   */
  take(bytes: Uint8Array, start: number, to: number, add: (rows: ScannedRows) => void): number {
    if (this.#passing > 0) {
      this.#passing -= 1;
      return 0;
    }
    const through = this.#machine;
    const memory = through.bytes;
    if (through.named !== this) {
      memory.set(this.#names, literals);
      through.named = this;
    }
    const length = Math.min(to - start, this.#window);
    memory.set(bytes.subarray(start, start + length), input);
    memory.fill(0, input + length, input + length + slack);
    const taken = through.scan(input, maxRows, ...this.#parameters) - input;
    const count = through.count.value;
    if (count === 0) {
      this.#passed = Math.min(maxPassed, this.#passed * 2 + 1);
      this.#passing = this.#passed;
      return 0;
    }
    this.#passed = 0;
    // The next call copies at most twice the bytes read now, so that rows of another form cost
    // little.
    this.#window = Math.max(minBytes, Math.min(maxBytes, taken * 2));
    add({
      count,
      text: memory.subarray(text, text + through.length.value),
      ends: through.ends,
      flags: memory.subarray(flags, flags + count),
    });
    return start + taken;
  }
}

/**
 * Returns a scan for rows with these names, or null if this Node has no SIMD or the name is too
 * long.
 */
export function openRowScan(brandField: string, unnumbered: number): RowScan | null {
  if (api === undefined || brandField.length > input / 2) return null;
  try {
    machine ??= start(api);
    return new RowScan(machine, brandField, unnumbered);
  } catch {
    return null;
  }
}

function start({ Module, Instance }: WebAssemblyApi): Machine {
  const { exports } = new Instance(new Module(Buffer.from(rowScanCode, "base64")));
  const { buffer } = exports.memory;
  const views = {
    bytes: new Uint8Array(buffer),
    ends: new Uint32Array(buffer, ends, maxRows * 3),
  };
  return { ...exports, ...views, named: null };
}
