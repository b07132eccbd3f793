import { fieldText, type RowColumns, TextColumn } from "../../accounts/columns.ts";
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
