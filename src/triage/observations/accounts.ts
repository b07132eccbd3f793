/**
 * Everything that complete lists have shown of a supplier's accounts, in columns. A row is never
 * removed: a forgotten account leaves an empty row, so that stored changes name the same rows.
 */
import { longer } from "../../accounts/columns.ts";
import { Damage } from "../../sqlite/file-error.ts";
import { isNumber, type NumberColumn, NumberIndex, numberStart } from "../account-numbers.ts";

export const State = { none: 0, pending: 1, imported: 2, gone: 3, removed: 4 } as const;

/** Bits beside the state: imported once; the last list gave a service number, a creation time. */
export const Mark = { everImported: 8, saidService: 16, saidCreated: 32 } as const;
const stateBits = 7;

/** Returns the state in a byte of the column of states. */
export function stateOf(bits: number): number {
  return bits & stateBits;
}

/** Texts in one array of bytes. A changed one stands beside it until the column is packed. */
class Texts implements NumberColumn {
  text: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  count = 0;
  readonly #changed = new Map<number, Uint8Array>();

  constructor(text = new Uint8Array(1 << 12), lengths = new Uint32Array(0)) {
    this.text = text;
    this.ends = lengths;
    this.count = lengths.length;
    let end = 0;
    for (let row = 0; row < this.count; row++) lengths[row] = end += lengths[row] as number;
    if (end > text.length) throw new Damage("a stored text is too short");
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    const start = numberStart(this.ends, this.count);
    const end = start + to - from;
    if (this.count === this.ends.length) this.ends = longer(this.ends, this.count * 2 + 64);
    if (end > this.text.length) this.text = longer(this.text, end + (end >>> 1));
    for (let at = from; at < to; at++) this.text[start + at - from] = bytes[at] as number;
    this.ends[this.count++] = end;
  }

  at(row: number): Uint8Array {
    return (
      this.#changed.get(row) ?? this.text.subarray(numberStart(this.ends, row), this.ends[row])
    );
  }

  set(row: number, bytes: Uint8Array): void {
    this.#changed.set(row, bytes);
  }

  is(row: number, bytes: Uint8Array, from: number, to: number): boolean {
    const changed = this.#changed.size === 0 ? undefined : this.#changed.get(row);
    if (changed === undefined) return isNumber(this, row, bytes, from, to);
    return Buffer.compare(changed, bytes.subarray(from, to)) === 0;
  }

  columns(): { readonly text: Uint8Array; readonly lengths: Uint32Array } {
    if (this.#changed.size > 0) this.#rewrite();
    const lengths = this.ends.slice(0, this.count);
    for (let row = this.count - 1; row > 0; row--)
      lengths[row] = (lengths[row] as number) - (lengths[row - 1] as number);
    return { text: this.text.subarray(0, numberStart(this.ends, this.count)), lengths };
  }

  /** Writes the changed texts into the column. */
  #rewrite(): void {
    const all = new Texts(new Uint8Array(this.text.length + 1024));
    let from = 0;
    for (let row = 0; row < this.count; row++) {
      const to = this.ends[row] as number;
      const changed = this.#changed.get(row);
      if (changed === undefined) all.add(this.text, from, to);
      else all.add(changed, 0, changed.length);
      from = to;
    }
    this.text = all.text;
    this.ends = all.ends;
    this.#changed.clear();
  }
}

const timeNames = ["firstSeen", "pendingSince", "leftAt", "lastSeen"] as const;
type TimeName = (typeof timeNames)[number];
export type Columns = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

export class Accounts {
  readonly numbers: Texts;
  readonly services: Texts;
  created: Float64Array<ArrayBuffer>;
  states: Uint8Array<ArrayBuffer>;
  readonly times: Record<TimeName, Float64Array<ArrayBuffer>>;
  #index: NumberIndex | null = null;

  constructor(stored: Columns = {}) {
    const bytes = (name: string) => stored[name] ?? new Uint8Array(0);
    this.numbers = new Texts(bytes("numbers"), words(bytes("numberLengths")));
    this.services = new Texts(bytes("services"), words(bytes("serviceLengths")));
    this.created = instants(bytes("created"));
    this.states = bytes("states");
    const times = timeNames.map((name) => [name, instants(bytes(name))]);
    this.times = Object.fromEntries(times) as Record<TimeName, Float64Array<ArrayBuffer>>;
    const lengths = [this.services.count, this.created.length, this.states.length];
    for (const { length } of Object.values(this.times)) lengths.push(length);
    if (lengths.some((length) => length !== this.rows))
      throw new Damage("stored columns have different lengths");
  }

  get rows(): number {
    return this.numbers.count;
  }

  get index(): NumberIndex {
    this.#index ??= new NumberIndex(this.numbers, { expected: this.rows });
    return this.#index;
  }

  state(row: number): number {
    return stateOf(this.states[row] as number);
  }

  has(row: number, mark: number): boolean {
    return ((this.states[row] as number) & mark) !== 0;
  }

  find(bytes: Uint8Array, from: number, to: number): number {
    this.index.extend(this.rows);
    return this.index.find(bytes, from, to);
  }

  /** Adds an account without a state, with its data in the list. */
  add(bytes: Uint8Array, from: number, to: number, serviceEnd: number, createdAt: number): number {
    const row = this.rows;
    this.numbers.add(bytes, from, to);
    this.services.add(bytes, to, serviceEnd);
    if (row === this.states.length) this.#grow(row * 2 + 64);
    this.created[row] = createdAt;
    this.states[row] = saidMarks(serviceEnd > to, createdAt);
    for (const name of timeNames) this.times[name][row] = Number.NaN;
    return row;
  }

  #grow(rows: number): void {
    this.created = longer(this.created, rows);
    this.states = longer(this.states, rows);
    for (const name of timeNames) this.times[name] = longer(this.times[name], rows);
  }

  /** Stores the data of an account in a list; data that the list does not have stays. */
  say(row: number, service: Uint8Array, createdAt: number): void {
    if (service.length > 0) this.services.set(row, service);
    if (!Number.isNaN(createdAt)) this.created[row] = createdAt;
    this.states[row] =
      ((this.states[row] as number) & (stateBits | Mark.everImported)) |
      saidMarks(service.length > 0, createdAt);
  }

  /** Moves an account to a state at the time of a list. `before` is the time of the list before. */
  move(row: number, to: number, at: number, before: number): void {
    const from = this.state(row);
    const { firstSeen, pendingSince, leftAt, lastSeen } = this.times;
    const ever = to === State.imported ? Mark.everImported : 0;
    this.states[row] = ((this.states[row] as number) & ~stateBits) | to | ever;
    if (from === to) return;
    if (from === State.none) firstSeen[row] = at;
    const isListed = to === State.pending || to === State.imported;
    leftAt[row] = isListed ? Number.NaN : at;
    if (isListed) pendingSince[row] = to === State.pending ? at : Number.NaN;
    else lastSeen[row] = before;
  }

  /** Empties the rows of accounts that left and were last seen before `time`. */
  forget(time: number): number {
    let forgotten = 0;
    for (let row = 0; row < this.rows; row++) {
      const state = this.state(row);
      if (state !== State.gone && state !== State.removed) continue;
      if (!((this.times.lastSeen[row] as number) < time)) continue;
      forgotten += 1;
      this.states[row] = State.none;
      this.created[row] = Number.NaN;
      for (const name of timeNames) this.times[name][row] = Number.NaN;
      for (const texts of [this.numbers, this.services]) texts.set(row, new Uint8Array(0));
    }
    return forgotten;
  }

  columns(): Readonly<Record<string, Uint8Array>> {
    const [numbers, services] = [this.numbers.columns(), this.services.columns()];
    const bytes = (column: ArrayBufferView & { readonly BYTES_PER_ELEMENT: number }) =>
      new Uint8Array(column.buffer, column.byteOffset, this.rows * column.BYTES_PER_ELEMENT);
    return {
      numbers: numbers.text,
      numberLengths: bytes(numbers.lengths),
      services: services.text,
      serviceLengths: bytes(services.lengths),
      created: bytes(this.created),
      states: bytes(this.states),
      ...Object.fromEntries(timeNames.map((name) => [name, bytes(this.times[name])])),
    };
  }
}

function saidMarks(hasService: boolean, createdAt: number): number {
  return (hasService ? Mark.saidService : 0) | (Number.isNaN(createdAt) ? 0 : Mark.saidCreated);
}

function words(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  return new Uint32Array(aligned(bytes, 4));
}

function instants(bytes: Uint8Array): Float64Array<ArrayBuffer> {
  return new Float64Array(aligned(bytes, 8));
}

function aligned(bytes: Uint8Array, size: number): ArrayBuffer {
  if (bytes.length % size !== 0) throw new Damage("a stored column is cut");
  const isWhole = bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length;
  return (isWhole ? bytes.buffer : bytes.slice().buffer) as ArrayBuffer;
}
