/** Reads the body of a response while it arrives, and decompresses it. */
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { ChunkQueue } from "./chunk-queue.ts";
import { ServiceError } from "./errors.ts";

/**
 * Returns the decompressed chunks of a body as they arrive, and the number of received bytes.
 * `failure` converts an error. `end` is called after the last chunk.
 */
export function receivedBody(
  body: Dispatcher.ResponseData["body"],
  compression: { readonly encoding: string; readonly accepted: "gzip" | "identity" } | null,
  { failure, end }: { failure(thrown: unknown): ServiceError; end(): void },
): { readonly chunks: AsyncGenerator<Uint8Array, void, void>; wireBytes(): number } {
  let wireBytes = 0;
  async function* chunks(): AsyncGenerator<Uint8Array, void, void> {
    const received = readChunks(body, (bytes) => {
      wireBytes += bytes;
    });
    try {
      yield* compression === null
        ? received
        : (await import("./gunzip.ts")).decoded(
            received,
            compression.encoding,
            compression.accepted,
          );
    } catch (thrown) {
      throw failure(thrown);
    } finally {
      body.destroy();
      end();
    }
  }
  return { chunks: chunks(), wireBytes: () => wireBytes };
}

/** Converts an error of a connection to the error of a body: `unreadable` if it was cut short. */
export function bodyError(error: ServiceError, httpStatus: number): ServiceError {
  if (error.kind !== "unreachable" && error.kind !== "unreadable") return error;
  const message = error.kind === "unreadable" ? error.message : "The response was cut short.";
  return new ServiceError("unreadable", message, { ...error.facts, httpStatus });
}

/**
 * Yields the chunks of a stream one by one. The stream's iterator would join waiting chunks and
 * copy most of a list. `onBytes` is called with the length of each chunk. Throws the stream's
 * error. The stream stays open if the reader leaves the loop.
 */
function readChunks(
  stream: Readable,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const queue = new ChunkQueue();
  const resumeWhenReady = async () => {
    await queue.room();
    stream.resume();
  };
  stream.on("data", (chunk: Uint8Array) => {
    onBytes(chunk.length);
    if (queue.push(chunk)) return;
    stream.pause();
    void resumeWhenReady();
  });
  stream.once("end", () => queue.end());
  stream.on("error", (error) => queue.end(error));
  stream.once("close", () => queue.end(truncatedError()));
  if (stream.errored !== null) queue.end(stream.errored);
  else if (stream.destroyed) queue.end(truncatedError());
  return queue.chunks();
}

function truncatedError(): Error {
  return Object.assign(new Error("cut short"), { code: "ERR_STREAM_PREMATURE_CLOSE" });
}
