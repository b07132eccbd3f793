/**
 * Reads the stored states and ages of a supplier's accounts, and counts its pending accounts by age
 * for summaries.
 */

import { release } from "../../accounts/columns.ts";
import { maybeInstant, type Rows } from "../../sqlite/rows.ts";
import { NumberIndex } from "../account-numbers.ts";
import type { AgesColumns, Places } from "./ages.ts";
import {
  agesColumns,
  blockShift,
  type DistinctTimes,
  Part,
  type PartKind,
  readNumbers,
  readStates,
  State,
  stateIn,
  storedBlockRows,
  storedState,
  Time,
  unpackDistinctTimes,
} from "./block-parts.ts";
import { blocksOf, deltasAfter, readPart, type StoredList, storedList } from "./parts-table.ts";

/** The states and times of all accounts of a list, as of its last observation. */
interface StoredAges {
  readonly states: Uint8Array;
  /** All distinct times in epoch milliseconds. The columns have the index of each row's time. */
  readonly times: Float64Array;
  readonly firstSeen: Places;
  readonly pendingSince: Places;
  readonly leftAt: Places;
}

/** Reads the states and times of a list: those of its blocks, with the later deltas applied. */
function storedAges(rows: Rows, list: StoredList): StoredAges {
  const states = new Uint8Array(list.rows);
  const ages = new RowTimes(agesColumns, list.rows);
  eachBlock(rows, list, Part.states, (packed, from) => readStates(packed, from, states));
  eachBlock(rows, list, Part.ages, (packed, from) => {
    const count = Math.min(storedBlockRows, list.rows - from);
    const columns = unpackDistinctTimes(packed, agesColumns, count);
    for (const [at, column] of columns.entries()) ages.setAll(at, from, count, column);
  });
  for (const { delta, at: time } of deltasAfter(rows, list.id, list.foldedSeq)) {
    for (let at = 0; at < delta.count; at++) {
      const row = delta.rows[at] as number;
      const [from, to] = [delta.previousState(at), delta.newState(at)];
      states[row] = storedState(states[row] as number, to);
      if (from === to) continue;
      if (from === State.none) ages.set(Time.firstSeen, row, time);
      const isListed = to === State.pending || to === State.imported;
      ages.set(Time.leftAt, row, isListed ? Number.NaN : time);
      if (isListed) {
        ages.set(Time.pendingSince, row, to === State.pending ? time : Number.NaN);
      }
    }
  }
  return {
    states,
    times: ages.times(),
    firstSeen: ages.column(Time.firstSeen),
    pendingSince: ages.column(Time.pendingSince),
    leftAt: ages.column(Time.leftAt),
  };
}

/**
 * Reads the ages of a supplier. Returns null if it was never observed. `today` is the start of
 * today in epoch milliseconds.
 */
export function readAges(
  rows: Rows,
  origin: string,
  supplier: string,
  today: number,
): AgesColumns | null {
  const list = storedList(rows, origin, supplier);
  if (list === null) return null;
  const numbers = numbersOf(rows, list);
  const index = new NumberIndex(numbers, { expected: list.rows });
  index.extend(list.rows);
  const ages = storedAges(rows, list);
  return {
    observedAt: list.lastAt,
    historySince: list.firstAt,
    rows: list.rows,
    ...numbers,
    ...ages,
    slots: index.slots,
    isNew: rowsNewSince(rows, list, ages.states, today),
  };
}

function numbersOf(rows: Rows, list: StoredList) {
  const numbers = { text: new Uint8Array(list.rows * 8), ends: new Uint32Array(list.rows) };
  eachBlock(rows, list, Part.numbers, (packed, from) => readNumbers(packed, from, numbers));
  return numbers;
}

/** Reads one part of each block, and frees its memory. */
function eachBlock(
  rows: Rows,
  list: StoredList,
  kind: PartKind,
  read: (packed: Uint8Array, from: number) => void,
): void {
  for (let block = 0; block < blocksOf(list.rows); block++) {
    const packed = readPart(rows, list.id, kind, block);
    read(packed, block << blockShift);
    release(packed);
  }
}

/** Returns the listed accounts that were not listed in the last observation before a time. */
function rowsNewSince(rows: Rows, list: StoredList, states: Uint8Array, time: number): Set<number> {
  const isNew = new Set<number>();
  const last = rows.get(
    "SELECT max(seq) AS seq FROM observation WHERE list = ? AND at < ?",
    list.id,
    time,
  );
  const seq = last === undefined ? null : maybeInstant(last, "seq");
  if (seq === null) return isNew;
  const isListed = (state: number) => state === State.pending || state === State.imported;
  const checked = new Set<number>();
  for (const { delta } of deltasAfter(rows, list.id, seq)) {
    for (let at = 0; at < delta.count; at++) {
      const row = delta.rows[at] as number;
      if (checked.has(row)) continue;
      checked.add(row);
      if (!isListed(delta.previousState(at)) && isListed(stateIn(states[row] as number)))
        isNew.add(row);
    }
  }
  return isNew;
}

/**
 * The numbers of pending accounts by pending time, for each list. A summary is requested many times
 * between two observations, so the ages of all accounts are read once and cached.
 */
export class PendingTimes {
  readonly #lists = new Map<
    number,
    { readonly seq: number; readonly counts: ReadonlyMap<number, number> }
  >();

  /** Returns the number of accounts pending since each time (epoch milliseconds). */
  of(rows: Rows, list: StoredList): ReadonlyMap<number, number> {
    const known = this.#lists.get(list.id);
    if (known?.seq === list.seq) return known.counts;
    const counts = countPending(rows, list);
    this.#lists.set(list.id, { seq: list.seq, counts });
    return counts;
  }
}

function countPending(rows: Rows, list: StoredList): ReadonlyMap<number, number> {
  const { states, times, pendingSince } = storedAges(rows, list);
  const counts = new Uint32Array(times.length);
  for (let row = 0; row < states.length; row++) {
    if (stateIn(states[row] as number) !== State.pending) continue;
    const place = pendingSince[row] as number;
    counts[place] = (counts[place] as number) + 1;
  }
  const byTime = new Map<number, number>();
  for (const [place, count] of counts.entries()) {
    if (count > 0) byTime.set(times[place] as number, count);
  }
  return byTime;
}

/** Maximum number of distinct times for two-byte indexes. */
const maxTwoByteTimes = 2 ** 16;

/**
 * Columns of times in epoch milliseconds, or NaN for none. There are only as many distinct times as
 * observations with a change, so each time is stored once, with its index for each row.
 */
class RowTimes {
  /** The distinct times. The time at index 0 is NaN. */
  readonly #times: number[] = [Number.NaN];
  readonly #places = new Map<number, number>([[Number.NaN, 0]]);
  #columns: Places[];

  constructor(columns: number, rows: number) {
    this.#columns = Array.from({ length: columns }, () => new Uint16Array(rows));
  }

  set(column: number, row: number, time: number): void {
    const place = this.#placeOf(time);
    this.column(column)[row] = place;
  }

  /** Sets `count` rows, beginning with `from`. */
  setAll(column: number, from: number, count: number, { times, timeIndexes }: DistinctTimes): void {
    const known = Array.from(times, (time) => this.#placeOf(time));
    const rows = this.column(column);
    if (timeIndexes === null) rows.fill(known[0] ?? 0, from, from + count);
    else
      for (let row = 0; row < count; row++)
        rows[from + row] = known[timeIndexes[row] as number] as number;
  }

  /** Returns the index of each row's time in {@link times}. */
  column(column: number): Places {
    return this.#columns[column] as Places;
  }

  times(): Float64Array<ArrayBuffer> {
    return Float64Array.from(this.#times);
  }

  #placeOf(time: number): number {
    const known = this.#places.get(time);
    if (known !== undefined) return known;
    const place = this.#times.length;
    if (place === maxTwoByteTimes)
      this.#columns = this.#columns.map((column) => Uint32Array.from(column));
    this.#times.push(time);
    this.#places.set(time, place);
    return place;
  }
}
