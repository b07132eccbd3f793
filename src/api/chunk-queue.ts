import type { Readable } from "node:stream";

/** Bytes that may wait to be taken before the source is asked to pause. */
const mostWaiting = 1024 * 1024;

/** Chunks of bytes between what brings them and the one who takes them, in order. */
export class ChunkQueue {
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #end: { readonly error: unknown } | null = null;
  #wake: (() => void) | null = null;
  #room: PromiseWithResolvers<void> | null = null;

  /** Adds a chunk; false when nothing more should come before there is {@link room}. */
  push(chunk: Uint8Array): boolean {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    this.#wake?.();
    return this.#bytes < mostWaiting;
  }

  /** Nothing comes after what waits; an `error` is thrown behind it. The first call counts. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
    this.#room?.resolve();
  }

  /** Resolves when there is room for more, or no one takes any more. */
  async room(): Promise<void> {
    if (this.#bytes < mostWaiting || this.#end !== null) return;
    this.#room ??= Promise.withResolvers<void>();
    await this.#room.promise;
  }

  /** The chunks as they come; leaving it ends the queue. */
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
 * The chunks of a stream, one by one: iterating over the stream itself would join those that
 * wait, and so copy nearly all of a list. `onBytes` is called with the length of each. Throws what the
 * stream ends with. Leaving it does not end the stream.
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
