import type { Readable } from "node:stream";

/** Number of waiting bytes at which the source is asked to pause. */
const mostWaiting = 1024 * 1024;

/** A queue of chunks of bytes between a source and its reader. */
export class ChunkQueue {
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #end: { readonly error: unknown } | null = null;
  #wake: (() => void) | null = null;
  #room: PromiseWithResolvers<void> | null = null;

  /** Adds a chunk. Returns false if nothing more should be added before there is {@link room}. */
  push(chunk: Uint8Array): boolean {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    this.#wake?.();
    return this.#bytes < mostWaiting;
  }

  /** Closes the queue. Reading it then ends, or throws `error`. Only the first call counts. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
    this.#room?.resolve();
  }

  /** Resolves when there is room for more, or when the reader has left. */
  async room(): Promise<void> {
    if (this.#bytes < mostWaiting || this.#end !== null) return;
    this.#room ??= Promise.withResolvers<void>();
    await this.#room.promise;
  }

  /** Yields the chunks as they arrive. Leaving the loop closes the queue. */
  async *taken(): AsyncGenerator<Uint8Array, void, void> {
    try {
      for (;;) {
        const chunk = this.#waiting.shift();
        if (chunk !== undefined) {
          this.#bytes -= chunk.length;
          if (this.#bytes < mostWaiting) this.#makeRoom();
          yield chunk;
        } else if (this.#end === null) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        } else if (this.#end.error === undefined) {
          return;
        } else {
          throw this.#end.error;
        }
      }
    } finally {
      this.end();
      this.#waiting.length = 0;
    }
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = null;
  }
}

/**
 * Yields the chunks of a stream one by one. Iterating over the stream itself would join waiting
 * chunks and copy most of a list. `onBytes` receives the length of each. Throws the stream's error.
 * Leaving the loop does not end the stream.
 */
export function readChunks(
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

/** Returns the error of a stream that is cut short: it has neither ended nor failed. */
function truncatedError(): Error {
  return Object.assign(new Error("cut short"), { code: "ERR_STREAM_PREMATURE_CLOSE" });
}
