/** Number of waiting bytes at which the source must pause. */
const maxWaiting = 1024 * 1024;

/** Queues chunks of bytes between a source and its reader, with a limit on waiting bytes. */
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
    return this.#bytes < maxWaiting;
  }

  /** Closes the queue. Reading then ends, or throws `error`. Only the first call has an effect. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
    this.#room?.resolve();
  }

  /** Resolves when there is room for more chunks, or when the queue is closed. */
  async room(): Promise<void> {
    if (this.#bytes < maxWaiting || this.#end !== null) return;
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
          if (this.#bytes < maxWaiting) this.#makeRoom();
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
