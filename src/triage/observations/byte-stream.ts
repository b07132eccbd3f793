/** Writes and reads the compressed bytes of stored blocks. */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { release, widerBytes } from "../../accounts/columns.ts";
import { Damage } from "../../sqlite/file-error.ts";

/**
 * The buffer of the last writer, for reuse. Writers are used one at a time, mostly for one block
 * each.
 */
let spare: Uint8Array<ArrayBuffer> | null = null;

/** Writes bytes into a growing buffer, with as few bytes per number as possible. */
export class ByteWriter {
  #bytes = spare ?? new Uint8Array(1 << 12);
  #length = 0;

  constructor() {
    spare = null;
  }

  /** Writes a whole number from 0 to 2^53 - 1. */
  number(value: number): void {
    this.#ensureRoom(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  byte(value: number): void {
    this.#ensureRoom(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes a time in epoch milliseconds, or NaN. Whole seconds need fewer bytes. */
  instant(at: number): void {
    if (Number.isNaN(at)) {
      this.number(0);
      return;
    }
    const isWhole = at % 1000 === 0;
    const value = Math.abs(isWhole ? at / 1000 : at);
    // Limits the value. 2^48 ms is the year 10889, later than any real time.
    this.number(1 + Math.min(value, 2 ** 48) * 4 + (at < 0 ? 2 : 0) + (isWhole ? 1 : 0));
  }

  /** Writes bytes with their length before them. */
  bytes(value: Uint8Array): void {
    this.number(value.length);
    this.raw(value);
  }

  /** Writes bytes without their length. */
  raw(value: Uint8Array, from = 0, to = value.length): void {
    this.#ensureRoom(to - from);
    this.#bytes.set(
      from === 0 && to === value.length ? value : value.subarray(from, to),
      this.#length,
    );
    this.#length += to - from;
  }

  #ensureRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    this.#bytes = widerBytes(this.#bytes, Math.max(this.#bytes.length * 2, this.#length + more));
  }

  /** Returns the written bytes, compressed. Nothing can be written afterwards. */
  packed(): Uint8Array {
    const packed = pack(this.#bytes.subarray(0, this.#length));
    if (this.#bytes.length <= maxSpare) spare = this.#bytes;
    else release(this.#bytes);
    this.#bytes = noBytes;
    this.#length = 0;
    return packed;
  }
}

const noBytes = new Uint8Array(0);
/** Maximum size, in bytes, of a buffer that the next writer reuses. */
const maxSpare = 1 << 19;

/** Reads the output of a {@link ByteWriter}. Throws Damage for anything else. */
export class ByteReader implements Disposable {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(packed: Uint8Array) {
    this.#bytes = unpack(packed);
  }

  /** Frees the bytes. Views of them become invalid. */
  [Symbol.dispose](): void {
    releaseChunk(this.#bytes);
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new Damage("the bytes of a block end early");
    return value;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  instant(): number {
    const value = this.number();
    if (value === 0) return Number.NaN;
    const bits = (value - 1) % 4;
    const size = ((value - 1 - bits) / 4) * (bits & 1 ? 1000 : 1);
    return bits & 2 ? -size : size;
  }

  /** Returns a view of the bytes, not a copy. */
  bytes(): Uint8Array {
    return this.raw(this.number());
  }

  raw(length: number): Uint8Array {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new Damage("the bytes of a block end early");
    return this.#bytes.subarray(from, this.#at);
  }
}

/**
 * Size of a chunk of zlib's output. It is larger than most blocks, so that a result needs no copy.
 */
const chunkSize = 1 << 18;

/** The checksum detects a damaged page of a blob, which SQLite does not detect. */
const compression = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  chunkSize,
};

function pack(bytes: Uint8Array): Uint8Array {
  const packed = zstdCompressSync(bytes, compression);
  const exact = new Uint8Array(packed);
  releaseChunk(packed);
  return exact;
}

function unpack(packed: Uint8Array): Uint8Array {
  // A Buffer is not returned, because `slice` of a Buffer copies nothing.
  const { buffer, byteOffset, length } = decompressed(packed);
  return new Uint8Array(buffer, byteOffset, length);
}

/** Decompresses bytes. Throws Damage if zlib fails for any reason. */
function decompressed(packed: Uint8Array): Buffer {
  try {
    return zstdDecompressSync(packed, { chunkSize });
  } catch (error) {
    throw new Damage("a block cannot be unpacked", { cause: error });
  }
}

/** Frees a result of zlib, unless it is in a buffer that Node shares. */
function releaseChunk(bytes: Uint8Array): void {
  if (bytes.buffer.byteLength >= chunkSize) release(bytes);
}
