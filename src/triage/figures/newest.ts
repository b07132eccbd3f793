/** Finds the newest accounts of a list. Excludes accounts with an implausible creation time. */
import { blockRows, fieldText, type RowColumns, TextColumn } from "../../accounts/columns.ts";
import type { AccountTable } from "../../accounts/table.ts";
import { minuteMs } from "../../text/durations.ts";
import { plural } from "../../text/numbers.ts";

const clockSkewMs = 5 * minuteMs;

/**
 * Returns the last plausible creation time on a list that was requested at `now` (epoch
 * milliseconds). An account cannot be created after the response that lists it. Figures exclude
 * accounts with a later time, because these would always be the newest accounts.
 */
export function latestPlausibleCreation(now: number): number {
  return now + clockSkewMs;
}

/**
 * Returns the note that the figures exclude `futureAccounts` accounts with a creation time in the future, or
 * an empty text if `futureAccounts` is 0.
 */
export function futureAccountsNote(futureAccounts: number): string {
  return futureAccounts === 0
    ? ""
    : `${plural(futureAccounts, "account")} created in the future: not counted`;
}

export interface NewAccount {
  readonly external: string;
  readonly service: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

interface Candidate {
  /** The creation time in epoch milliseconds. */
  readonly time: number;
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
  readonly #latestPlausible: number;
  #futureAccounts = 0;
  #candidates: Candidate[] = [];
  #lastRead = new Map<number, NewAccount>();

  /**
   * Collects at most `limit` accounts. Excludes accounts created after `latestPlausible` (epoch
   * milliseconds, see {@link latestPlausibleCreation}).
   */
  constructor(limit: number, latestPlausible: number) {
    this.#limit = limit;
    this.#latestPlausible = latestPlausible;
  }

  get futureAccounts(): number {
    return this.#futureAccounts;
  }

  /** The lowest creation time (epoch milliseconds) that can still be among the newest. */
  get minimumTime(): number {
    if (this.#limit === 0) return Number.POSITIVE_INFINITY;
    if (this.#candidates.length < this.#limit) return Number.NEGATIVE_INFINITY;
    return this.#candidates.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * Adds the row at `index` of these columns if it is among the newest. `time` is its creation time
   * in epoch milliseconds, and `row` is its position in the list.
   */
  take(columns: RowColumns, index: number, time: number, row: number): void {
    if (time > this.#latestPlausible) {
      this.#futureAccounts += 1;
      return;
    }
    const candidates = this.#candidates;
    const at = candidates.findIndex(
      (other) => other.time < time || (other.time === time && other.row < row),
    );
    candidates.splice(at < 0 ? candidates.length : at, 0, { time, row, columns, index });
    if (candidates.length > this.#limit) candidates.pop();
  }

  /**
   * Returns the newest accounts. Must be called before the columns passed to {@link take} are
   * released, because the texts of the accounts are read from these columns.
   */
  read(): readonly NewAccount[] {
    const accounts = new Map<number, NewAccount>();
    for (const { time, row, columns, index } of this.#candidates) {
      accounts.set(
        row,
        this.#lastRead.get(row) ?? {
          external: fieldText(columns, index, TextColumn.external),
          service: fieldText(columns, index, TextColumn.service),
          createdAt: time,
        },
      );
    }
    this.#lastRead = accounts;
    return [...accounts.values()];
  }
}

/**
 * Returns at most `limit` accounts of a table that were created last, newest first. Excludes
 * accounts created after `latestPlausible` (epoch milliseconds).
 */
export function newestOf(
  table: AccountTable,
  limit: number,
  latestPlausible: number,
): readonly NewAccount[] {
  const newest = new NewestAccounts(limit, latestPlausible);
  // Blocks with the latest times come first, so that most other blocks can be skipped.
  const blocks = table.blocks
    .map((block, blockIndex) => ({ block, firstRow: blockIndex * blockRows }))
    .filter(({ block }) => !Number.isNaN(block.latest))
    .sort((left, right) => right.block.latest - left.block.latest);
  for (const { block, firstRow } of limit > 0 ? blocks : []) {
    let { minimumTime } = newest;
    if (block.latest < minimumTime) break;
    for (let place = 0; place < block.rows; place++) {
      const time = block.createdAt[place] as number;
      // The comparison is also false for NaN, an unknown creation time.
      if (!(time >= minimumTime)) continue;
      newest.take(block, place, time, firstRow + place);
      ({ minimumTime } = newest);
    }
  }
  return newest.read();
}
