/** Builds the rows of `accounts list`, and adds their ages for `--ages`. */

import type { AgedItem } from "../../accounts/account-fields.ts";
import { fieldEnd, fieldStart, isPendingRow, TextColumn } from "../../accounts/columns.ts";
import { type AccountBatch, rowOfBatch } from "../../accounts/ingest/batch.ts";
import { BatchBuilder } from "../../accounts/ingest/batch-builder.ts";
import { goneAges, listedAges, repeatedInstants } from "../../triage/account-ages.ts";
import {
  type Ages,
  type GoneAccount,
  lostTooMany,
} from "../../triage/observations/observations.ts";

const rowsPerBatch = 1_024;

/** Adds ages to the rows of a list. The ages are those observed before this list. */
export class AgedRows {
  readonly #ages: Ages | null;
  readonly #isReadable: boolean;
  readonly #listedAt: number;
  /** 1 for each stored account that this list has, by row number. */
  readonly #listed: Uint8Array;
  readonly #instant = repeatedInstants();
  #count = 0;
  #isHeldBack = false;

  /**
   * `listedAt` is the time of the list's request, in epoch milliseconds, and the first-seen time of
   * new accounts. `ages` is undefined if the ages cannot be read, or null if none are stored.
   */
  constructor(ages: Ages | null | undefined, listedAt: number) {
    this.#ages = ages ?? null;
    this.#isReadable = ages !== undefined;
    this.#listedAt = listedAt;
    this.#listed = new Uint8Array(this.#ages?.rows ?? 0);
  }

  /**
   * Records the stored accounts that a batch lists. The caller passes every batch, before a filter
   * chooses rows.
   */
  take(batch: AccountBatch): void {
    this.#count += batch.count;
    if (this.#ages === null) return;
    for (let index = 0; index < batch.count; index++) {
      const row = this.#storedRow(batch, index);
      if (row >= 0) this.#listed[row] = 1;
    }
  }

  item(batch: AccountBatch, index: number): AgedItem {
    const of = {
      ages: this.#isReadable ? this.#ages : undefined,
      listedAt: this.#listedAt,
      instant: this.#instant,
    };
    const row = this.#storedRow(batch, index);
    return { ...rowOfBatch(batch, index), ...listedAges(of, row, isPendingRow(batch, index)) };
  }

  /** True if the accounts that left with this list are not known, after {@link gone}. */
  get isHeldBack(): boolean {
    return this.#isHeldBack;
  }

  /**
   * Yields the gone accounts, in the order in which they left the list. `after` has the ages that
   * include this list, or is null if the list was not recorded. Without it, yields the accounts that
   * were gone before or pending, and are not in this list.
   */
  *gone(after: Ages | null): Generator<GoneRows, void, void> {
    const gone = after === null ? this.#goneByThisList() : [...after.gone()];
    gone.sort((a, b) => a.goneAt - b.goneAt);
    for (let from = 0; from < gone.length; from += rowsPerBatch) {
      const accounts = gone.slice(from, from + rowsPerBatch);
      const builder = new BatchBuilder("gone");
      for (const { external } of accounts) builder.addTexts(external, null, null);
      const batch = builder.take();
      if (batch === null) return;
      yield {
        batch,
        item: (index) => {
          const account = accounts[index];
          if (account === undefined) throw new RangeError(`no row ${index}`);
          return { ...rowOfBatch(batch, index), ...goneAges(account) };
        },
      };
    }
  }

  /**
   * Returns the stored accounts that were gone or pending and are not in this list. Accounts that
   * were pending are left out if a list with this loss would be held back.
   */
  #goneByThisList(): GoneAccount[] {
    const ages = this.#ages;
    if (ages === null) return [];
    const isMissing = (row: number) => this.#listed[row] === 0;
    const earlier = [...ages.gone()].filter(({ external }) => isMissing(ages.rowOf(external)));
    const missing: GoneAccount[] = [];
    let [before, lost] = [0, 0];
    for (let row = 0; row < ages.rows; row++) {
      const pendingSince = ages.pendingSince(row);
      const isPending = !Number.isNaN(pendingSince);
      if (!isPending && !ages.isImported(row)) continue;
      before += 1;
      if (!isMissing(row)) continue;
      lost += 1;
      if (isPending) {
        const [external, firstSeenAt] = [ages.externalAt(row), ages.firstSeen(row)];
        missing.push({ external, firstSeenAt, pendingSince, goneAt: this.#listedAt });
      }
    }
    this.#isHeldBack = lostTooMany({ before, listed: this.#count, lost });
    return this.#isHeldBack ? earlier : [...earlier, ...missing];
  }

  /** Returns the row of an account in the stored ages, or -1 if the account is not stored. */
  #storedRow(batch: AccountBatch, index: number): number {
    if (this.#ages === null) return -1;
    return this.#ages.find(
      batch.text,
      fieldStart(batch, index, 0),
      fieldEnd(batch, index, TextColumn.external),
    );
  }
}

interface GoneRows {
  readonly batch: AccountBatch;
  item(index: number): AgedItem;
}
