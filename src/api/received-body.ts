/** Reads the body of a response while it arrives, and unpacks it. */
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { ChunkQueue } from "./chunk-queue.ts";
import { ServiceError } from "./errors.ts";

/**
 * Returns the unpacked chunks of a body as they arrive, and the number of received bytes. Calls
 * `end` after the last chunk.
 */
export function receivedBody(
  body: Dispatcher.ResponseData["body"],
  packed: { readonly encoding: string; readonly accepted: "gzip" | "identity" } | null,
  { failure, end }: { failure(thrown: unknown): ServiceError; end(): void },
): { readonly chunks: AsyncGenerator<Uint8Array, void, void>; wireBytes(): number } {
  let wireBytes = 0;
  async function* chunks(): AsyncGenerator<Uint8Array, void, void> {
    const received = readChunks(body, (bytes) => {
      wireBytes += bytes;
    });
    try {
      yield* packed === null
        ? received
        : (await import("./gunzip.ts")).decoded(received, packed.encoding, packed.accepted);
    } catch (thrown) {
      throw failure(thrown);
    } finally {
      body.destroy();
      end();
    }
  }
  return { chunks: chunks(), wireBytes: () => wireBytes };
}

/** Returns the error of a body. A body that was cut short results in `unreadable`. */
export function bodyError(error: ServiceError, httpStatus: number): ServiceError {
  if (error.kind !== "unreachable" && error.kind !== "unreadable") return error;
  const why = error.kind === "unreadable" ? error.message : "The response was cut short.";
  return new ServiceError("unreadable", why, { ...error.facts, httpStatus });
}

/**
 * Yields the chunks of a stream one by one. Iterating over the stream itself would join waiting
 * chunks and copy most of a list. `onBytes` is called with the length of each chunk. Throws the
 * stream's error. Leaving the loop does not end the stream.
 */
function readChunks(
  stream: Readable,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const queue = new ChunkQueue();
  const takeMore = async () => {
    await queue.room();
    stream.resume();
  };
  stream.on("data", (chunk: Uint8Array) => {
    onBytes(chunk.length);
    if (queue.push(chunk)) return;
    stream.pause();
    void takeMore();
  });
  stream.once("end", () => queue.end());
  stream.on("error", (error) => queue.end(error));
  stream.once("close", () => queue.end(truncatedError()));
  if (stream.errored !== null) queue.end(stream.errored);
  else if (stream.destroyed) queue.end(truncatedError());
  return queue.taken();
}

/** Returns the error for a stream that was closed before its end. */
function truncatedError(): Error {
  return Object.assign(new Error("cut short"), { code: "ERR_STREAM_PREMATURE_CLOSE" });
}
