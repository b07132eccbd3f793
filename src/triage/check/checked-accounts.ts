/** Collects the accounts that the conditions of a check need, while a list arrives. */
import { fieldEnd, fieldStart, isPendingRow, TextColumn } from "../../accounts/columns.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import { latestCreation } from "../figures/creation-time.ts";
import { type NewAccount, NewestAccounts } from "../figures/newest.ts";
import { NumberList, numberAt } from "../number-index.ts";
import type { NumberSet } from "../number-set.ts";
import type { Ages } from "../observations/observations.ts";
import { type Sampled, sampleSize } from "./conditions.ts";

/**
 * The data of a list that a check needs, collected while the list arrives: the numbers of pending
 * accounts, and the newest accounts.
 */
export class CheckedAccounts {
  readonly #scope: NumberSet | null;
  readonly #pending = new NumberList();
  readonly #newest: NewestAccounts;
  #rows = 0;

  /**
   * `scope` is the set of accounts to count, or null for all. `now` is the time at which the list
   * is requested, in epoch milliseconds.
   */
  constructor(scope: NumberSet | null, now: number) {
    this.#scope = scope;
    this.#newest = new NewestAccounts(sampleSize, latestCreation(now));
  }

  get pending(): number {
    return this.#pending.count;
  }

  /** The accounts created last, newest first. */
  get newest(): readonly NewAccount[] {
    return this.#newest.read();
  }

  /** Number of accounts whose creation time is too far in the future. */
  get ahead(): number {
    return this.#newest.ahead;
  }

  take(batch: AccountBatch): void {
    let { least } = this.#newest;
    for (let row = 0; row < batch.count; row++) {
      const from = fieldStart(batch, row, TextColumn.external);
      const to = fieldEnd(batch, row, TextColumn.external);
      if (this.#scope !== null && this.#scope.find(batch.text, from, to) < 0) continue;
      if (isPendingRow(batch, row)) this.#pending.add(batch.text, from, to);
      const time = batch.createdAt[row] as number;
      if (!(time >= least)) continue;
      this.#newest.take(batch, row, time, this.#rows + row);
      ({ least } = this.#newest);
    }
    this.#rows += batch.count;
    this.#newest.read();
  }

  /** Returns true if an account was first seen pending after `time` (epoch milliseconds). */
  hasPendingSinceAfter(ages: Ages | null, time: number): boolean {
    const { text, ends, count } = this.#pending;
    if (ages === null) return count > 0;
    for (let row = 0, from = 0; row < count; row++) {
      const to = ends[row] as number;
      const known = ages.find(text, from, to);
      from = to;
      if (known < 0 || ages.pendingSince(known) > time) return true;
    }
    return false;
  }

  /**
   * Returns the accounts that have been pending since before `time` (epoch milliseconds), oldest
   * first.
   */
  pendingSinceBefore(ages: Ages | null, time: number): Sampled {
    if (ages === null) return { count: 0, sample: [] };
    const { text, ends, count } = this.#pending;
    /** Marks the accounts already counted, because a number can be listed twice. */
    const isSeen = new Uint8Array(ages.rows);
    const oldest: { readonly row: number; readonly since: number }[] = [];
    let found = 0;
    for (let row = 0, from = 0; row < count; row++) {
      const to = ends[row] as number;
      const known = ages.find(text, from, to);
      from = to;
      if (known < 0 || isSeen[known] === 1) continue;
      isSeen[known] = 1;
      const since = ages.pendingSince(known);
      if (!(since < time)) continue;
      found += 1;
      if (oldest.length === sampleSize && since >= (oldest.at(-1)?.since ?? 0)) continue;
      const at = oldest.findIndex((one) => one.since > since);
      oldest.splice(at < 0 ? oldest.length : at, 0, { row, since });
      if (oldest.length > sampleSize) oldest.pop();
    }
    return { count: found, sample: oldest.map(({ row }) => numberAt(this.#pending, row)) };
  }
}
