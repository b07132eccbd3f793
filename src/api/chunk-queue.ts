/** A queue of chunks between a source of bytes and their reader, with a limit on waiting bytes. */

/** Number of waiting bytes at which the source must pause. */
const maxWaitingBytes = 1024 * 1024;

export class ChunkQueue {
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #end: { readonly error: unknown } | null = null;
  #wake: (() => void) | null = null;
  #room: PromiseWithResolvers<void> | null = null;

  /** Adds a chunk. Returns false if the source must wait for {@link room}. */
  push(chunk: Uint8Array): boolean {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    this.#wake?.();
    return this.#bytes < maxWaitingBytes;
  }

  /** Closes the queue. The reader then ends, or gets `error`. Only the first call has an effect. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
    this.#room?.resolve();
  }

  /** Resolves when there is room for more chunks, or when the queue is closed. */
  async room(): Promise<void> {
    if (this.#bytes < maxWaitingBytes || this.#end !== null) return;
    this.#room ??= Promise.withResolvers<void>();
    await this.#room.promise;
  }

  /** Yields the chunks as they arrive. If the reader leaves the loop, the queue is closed. */
  async *chunks(): AsyncGenerator<Uint8Array, void, void> {
    try {
      for (;;) {
        const chunk = this.#waiting.shift();
        if (chunk !== undefined) {
          this.#bytes -= chunk.length;
          if (this.#bytes < maxWaitingBytes) this.#makeRoom();
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
