/** Merges the stored changes of a list into its blocks, so that reading it stays fast. */
import { type Row, type Rows, whole } from "../../sqlite/rows.ts";
import { dayMs } from "../../text/durations.ts";
import {
  agesColumns,
  blockShift,
  Part,
  packContent,
  packHashes,
  packNumbers,
  packStates,
  packTimes,
  pastColumns,
  State,
  stateIn,
  storedBlockRows,
  storedState,
  Time,
  unpackContent,
  unpackHashes,
  unpackNumbers,
  unpackStates,
  unpackTimes,
} from "./block-parts.ts";
import { ContentRows, contentAt, hash, type PlacedContent, placed } from "./content.ts";
import type { Delta } from "./delta.ts";
import { hashEntry } from "./known-accounts.ts";
import { blocksOf, deltasAfter, readPart, type StoredDelta } from "./parts-table.ts";

/** Deltas are folded if they have more than one entry for this number of rows of the list. */
const rowsPerEntry = 32;
/** Deltas with at most this number of entries are not folded because of their entries. */
const fewEntries = 4_096;
/** More deltas than this number are folded. */
const maxDeltas = 300;

/** Folds the deltas of a list into its blocks if there are many, or after a day. */
export function foldDue(rows: Rows, id: number, now: number): void {
  const list = rows.get("SELECT * FROM list WHERE id = ?", id);
  if (list === undefined) return;
  const isDue =
    whole(list, "unfolded") > Math.max(fewEntries, whole(list, "rows") / rowsPerEntry) ||
    whole(list, "seq") - whole(list, "folded_seq") > maxDeltas ||
    Math.abs(now - whole(list, "folded_at")) > dayMs;
  if (isDue) fold(rows, list);
}

/** Folds all deltas of a list into its blocks. `list` is the row of the list. */
export function fold(rows: Rows, list: Row): void {
  const id = whole(list, "id");
  const rowCount = whole(list, "rows");
  const deltas = deltasAfter(rows, id, whole(list, "folded_seq"));
  const earlier = observedBefore(rows, id, deltas, whole(list, "folded_at"));
  for (let block = 0; block < blocksOf(rowCount); block++) {
    const from = block << blockShift;
    const isTouched = deltas.some(({ delta }) => {
      const at = delta.indexFrom(from);
      return at < delta.count && (delta.rows[at] as number) < from + storedBlockRows;
    });
    if (!isTouched) continue;
    const open = new OpenBlock(rows, id, block, Math.min(storedBlockRows, rowCount - from));
    for (const { delta, at, seq } of deltas) open.apply(delta, at, earlier.get(seq) ?? at);
    open.write();
  }
  // After the fold, the deltas only list the changes. Most of their bytes are content.
  for (const { seq, delta } of deltas) {
    const changes = delta.reducedAfterFold().packed();
    rows.update("observation", { delta: changes }, "list = ? AND seq = ?", id, seq);
  }
  rows.run("UPDATE list SET folded_seq = seq, folded_at = last_at, unfolded = 0 WHERE id = ?", id);
}

/** Deletes the accounts that left a folded list and were last seen before a time. */
export function deleteDepartedBefore(rows: Rows, list: Row, time: number): void {
  const rowCount = whole(list, "rows");
  for (let block = 0; block < blocksOf(rowCount); block++) {
    const rowsInBlock = Math.min(storedBlockRows, rowCount - (block << blockShift));
    const open = new OpenBlock(rows, whole(list, "id"), block, rowsInBlock);
    if (open.deleteDepartedBefore(time)) open.write();
  }
}

/**
 * Returns for each delta the start of the previous observation, which is the time at which its
 * accounts were last seen.
 */
function observedBefore(
  rows: Rows,
  id: number,
  deltas: readonly StoredDelta[],
  foldedAt: number,
): ReadonlyMap<number, number> {
  const firstSeq = deltas[0]?.seq ?? 0;
  const times = new Map<number, number>();
  let before = foldedAt;
  for (const row of rows.all(
    "SELECT seq, at FROM observation WHERE list = ? AND seq >= ? ORDER BY seq",
    id,
    firstSeq - 1,
  )) {
    times.set(whole(row, "seq"), before);
    before = whole(row, "at");
  }
  return times;
}

/** All parts of one block, unpacked so that they can be changed. */
class OpenBlock {
  readonly #sql: Rows;
  readonly #list: number;
  readonly #block: number;
  readonly #rows: number;
  readonly #states: Uint8Array;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #ages: Float64Array[];
  readonly #past: Float64Array[];
  readonly #content: PlacedContent;
  readonly #services = new Map<number, Uint8Array | null>();
  readonly #deleted = new Set<number>();

  constructor(sql: Rows, list: number, block: number, rows: number) {
    this.#sql = sql;
    this.#list = list;
    this.#block = block;
    this.#rows = rows;
    this.#states = unpackStates(readPart(sql, list, Part.states, block)).slice();
    const { low, high } = unpackHashes(readPart(sql, list, Part.hashes, block));
    this.#low = low;
    this.#high = high;
    this.#ages = unpackTimes(readPart(sql, list, Part.ages, block), agesColumns, rows);
    this.#past = unpackTimes(readPart(sql, list, Part.past, block), pastColumns, rows);
    this.#content = placed(unpackContent(readPart(sql, list, Part.content, block), rows));
  }

  /** Applies the entries of one observation. `before` is the start of the previous observation. */
  apply(delta: Delta, at: number, before: number): void {
    const from = this.#block << blockShift;
    for (let entry = delta.indexFrom(from); entry < delta.count; entry++) {
      const row = (delta.rows[entry] as number) - from;
      if (row >= this.#rows) return;
      this.#states[row] = storedState(this.#states[row] as number, delta.newState(entry));
      this.#applyTimes(row, delta.previousState(entry), delta.newState(entry), at, before);
      if (hashEntry(delta, entry)) {
        this.#low[row] = hash.low;
        this.#high[row] = hash.high;
        this.#services.set(row, delta.service(entry));
        this.#content.createdAt[row] = delta.createdAt[entry] as number;
      }
    }
  }

  #applyTimes(row: number, from: number, to: number, at: number, before: number): void {
    if (from === to) return;
    const setIfUnknown = (time: number) => {
      if (Number.isNaN(this.#time(time)[row] as number)) this.#time(time)[row] = at;
    };
    if (from === State.pending) this.#time(Time.lastPending)[row] = before;
    if (from === State.none) this.#time(Time.firstSeen)[row] = at;
    if (to === State.pending || to === State.imported) {
      this.#time(Time.leftAt)[row] = Number.NaN;
      this.#time(Time.pendingSince)[row] = to === State.pending ? at : Number.NaN;
      setIfUnknown(to === State.pending ? Time.firstPending : Time.firstImported);
    } else {
      this.#time(Time.leftAt)[row] = at;
      this.#time(Time.lastSeen)[row] = before;
    }
  }

  /**
   * Deletes the accounts that left the list and were last seen before a time. Returns false if
   * there are none.
   */
  deleteDepartedBefore(time: number): boolean {
    for (let row = 0; row < this.#rows; row++) {
      const state = stateIn(this.#states[row] as number);
      if (state !== State.gone && state !== State.removed) continue;
      if (!((this.#time(Time.lastSeen)[row] as number) < time)) continue;
      this.#states[row] = State.none;
      this.#low[row] = 0;
      this.#high[row] = 0;
      for (const column of [...this.#ages, ...this.#past]) column[row] = Number.NaN;
      this.#services.set(row, null);
      this.#content.createdAt[row] = Number.NaN;
      this.#deleted.add(row);
    }
    return this.#deleted.size > 0;
  }

  /** Returns the column of a time of {@link Time}. */
  #time(time: number): Float64Array {
    return (time < agesColumns ? this.#ages[time] : this.#past[time - agesColumns]) as Float64Array;
  }

  /** Stores the changed parts. */
  write(): void {
    const put = (kind: (typeof Part)[keyof typeof Part], bytes: Uint8Array) =>
      this.#sql.replace("part", { list: this.#list, kind, block: this.#block, bytes });
    put(Part.states, packStates(this.#states));
    put(Part.hashes, packHashes(this.#low, this.#high));
    put(Part.ages, packTimes(this.#ages, this.#rows));
    put(Part.past, packTimes(this.#past, this.#rows));
    put(Part.content, packContent(this.#newContent(), this.#rows));
    if (this.#deleted.size > 0) put(Part.numbers, this.#remainingNumbers());
  }

  #newContent(): ContentRows {
    const content = new ContentRows();
    for (let row = 0; row < this.#rows; row++) {
      const { service, createdAt } = contentAt(this.#content, row);
      const changed = this.#services.get(row);
      content.put({ service: changed === undefined ? service : changed, createdAt });
    }
    return content;
  }

  #remainingNumbers(): Uint8Array {
    const { lengths, text } = unpackNumbers(
      readPart(this.#sql, this.#list, Part.numbers, this.#block),
    );
    const texts: Uint8Array[] = [];
    const ends = new Uint32Array(lengths.length);
    let start = 0;
    let end = 0;
    for (const [row, length] of lengths.entries()) {
      if (!this.#deleted.has(row)) {
        texts.push(text.subarray(start, start + length));
        end += length;
      }
      ends[row] = end;
      start += length;
    }
    return packNumbers({ text: Buffer.concat(texts), ends }, 0, lengths.length);
  }
}
