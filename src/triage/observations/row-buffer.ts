/** Buffers the rows of a list on their way to the engine of the observations. */
import { fieldEnd, longer, TextColumn } from "../../accounts/columns.ts";
import type { ListRows } from "./observations.ts";

/** Minimum number of rows in one message. Fewer and larger messages are faster. */
const rowsPerMessage = 1 << 13;
/** Maximum number of returned buffers to retain for reuse. */
const maxSpare = 4;

/** Copies small batches into large ones, whose memory can be transferred. */
export class RowBuffer {
  #count = 0;
  #length = 0;
  #text: Uint8Array = new Uint8Array(0);
  #ends: Uint32Array = new Uint32Array(0);
  #flags: Uint8Array = new Uint8Array(0);
  #createdAt: Float64Array = new Float64Array(0);
  readonly #spare: ListRows[] = [];

  /** Adds a batch. Returns the buffered rows if they are enough for a message, else null. */
  add(batch: ListRows): ListRows | null {
    const { count } = batch;
    if (count === 0) return null;
    const textLength = fieldEnd(batch, count - 1, TextColumn.created);
    this.#ensureRoom(this.#count + count, this.#length + textLength);
    this.#text.set(batch.text.subarray(0, textLength), this.#length);
    const at = this.#count * 3;
    for (let end = 0; end < count * 3; end++) {
      this.#ends[at + end] = (batch.ends[end] as number) + this.#length;
    }
    this.#flags.set(batch.flags.subarray(0, count), this.#count);
    this.#createdAt.set(batch.createdAt.subarray(0, count), this.#count);
    this.#count += count;
    this.#length += textLength;
    return this.#count >= rowsPerMessage ? this.takeRows() : null;
  }

  /** Removes and returns the buffered rows. Returns null if the buffer is empty. */
  takeRows(): ListRows | null {
    if (this.#count === 0) return null;
    const rows = {
      count: this.#count,
      text: this.#text,
      ends: this.#ends,
      flags: this.#flags,
      createdAt: this.#createdAt,
    };
    // The next rows need about the same amount of memory.
    const room = this.#length + (this.#length >>> 4);
    const spare = this.#spare.pop();
    this.#text = spare?.text ?? new Uint8Array(rows.count >= rowsPerMessage ? room : 0);
    this.#count = 0;
    this.#length = 0;
    this.#ends = spare?.ends ?? new Uint32Array(0);
    this.#flags = spare?.flags ?? new Uint8Array(0);
    this.#createdAt = spare?.createdAt ?? new Float64Array(0);
    return rows;
  }

  /** Accepts rows whose memory the next rows can use. */
  reuse(rows: ListRows): void {
    if (this.#spare.length < maxSpare) this.#spare.push(rows);
  }

  #ensureRoom(rows: number, length: number): void {
    if (length > this.#text.length)
      this.#text = longer(
        this.#text,
        Math.max(length, Math.min(this.#text.length * 2, length * 2)),
      );
    if (rows <= this.#flags.length) return;
    const room = Math.max(rows, this.#flags.length * 2);
    this.#ends = longer(this.#ends, room * 3);
    this.#flags = longer(this.#flags, room);
    this.#createdAt = longer(this.#createdAt, room);
  }
}

/** Maximum number of messages in progress. More messages would only wait. */
const maxInProgress = 3;

/** Limits the number of messages in progress to the worker. */
export class Traffic {
  #inProgress = 0;
  #room: PromiseWithResolvers<void> | null = null;

  /** Adds a message in progress. `message` must not reject. */
  add(message: Promise<void>): void {
    this.#inProgress += 1;
    void message.then(() => {
      this.#inProgress -= 1;
      if (this.#inProgress >= maxInProgress) return;
      this.#room?.resolve();
      this.#room = null;
    });
  }

  /** Resolves when another message can be sent. Returns null if it can be sent now. */
  room(): Promise<void> | null {
    if (this.#inProgress < maxInProgress) return null;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }
}

/** Copies rows, so that they can be sent to another engine although their memory is transferred. */
export function copyOf(rows: ListRows): ListRows {
  return {
    count: rows.count,
    text: rows.text.slice(),
    ends: rows.ends.slice(),
    flags: rows.flags.slice(),
    createdAt: rows.createdAt.slice(),
  };
}
