import { createHash } from "node:crypto";

/** Passes the bytes through, once, and hashes them. */
export function hashWhileReading(bytes: AsyncIterable<Uint8Array>) {
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
    /** SHA-256 as hexadecimal. Throws while the bytes have not been read to their end. */
    digest: () => {
      if (digest === null) throw new Error("The input has not been read to its end.");
      return digest;
    },
  };
}
