/** Compresses bytes that are stored and shared. */
import { promisify } from "node:util";
import {
  constants,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from "node:zlib";
import { Damage } from "../../sqlite/file-error.ts";

const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

/** Up to this many bytes, packing takes less time than waiting for another thread does. */
const fewBytes = 1 << 16;
const inThread = { pack: promisify(zstdCompress), unpack: promisify(zstdDecompress) };
/** A packed value begins with its length, so that it is unpacked into one piece of memory. */
const lengthBytes = 4;
/** Unpacking needs room beyond the value, or it takes as much memory again to find the end. */
const roomAtEnd = 64;
/** Maximum length in bytes of an unpacked column: a colleague's column names its length, too. */
export const maxUnpacked = 1 << 29;

export async function packed(bytes: Uint8Array): Promise<Uint8Array> {
  const content =
    bytes.length > fewBytes
      ? await inThread.pack(bytes, { params, chunkSize: bytes.length })
      : zstdCompressSync(bytes, { params });
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, content]);
}

export async function unpacked(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  if (!(value instanceof Uint8Array) || value.length < lengthBytes)
    throw new Damage("a stored column is missing");
  const content = value.subarray(lengthBytes);
  const length = new DataView(value.buffer, value.byteOffset).getUint32(0, true);
  if (length > maxUnpacked) throw new Damage("a stored column is too long");
  let result: Buffer;
  try {
    const options = { chunkSize: length + roomAtEnd, maxOutputLength: length + roomAtEnd };
    result =
      length > fewBytes
        ? await inThread.unpack(content, options)
        : zstdDecompressSync(content, options);
  } catch (cause) {
    throw new Damage("a stored column cannot be unpacked", { cause });
  }
  if (result.length !== length) throw new Damage("a stored column has another length");
  return new Uint8Array(result.buffer as ArrayBuffer, result.byteOffset, length);
}

/** Up to this many bytes, columns are packed together: a packed value has some 20 bytes more. */
const smallBytes = 4_096;

/**
 * Packs columns, in a few large values each by itself, because the bytes of one column are alike. They begin with
 * a line that has the length of each packed value, and the lengths of its columns.
 */
export async function packedColumns(columns: readonly Uint8Array[]): Promise<Uint8Array> {
  const size = columns.reduce((sum, { length }) => sum + length, 0);
  const groups = size <= smallBytes ? [columns] : columns.map((column) => [column]);
  const values = await Promise.all(groups.map((group) => packed(Buffer.concat(group))));
  const head = groups.map((group, at) => [
    values[at]?.length,
    ...group.map((column) => column.length),
  ]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...values]);
}

/** Returns packed columns. Throws damage if the bytes are others. */
export async function unpackedColumns(value: unknown): Promise<readonly Uint8Array[]> {
  if (!(value instanceof Uint8Array)) throw new Damage("a stored change is missing");
  const columns: Uint8Array[] = [];
  let at = value.indexOf(lineEnd) + 1;
  for (const [length, ...lengths] of headIn(value.subarray(0, at))) {
    const group = await unpacked(value.subarray(at, at + length));
    at += length;
    let from = 0;
    for (const column of lengths) {
      columns.push(group.subarray(from, from + column));
      from += column;
    }
    if (from !== group.length) throw new Damage("a stored change has another length");
  }
  if (at !== value.length) throw new Damage("a stored change has another length");
  return columns;
}

const lineEnd = 10;

function headIn(line: Uint8Array): readonly (readonly [number, ...number[]])[] {
  const isLength = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  try {
    const head: unknown = JSON.parse(Buffer.from(line).toString());
    if (Array.isArray(head) && head.every((group) => Array.isArray(group) && group.every(isLength)))
      return head;
  } catch (cause) {
    throw new Damage("a stored change cannot be read", { cause });
  }
  throw new Damage("a stored change cannot be read");
}
