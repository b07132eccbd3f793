/**
 * Everything that complete lists have shown of a supplier's accounts, in columns. A row is never
 * removed: a forgotten account leaves an empty row, so that stored changes name the same rows.
 */
import { longer } from "../../accounts/columns.ts";
import { runToEnd, type Sliced } from "../../accounts/slices.ts";
import { Damage } from "../../sqlite/file-error.ts";
import { NumberIndex } from "../account-numbers.ts";
import { Texts } from "./texts.ts";
import { Instants, TimeColumn } from "./times.ts";

export const State = { none: 0, pending: 1, imported: 2, gone: 3, removed: 4 } as const;

/** Bits beside the state: imported once; the last list gave a service number, a creation time. */
export const Mark = { everImported: 8, saidService: 16, saidCreated: 32 } as const;
const stateBits = 7;

export function stateOf(bits: number): number {
  return bits & stateBits;
}

const timeNames = ["firstSeen", "pendingSince", "leftAt", "lastSeen"] as const;
type Times = Readonly<Record<(typeof timeNames)[number], TimeColumn>>;
export type Columns = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

function timesOf(columnOf: (name: keyof Times) => TimeColumn): Times {
  return Object.fromEntries(timeNames.map((name) => [name, columnOf(name)])) as unknown as Times;
}

interface Parts {
  readonly numbers: Texts;
  readonly services: Texts;
  readonly created: Float64Array<ArrayBuffer>;
  readonly states: Uint8Array<ArrayBuffer>;
  readonly instants: Instants;
  readonly times: Times;
  readonly index: NumberIndex;
}

export class Accounts {
  readonly numbers: Texts;
  readonly services: Texts;
  created: Float64Array<ArrayBuffer>;
  states: Uint8Array<ArrayBuffer>;
  readonly times: Times;
  /** Has rows from the first to {@link NumberIndex.rows}; see {@link indexing}. */
  readonly index: NumberIndex;
  rows: number;
  readonly #instants: Instants;

  constructor(parts: Parts = runToEnd(partsIn({}))) {
    this.numbers = parts.numbers;
    this.services = parts.services;
    this.created = parts.created;
    this.states = parts.states;
    this.times = parts.times;
    this.index = parts.index;
    this.rows = parts.numbers.count;
    this.#instants = parts.instants;
  }

  /**
   * Returns these accounts for a comparison, which changes them. It adds to the texts, and the state
   * and the times of these accounts stay, so that ages that are in use can be read meanwhile. Only one
   * comparison can have them.
   */
  next(): Accounts {
    const { numbers, services, created, index } = this;
    const times = timesOf((name) => this.times[name].copy());
    const states = this.states.slice();
    return new Accounts({
      numbers,
      services,
      created,
      index,
      states,
      times,
      instants: this.#instants,
    });
  }

  state(row: number): number {
    return stateOf(this.states[row] as number);
  }

  has(row: number, mark: number): boolean {
    return ((this.states[row] as number) & mark) !== 0;
  }

  /** Adds all rows to the index, with room for `more` rows. */
  *indexing(more = 0): Sliced<void> {
    yield* this.index.extending(this.rows, more);
  }

  /** Returns the row of a number, or -1. All rows must be in the index. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const row = this.index.find(bytes, from, to);
    return row < this.rows ? row : -1;
  }

  add(bytes: Uint8Array, from: number, to: number, serviceEnd: number, createdAt: number): number {
    const row = this.rows;
    this.numbers.add(bytes, from, to);
    this.services.add(bytes, to, serviceEnd);
    if (row === this.states.length) this.#grow(row * 2 + 64);
    this.created[row] = createdAt;
    this.states[row] = saidMarks(serviceEnd > to, createdAt);
    this.rows = row + 1;
    return row;
  }

  #grow(rows: number): void {
    this.created = longer(this.created, rows);
    this.states = longer(this.states, rows);
    for (const name of timeNames) this.times[name].grow(rows);
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
    if (from === State.none) firstSeen.set(row, at);
    const isListed = to === State.pending || to === State.imported;
    leftAt.set(row, isListed ? Number.NaN : at);
    if (isListed) pendingSince.set(row, to === State.pending ? at : Number.NaN);
    else lastSeen.set(row, before);
  }

  /** Returns true if {@link forget} would empty a row. */
  hasDeparted(time: number): boolean {
    return this.#departed(time).next().done === false;
  }

  *#departed(time: number): Generator<number, void, void> {
    for (let row = 0; row < this.rows; row++) {
      const state = this.state(row);
      if (state !== State.gone && state !== State.removed) continue;
      if (this.times.lastSeen.at(row) < time) yield row;
    }
  }

  /**
   * Empties the rows of accounts that left and were last seen before `time`. Nothing finds their numbers later,
   * if no row was in the index before.
   */
  *forget(time: number): Sliced<number> {
    let forgotten = 0;
    for (const row of this.#departed(time)) {
      forgotten += 1;
      this.states[row] = State.none;
      this.created[row] = Number.NaN;
      for (const name of timeNames) this.times[name].set(row, Number.NaN);
      for (const texts of [this.numbers, this.services]) texts.set(row, new Uint8Array(0));
    }
    yield* this.writeChanged();
    return forgotten;
  }

  *writeChanged(): Sliced<void> {
    for (const texts of [this.numbers, this.services]) yield* texts.writeChanged();
  }

  /** Returns the columns to store, after {@link writeChanged}. */
  columns(): Readonly<Record<string, Uint8Array>> {
    const { numbers, services, rows } = this;
    const instants = Float64Array.from(this.#instants.values);
    return {
      numbers: numbers.bytes(),
      numberLengths: bytesOf(numbers.lengths(), rows),
      services: services.bytes(),
      serviceLengths: bytesOf(services.lengths(), rows),
      created: bytesOf(this.created, rows),
      states: bytesOf(this.states, rows),
      instants: bytesOf(instants, instants.length),
      ...Object.fromEntries(timeNames.map((name) => [name, bytesOf(this.times[name].codes, rows)])),
    };
  }
}

/** Returns the parts in stored columns. Throws {@link Damage} if they do not fit together. */
export function* partsIn(stored: Columns): Sliced<Parts> {
  const bytes = (name: string) => stored[name] ?? new Uint8Array(0);
  const numbers = new Texts(stored.numbers, words(bytes("numberLengths")));
  yield;
  const services = new Texts(stored.services, words(bytes("serviceLengths")));
  const created = instantsIn(bytes("created"));
  const states = bytes("states");
  const rows = numbers.count;
  const instants = new Instants(stored.instants && instantsIn(stored.instants));
  const columns = new Map<string, TimeColumn>();
  for (const name of timeNames) {
    yield;
    const codes = bytes(name);
    const isWide = codes.length === rows * 4;
    columns.set(name, new TimeColumn(instants, isWide ? words(codes) : halfWords(codes)));
  }
  const times = timesOf((name) => columns.get(name) as TimeColumn);
  const lengths = [services.count, created.length, states.length];
  for (const { codes } of columns.values()) lengths.push(codes.length);
  if (lengths.some((length) => length !== rows))
    throw new Damage("stored columns have different lengths");
  return { numbers, services, created, states, instants, times, index: new NumberIndex(numbers) };
}

function saidMarks(hasService: boolean, createdAt: number): number {
  return (hasService ? Mark.saidService : 0) | (Number.isNaN(createdAt) ? 0 : Mark.saidCreated);
}

type Numbers = ArrayBufferView & { readonly BYTES_PER_ELEMENT: number };

function bytesOf(column: Numbers, rows: number): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, rows * column.BYTES_PER_ELEMENT);
}

function halfWords(bytes: Uint8Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  return new Uint16Array(...within(bytes, 2));
}

function words(bytes: Uint8Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  return new Uint32Array(...within(bytes, 4));
}

function instantsIn(bytes: Uint8Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  return new Float64Array(...within(bytes, 8));
}

/** Returns the memory of values of `size` bytes each. */
function within(
  { buffer, byteOffset, length }: Uint8Array<ArrayBuffer>,
  size: number,
): [buffer: ArrayBuffer, byteOffset: number, length: number] {
  if (length % size !== 0) throw new Damage("a stored column is cut");
  return [buffer, byteOffset, length / size];
}
