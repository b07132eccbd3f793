/** Buffers the rows of a list on their way to the engine of the observations. */
import { fieldEnd, longer, TextColumn } from "../../accounts/columns.ts";
import type { ListRows } from "./observations.ts";

/** Minimum number of rows in one message. Fewer and larger messages are faster. */
const fullRows = 1 << 13;
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
    const more = fieldEnd(batch, count - 1, TextColumn.created);
    this.#room(this.#count + count, this.#length + more);
    this.#text.set(batch.text.subarray(0, more), this.#length);
    const at = this.#count * 3;
    for (let end = 0; end < count * 3; end++) {
      this.#ends[at + end] = (batch.ends[end] as number) + this.#length;
    }
    this.#flags.set(batch.flags.subarray(0, count), this.#count);
    this.#createdAt.set(batch.createdAt.subarray(0, count), this.#count);
    this.#count += count;
    this.#length += more;
    return this.#count >= fullRows ? this.taken() : null;
  }

  /** Removes and returns the buffered rows. Returns null if the buffer is empty. */
  taken(): ListRows | null {
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
    this.#text = spare?.text ?? new Uint8Array(rows.count >= fullRows ? room : 0);
    this.#count = 0;
    this.#length = 0;
    this.#ends = spare?.ends ?? new Uint32Array(0);
    this.#flags = spare?.flags ?? new Uint8Array(0);
    this.#createdAt = spare?.createdAt ?? new Float64Array(0);
    return rows;
  }

  /** Accepts rows whose memory can be reused. */
  giveBack(rows: ListRows): void {
    if (this.#spare.length < maxSpare) this.#spare.push(rows);
  }

  #room(rows: number, length: number): void {
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
const maxUnderWay = 3;

/** Limits the number of messages in progress to the worker. */
export class Traffic {
  #underWay = 0;
  #room: PromiseWithResolvers<void> | null = null;

  /** Adds a message in progress. `taken` must not reject. */
  add(taken: Promise<void>): void {
    this.#underWay += 1;
    void taken.then(() => {
      this.#underWay -= 1;
      if (this.#underWay >= maxUnderWay) return;
      this.#room?.resolve();
      this.#room = null;
    });
  }

  /** Resolves when another message can be sent. Returns null if it can be sent now. */
  room(): Promise<void> | null {
    if (this.#underWay < maxUnderWay) return null;
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
