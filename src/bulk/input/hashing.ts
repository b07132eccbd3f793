import { createHash } from "node:crypto";

/** An input, and its hash once it has been read. */
interface HashedBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** SHA-256 as hexadecimal. Throws while the bytes have not been read to their end. */
  readonly digest: () => string;
}

/** Passes the bytes through, once, and hashes them. */
export function hashWhileReading(bytes: AsyncIterable<Uint8Array>): HashedBytes {
  const hash = createHash("sha256");
  let digest: string | null = null;
  async function* passing(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
    digest = hash.digest("hex");
  }
  return {
    bytes: passing(),
    digest: () => {
      if (digest === null) throw new Error("The input has not been read to its end.");
      return digest;
    },
  };
}
