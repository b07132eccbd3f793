/** Caches the pending times of the accounts of each list, for summaries. */
import type { Rows } from "../../sqlite/rows.ts";
import { State, stateIn } from "./block-parts.ts";
import type { StoredList } from "./parts-table.ts";
import { storedAges } from "./read-ages.ts";

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
    const counts = counted(rows, list);
    this.#lists.set(list.id, { seq: list.seq, counts });
    return counts;
  }
}

function counted(rows: Rows, list: StoredList): ReadonlyMap<number, number> {
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
