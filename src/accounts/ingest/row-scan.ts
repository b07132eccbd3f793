/**
 * Reads many account rows in one call with WebAssembly (row-scan.wat), the fastest path of the reader.
 */
import { AccountFlag } from "./batch.ts";
import { createdField, externalField } from "./careful-path.ts";
import { rowScanCode } from "./row-scan-code.ts";

/** Maximum number of bytes read in one call. After rows of another form, fewer bytes are read. */
const maxBytes = 64 * 1024;
const minBytes = 1024;
/** Maximum number of rows of one call. `maxBytes` bytes never have more rows. */
const maxRows = 2048;
/** Maximum number of rows that are skipped after a row of another form. */
const maxSkip = 1024;
/**
 * Number of spare bytes after each region, because the module reads and writes blocks of 16 bytes
 * beyond the end.
 */
const slack = 64;

/** The addresses of the regions in the memory of the module. */
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

/** The exports of row-scan.wat. `count` and `length` are results of the last scan. */
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

/** The instance of the WebAssembly module. All scans share it, one call after the other. */
interface ScanModule extends Exports {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  /** The scan whose field names are at {@link literals}, or null before the first scan. */
  namesOf: RowScan | null;
}

let scanModule: ScanModule | null = null;

/**
 * The SIMD path: takes many rows of exactly the common form at once (row-scan.wat), in plain ASCII,
 * with the documented order of fields and no white space. Other rows are left to {@link FastPath},
 * which can read these rows, too, but is slower.
 */
export class RowScan {
  readonly #module: ScanModule;
  readonly #names: Uint8Array;
  readonly #parameters: readonly number[];
  /** Number of bytes to read in the next call. */
  #window = maxBytes;
  #rowsToSkip = 0;
  /** Number of rows skipped before the last try, or 0 if the last try found rows. */
  #lastSkip = 0;

  /**
   * `brandField` is the name of the service account number. `unnumbered` is the flag of a row
   * without that number.
   */
  constructor(module: ScanModule, brandField: string, unnumbered: number) {
    this.#module = module;
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
    if (this.#rowsToSkip > 0) {
      this.#rowsToSkip -= 1;
      return 0;
    }
    const module = this.#module;
    const memory = module.bytes;
    if (module.namesOf !== this) {
      memory.set(this.#names, literals);
      module.namesOf = this;
    }
    const length = Math.min(to - start, this.#window);
    memory.set(bytes.subarray(start, start + length), input);
    memory.fill(0, input + length, input + length + slack);
    const taken = module.scan(input, maxRows, ...this.#parameters) - input;
    const count = module.count.value;
    if (count === 0) {
      this.#lastSkip = Math.min(maxSkip, this.#lastSkip * 2 + 1);
      this.#rowsToSkip = this.#lastSkip;
      return 0;
    }
    this.#lastSkip = 0;
    // The next call copies at most twice the bytes read now, so that rows of another form cost
    // little.
    this.#window = Math.max(minBytes, Math.min(maxBytes, taken * 2));
    add({
      count,
      text: memory.subarray(text, text + module.length.value),
      ends: module.ends,
      flags: memory.subarray(flags, flags + count),
    });
    return start + taken;
  }
}

/**
 * Returns a scan for rows with this name of the service account number, or null if this Node has no
 * SIMD or the name is too long.
 */
export function openRowScan(brandField: string, unnumbered: number): RowScan | null {
  if (api === undefined || brandField.length > input / 2) return null;
  try {
    scanModule ??= start(api);
    return new RowScan(scanModule, brandField, unnumbered);
  } catch {
    return null;
  }
}

function start({ Module, Instance }: WebAssemblyApi): ScanModule {
  const { exports } = new Instance(new Module(Buffer.from(rowScanCode, "base64")));
  const { buffer } = exports.memory;
  const views = {
    bytes: new Uint8Array(buffer),
    ends: new Uint32Array(buffer, ends, maxRows * 3),
  };
  return { ...exports, ...views, namesOf: null };
}
