/** The changes between two observations of a list, in the form in which they are stored. */
import { longer } from "../../accounts/columns.ts";
import { numberStart } from "../account-numbers.ts";
import { State } from "./block-parts.ts";
import { ByteReader, ByteWriter } from "./byte-stream.ts";
import type { ChangeKind } from "./observations.ts";

/** The flags of one entry of a delta. */
export const EntryFlag = {
  /** The entry has the account's new service account number and creation time. */
  content: 1,
  /** The entry's content has a service account number. */
  service: 2,
  /** The list had no service account number. The entry has the stored one. */
  serviceNotListed: 4,
  /** The list had no creation time. The entry has the stored one. */
  createdNotListed: 8,
  /** The account was renumbered: the entry also has the previous service account number. */
  renumbered: 16,
} as const;

/** Number of values of {@link State}. */
const stateCount = 5;

/**
 * The accounts that changed in one observation, in ascending order of rows. One delta is stored for
 * each observation, and is also the list of its changes.
 */
export class Delta {
  /** Number of entries. Each column below has one value per entry. */
  count = 0;
  /** The rows of the accounts in the stored list. */
  rows = new Uint32Array(64);
  /** The previous {@link State} × 5 + the new state. */
  transitions: Uint8Array = new Uint8Array(64);
  /** Bits of {@link EntryFlag}. */
  flags: Uint8Array = new Uint8Array(64);
  /** The creation time in epoch milliseconds, or NaN if the entry has none. */
  createdAt = new Float64Array(64);
  /** The end of the entry's service account number in {@link text}. */
  serviceEnds = new Uint32Array(64);
  /** The end of the entry's previous service account number, which follows the new one. */
  ends = new Uint32Array(64);
  /** The service account numbers of all entries, end to end. */
  text: Uint8Array = new Uint8Array(1024);
  #length = 0;

  /**
   * Adds an entry with the previous and the new {@link State} of a row. Rows must be added in
   * ascending order.
   */
  add(row: number, previousState: number, newState: number): void {
    if (this.count === this.rows.length) this.#grow();
    this.rows[this.count] = row;
    this.transitions[this.count] = previousState * stateCount + newState;
    this.flags[this.count] = 0;
    this.createdAt[this.count] = Number.NaN;
    this.serviceEnds[this.count] = this.#length;
    this.ends[this.count] = this.#length;
    this.count += 1;
  }

  /**
   * Adds the account's new content to the entry added last. `flags` can contain the flags for content
   * that is not listed.
   */
  addContent(service: Uint8Array | null, createdAt: number, flags: number): void {
    const at = this.count - 1;
    this.flags[at] = flags | EntryFlag.content | (service === null ? 0 : EntryFlag.service);
    this.createdAt[at] = createdAt;
    if (service !== null) this.#append(service);
    this.serviceEnds[at] = this.#length;
    this.ends[at] = this.#length;
  }

  /**
   * Adds the previous service account number to the entry added last. Must be called after
   * {@link addContent}.
   */
  addPreviousService(service: Uint8Array): void {
    const at = this.count - 1;
    this.flags[at] = (this.flags[at] as number) | EntryFlag.renumbered;
    this.#append(service);
    this.ends[at] = this.#length;
  }

  /** Returns the previous state of an entry. */
  previousState(at: number): number {
    return Math.floor((this.transitions[at] as number) / stateCount);
  }

  /** Returns the new state of an entry. */
  newState(at: number): number {
    return (this.transitions[at] as number) % stateCount;
  }

  /** Returns the service account number of an entry with content, or null if none is stored. */
  service(at: number): Uint8Array | null {
    if (!((this.flags[at] as number) & EntryFlag.service)) return null;
    return this.text.subarray(this.#start(at), this.serviceEnds[at]);
  }

  /** Returns the previous service account number of an entry, or null if it is unchanged. */
  previousService(at: number): Uint8Array | null {
    if (!((this.flags[at] as number) & EntryFlag.renumbered)) return null;
    return this.text.subarray(this.serviceEnds[at], this.ends[at]);
  }

  /** Returns the change that the entry shows, or null if only its content is new. */
  change(at: number): ChangeKind | null {
    return (this.flags[at] as number) & EntryFlag.renumbered
      ? "renumbered"
      : changeBetween(this.previousState(at), this.newState(at));
  }

  /** Returns the index of the first entry whose row is at least `row`. */
  indexFrom(row: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rows[middle] as number) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Returns the smaller delta that stays stored after the fold. It has the same changes, and the
   * service account numbers of renumbered accounts. The rest of the content is in the stored blocks.
   */
  reducedAfterFold(): Delta {
    const changes = new Delta();
    for (let at = 0; at < this.count; at++) {
      changes.add(this.rows[at] as number, this.previousState(at), this.newState(at));
      const [before, service] = [this.previousService(at), this.service(at)];
      if (before === null || service === null) continue;
      changes.addContent(service, Number.NaN, 0);
      changes.addPreviousService(before);
    }
    return changes;
  }

  /** Returns the delta in the stored form: compressed bytes. */
  packed(): Uint8Array {
    const writer = new ByteWriter();
    writer.number(this.count);
    let lastRow = 0;
    for (let at = 0; at < this.count; at++) {
      writer.number((this.rows[at] as number) - lastRow);
      lastRow = this.rows[at] as number;
    }
    writer.raw(this.transitions, 0, this.count);
    writer.raw(this.flags, 0, this.count);
    let lastCreated = 0;
    for (let at = 0; at < this.count; at++) {
      const flags = this.flags[at] as number;
      if (flags & EntryFlag.content) {
        // Accounts that are imported together have similar creation times, so differences need
        // fewer bytes.
        const time = this.createdAt[at] as number;
        writer.instant(time - lastCreated);
        if (!Number.isNaN(time)) lastCreated = time;
      }
      if (flags & EntryFlag.service)
        writer.number((this.serviceEnds[at] as number) - this.#start(at));
      if (flags & EntryFlag.renumbered)
        writer.number((this.ends[at] as number) - (this.serviceEnds[at] as number));
    }
    writer.raw(this.text, 0, this.#length);
    return writer.packed();
  }

  /** Reads a delta from its stored form. */
  static unpack(packed: Uint8Array): Delta {
    const reader = new ByteReader(packed);
    const delta = new Delta();
    const count = reader.number();
    delta.count = count;
    delta.rows = new Uint32Array(count);
    let lastRow = 0;
    for (let at = 0; at < count; at++) delta.rows[at] = lastRow += reader.number();
    delta.transitions = reader.raw(count);
    delta.flags = reader.raw(count);
    delta.createdAt = new Float64Array(count).fill(Number.NaN);
    delta.serviceEnds = new Uint32Array(count);
    delta.ends = new Uint32Array(count);
    let end = 0;
    let lastCreated = 0;
    for (let at = 0; at < count; at++) {
      const flags = delta.flags[at] as number;
      if (flags & EntryFlag.content) {
        const time = lastCreated + reader.instant();
        delta.createdAt[at] = time;
        if (!Number.isNaN(time)) lastCreated = time;
      }
      if (flags & EntryFlag.service) end += reader.number();
      delta.serviceEnds[at] = end;
      if (flags & EntryFlag.renumbered) end += reader.number();
      delta.ends[at] = end;
    }
    delta.text = reader.raw(end);
    delta.#length = end;
    return delta;
  }

  /** Returns the start of an entry's service account number in {@link text}. */
  #start(at: number): number {
    return numberStart(this.ends, at);
  }

  #append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.text.length)
      this.text = longer(this.text, Math.max(this.text.length * 2, this.#length + bytes.length));
    this.text.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #grow(): void {
    const capacity = this.rows.length * 2;
    this.rows = longer(this.rows, capacity);
    this.transitions = longer(this.transitions, capacity);
    this.flags = longer(this.flags, capacity);
    this.createdAt = longer(this.createdAt, capacity);
    this.serviceEnds = longer(this.serviceEnds, capacity);
    this.ends = longer(this.ends, capacity);
  }
}

/** Returns the change from one state to another, or null if they are equal. */
function changeBetween(from: number, to: number): ChangeKind | null {
  if (from === to) return null;
  if (to === State.gone) return "gone";
  if (to === State.removed) return "removed";
  if (from === State.removed || (from === State.gone && to === State.pending)) return "returned";
  return to === State.pending ? "staged" : "imported";
}
