/** Finds the accounts of a list that were created last, without implausible creation times. */
import { blockRows, fieldText, type RowColumns, TextColumn } from "../../accounts/columns.ts";
import type { AccountTable } from "../../accounts/table.ts";
import { minuteMs } from "../../text/durations.ts";
import { plural } from "../../text/numbers.ts";

/** Maximum milliseconds between two correct clocks. */
const clockSkewMs = 5 * minuteMs;

/**
 * Returns the last plausible creation time on a list that was requested at `now` (epoch
 * milliseconds). An account cannot be created after the response that lists it. Figures exclude
 * accounts with a later time, because they would remain the newest.
 */
export function latestCreation(now: number): number {
  return now + clockSkewMs;
}

/** Returns the note that figures exclude accounts, or an empty text if they exclude none. */
export function aheadWords(ahead: number): string {
  return ahead === 0 ? "" : `${plural(ahead, "account")} created in the future: not counted`;
}

/** An account among the newest. */
export interface NewAccount {
  readonly external: string;
  readonly service: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A row that is among the newest so far. */
interface Candidate {
  readonly time: number;
  /** The position of the row in the list. */
  readonly row: number;
  readonly columns: RowColumns;
  readonly index: number;
}

/**
 * Collects the accounts created last, newest first. If creation times are equal, the account listed
 * last comes first.
 */
export class NewestAccounts {
  readonly #limit: number;
  readonly #latest: number;
  #ahead = 0;
  #candidates: Candidate[] = [];
  #read = new Map<number, NewAccount>();

  /**
   * Accounts created after `latest` (epoch milliseconds) are excluded. See {@link latestCreation}.
   */
  constructor(limit: number, latest: number) {
    this.#limit = limit;
    this.#latest = latest;
  }

  /** Number of accounts with a creation time too far in the future. */
  get ahead(): number {
    return this.#ahead;
  }

  /** The lowest creation time that can still be among the newest. */
  get least(): number {
    if (this.#limit === 0) return Number.POSITIVE_INFINITY;
    if (this.#candidates.length < this.#limit) return Number.NEGATIVE_INFINITY;
    return this.#candidates.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * Adds the row at `index` of these columns, created at `time`. `row` is its position in the list.
   */
  take(columns: RowColumns, index: number, time: number, row: number): void {
    if (time > this.#latest) {
      this.#ahead += 1;
      return;
    }
    const candidates = this.#candidates;
    const at = candidates.findIndex(
      (other) => other.time < time || (other.time === time && other.row < row),
    );
    candidates.splice(at < 0 ? candidates.length : at, 0, { time, row, columns, index });
    if (candidates.length > this.#limit) candidates.pop();
  }

  /** Returns the newest accounts. Reads their texts before the columns of a batch are released. */
  read(): readonly NewAccount[] {
    const read = new Map<number, NewAccount>();
    for (const { time, row, columns, index } of this.#candidates) {
      read.set(
        row,
        this.#read.get(row) ?? {
          external: fieldText(columns, index, TextColumn.external),
          service: fieldText(columns, index, TextColumn.service),
          createdAt: time,
        },
      );
    }
    this.#read = read;
    return [...read.values()];
  }
}

/** Returns the accounts of a table that were created last, but not after `latest`, newest first. */
export function newestOf(
  table: AccountTable,
  limit: number,
  latest: number,
): readonly NewAccount[] {
  const newest = new NewestAccounts(limit, latest);
  // Blocks with the latest times come first, so that most other blocks can be skipped.
  const blocks = table.blocks
    .map((block, at) => ({ block, base: at * blockRows }))
    .filter(({ block }) => !Number.isNaN(block.latest))
    .sort((left, right) => right.block.latest - left.block.latest);
  for (const { block, base } of limit > 0 ? blocks : []) {
    let { least } = newest;
    if (block.latest < least) break;
    for (let place = 0; place < block.rows; place++) {
      const time = block.createdAt[place] as number;
      if (!(time >= least)) continue;
      newest.take(block, place, time, base + place);
      ({ least } = newest);
    }
  }
  return newest.read();
}
