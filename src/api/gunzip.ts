/** Decompresses responses as they arrive, with a limit on their expansion. */
import { crc32, createInflateRaw } from "node:zlib";
import { ChunkQueue } from "./chunk-queue.ts";
import { ServiceError } from "./errors.ts";

/**
 * Size of decompressed pieces. With the default of 16 KiB, a list takes four times as long, because
 * each piece is passed between threads.
 */
const pieceBytes = 256 * 1024;

/**
 * Maximum size of a decompressed body, as a multiple of the received bytes and in addition to
 * `extraBytes`. The items of a list differ, so that no list is compressed that much.
 */
const maxExpansion = 200;
/** Number of bytes that a small body can have in addition to `maxExpansion`. */
const extraBytes = 1024 * 1024;

/** Maximum size of a gzip header, which can contain a file name and a comment. */
const maxHeaderBytes = 64 * 1024;
const trailerBytes = 8;

const unreadable = (problem: string) => new ServiceError("unreadable", `The response ${problem}.`);
const truncatedError = () => unreadable("was cut short");
const damaged = (problem: string) => unreadable(`is damaged: ${problem}`);

/**
 * Returns the content of a body with this Content-Encoding. Throws `unreadable` for an encoding
 * that was not requested, and the errors of {@link gunzipped}.
 */
export function decoded(
  body: AsyncGenerator<Uint8Array, void, void>,
  encoding: string,
  accepted: "gzip" | "identity",
): AsyncGenerator<Uint8Array, void, void> {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const isGzip = name === "gzip" || name === "x-gzip";
  if (isGzip && accepted === "gzip") return gunzipped(body);
  const shownName = /^[\w-]{1,20}$/.test(name) ? ` (${name})` : "";
  throw unreadable(`has an encoding that was not asked for${shownName}`);
}

/**
 * Yields the content of a gzip body (RFC 1952) with one member as it arrives. After the valid
 * content, throws `unreadable` if the body is incomplete, damaged, has more bytes, or expands
 * beyond the limit. Throws the errors of `compressed`. Only a few pieces are in memory at a time.
 */
async function* gunzipped(
  compressed: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array, void, void> {
  const content = new ChunkQueue();
  const inflate = createInflateRaw({ chunkSize: pieceBytes });
  let receivedBytes = 0;
  let size = 0;
  let checksum = 0;
  inflate.on("data", (piece: Uint8Array) => {
    size += piece.length;
    if (size > extraBytes + maxExpansion * receivedBytes) {
      content.end(unreadable(`expands to more than ${maxExpansion} times its size`));
      inflate.destroy();
      return;
    }
    checksum = crc32(piece, checksum);
    content.push(piece);
  });
  const failed = new Promise<never>((_, reject) => {
    inflate.on("error", () => reject(damaged("its content cannot be unpacked")));
    inflate.on("close", () => reject(truncatedError()));
  });
  failed.catch(() => {});

  /** Decompresses a chunk. Returns the bytes after the end of the content. */
  const unpack = async (chunk: Uint8Array): Promise<Uint8Array> => {
    receivedBytes += chunk.length;
    const before = inflate.bytesWritten;
    const written = new Promise<void>((resolve) => inflate.write(chunk, () => resolve()));
    await Promise.race([written, failed]);
    return chunk.subarray(inflate.bytesWritten - before);
  };

  const readAll = async () => {
    let header = new Uint8Array(0);
    let trailer: Uint8Array | null = null;
    let isAfterHeader = false;
    for await (const chunk of compressed) {
      let rest = chunk;
      if (!isAfterHeader) {
        header = Buffer.concat([header, chunk]);
        const end = headerEnd(header);
        if (end === null) continue;
        isAfterHeader = true;
        rest = header.subarray(end);
      }
      if (trailer === null && rest.length > 0) {
        rest = await unpack(rest);
        // Further bytes mean that the content is complete.
        if (rest.length > 0) trailer = new Uint8Array(0);
      }
      if (trailer === null) {
        await content.room();
        continue;
      }
      trailer = Buffer.concat([trailer, rest]);
      if (trailer.length > trailerBytes) throw unreadable("continues behind its compressed body");
    }
    if (trailer === null || trailer.length < trailerBytes) throw truncatedError();
    const view = new DataView(trailer.buffer, trailer.byteOffset);
    if (view.getUint32(0, true) !== checksum) throw damaged("its checksum is another");
    if (view.getUint32(4, true) !== size % 2 ** 32) throw damaged("its length is another");
  };
  readAll().then(
    () => content.end(),
    (error) => content.end(error),
  );
  try {
    yield* content.chunks();
  } finally {
    inflate.destroy();
  }
}

const flag = { headerCheck: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** Returns the index after the gzip header in `bytes`, or null if the header is incomplete. */
function headerEnd(bytes: Uint8Array): number | null {
  for (const [at, byte] of [0x1f, 0x8b, 8].entries()) {
    if (at < bytes.length && bytes[at] !== byte) throw damaged("it does not begin as gzip");
  }
  const end = fieldsEnd(bytes);
  if ((end ?? bytes.length) > maxHeaderBytes) throw damaged("its header is too long");
  return end;
}

/** Returns the index after the fields of the header, or null if they are incomplete. */
function fieldsEnd(bytes: Uint8Array): number | null {
  if (bytes.length < 10) return null;
  const flags = bytes[3] as number;
  if (flags & flag.reserved) throw damaged("its header is of another kind");
  let at = 10;
  if (flags & flag.extra) {
    if (bytes.length < at + 2) return null;
    at += 2 + (bytes[at] as number) + 256 * (bytes[at + 1] as number);
  }
  for (const text of [flag.name, flag.comment]) {
    if (!(flags & text)) continue;
    const zero = at < bytes.length ? bytes.indexOf(0, at) : -1;
    if (zero < 0) return null;
    at = zero + 1;
  }
  if (flags & flag.headerCheck) {
    if (bytes.length < at + 2) return null;
    const stored = (bytes[at] as number) + 256 * (bytes[at + 1] as number);
    if ((crc32(bytes.subarray(0, at)) & 0xffff) !== stored) throw damaged("its header is another");
    at += 2;
  }
  return at > bytes.length ? null : at;
}
