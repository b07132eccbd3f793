/** Reads the stored states and ages of a supplier's accounts. */
import { maybeInstant, type Rows } from "../../sqlite/rows.ts";
import { NumberIndex } from "../number-index.ts";
import type { AgesColumns } from "./ages.ts";
import {
  agesColumns,
  blockRows,
  blockShift,
  Part,
  type PartKind,
  readNumbers,
  readStates,
  State,
  stateIn,
  storedState,
  Time,
  unpackPlaces,
} from "./block-parts.ts";
import { blocksOf, deltasAfter, readPart, type StoredList, storedList } from "./parts-table.ts";
import { release } from "./room.ts";
import { type Places, RowTimes } from "./row-times.ts";

/** The states and times of all accounts of a list, as of its last observation. */
interface StoredAges {
  readonly states: Uint8Array;
  /** All distinct times in epoch milliseconds. The columns have the index of each row's time. */
  readonly times: Float64Array;
  readonly firstSeen: Places;
  readonly pendingSince: Places;
  readonly leftAt: Places;
}

export function storedAges(rows: Rows, list: StoredList): StoredAges {
  const states = new Uint8Array(list.rows);
  const ages = new RowTimes(agesColumns, list.rows);
  eachBlock(rows, list, Part.states, (packed, from) => readStates(packed, from, states));
  eachBlock(rows, list, Part.ages, (packed, from) => {
    const count = Math.min(blockRows, list.rows - from);
    const columns = unpackPlaces(packed, agesColumns, count);
    for (const [at, column] of columns.entries()) ages.setAll(at, from, count, column);
  });
  for (const { delta, at: time } of deltasAfter(rows, list.id, list.foldedSeq)) {
    for (let at = 0; at < delta.count; at++) {
      const row = delta.rows[at] as number;
      const [from, to] = [delta.from(at), delta.to(at)];
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
    isNew: newSince(rows, list, ages.states, today),
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
function newSince(rows: Rows, list: StoredList, states: Uint8Array, time: number): Set<number> {
  const isNew = new Set<number>();
  const last = rows.get(
    "SELECT max(seq) AS seq FROM observation WHERE list = ? AND at < ?",
    list.id,
    time,
  );
  const seq = last === undefined ? null : maybeInstant(last, "seq");
  if (seq === null) return isNew;
  const isListed = (state: number) => state === State.pending || state === State.imported;
  const known = new Set<number>();
  for (const { delta } of deltasAfter(rows, list.id, seq)) {
    for (let at = 0; at < delta.count; at++) {
      const row = delta.rows[at] as number;
      if (known.has(row)) continue;
      known.add(row);
      if (!isListed(delta.from(at)) && isListed(stateIn(states[row] as number))) isNew.add(row);
    }
  }
  return isNew;
}
