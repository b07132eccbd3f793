/**
 * Grows columns and frees their memory at once. A thread that creates few objects rarely collects
 * garbage, so that unused columns could use a hundred megabytes.
 */

/** Releases the memory of columns that are no longer used. Each must have a separate buffer. */
export function release(...columns: readonly ArrayBufferView[]): void {
  for (const { buffer } of columns) {
    if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
  }
}

/** Returns the bytes in memory that has `room` bytes. */
export function widerBytes(column: Uint8Array<ArrayBuffer>, room: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(column.buffer.transfer(room));
}

/** Returns the words in memory that has room for `room` words. */
export function widerWords(
  column: Uint32Array<ArrayBuffer>,
  room: number,
): Uint32Array<ArrayBuffer> {
  return new Uint32Array(column.buffer.transfer(room * 4));
}
