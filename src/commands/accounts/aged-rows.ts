/** Builds the rows of `accounts list`, and adds their ages for `--ages`. */

import { fieldEnd, fieldStart, isPendingRow, TextColumn } from "../../accounts/columns.ts";
import {
  type AccountBatch,
  type AccountListItem,
  rowOfBatch,
} from "../../accounts/ingest/batch.ts";
import { BatchBuilder } from "../../accounts/ingest/batch-builder.ts";
import { utcInstant } from "../../text/dates.ts";
import type { Ages } from "../../triage/observations/observations.ts";
import {
  accountColumn,
  type Column,
  column,
  serviceNumberColumn,
  utcText,
} from "../rows/columns.ts";

/** One row of a list with its ages. Times are UTC, or null if they do not apply. */
export interface AgedItem extends AccountListItem {
  /** Start of the observed pending time. The account might be pending for longer. */
  readonly pending_since: string | null;
  /** Time of the first observed list with the account, or null if the ages cannot be read. */
  readonly first_seen_at: string | null;
  /** Time of the first list without the account, or null if the account is not gone. */
  readonly gone_at: string | null;
}

/** The columns of the service's lists of accounts (INTERFACE 4.9–4.11). */
export const listColumns: readonly Column<AccountListItem>[] = [
  accountColumn,
  serviceNumberColumn,
  column(
    "account_created_at",
    "Account created at",
    "text",
    "The time at which the account was created; absent while pending.",
  ),
];

/** The additional columns of `--ages`. */
export const ageColumns: readonly Column<AgedItem>[] = [
  column(
    "pending_since",
    "Pending since",
    `${utcText}, or null`,
    "Only with `--ages`. The time of the first observed list with the account pending, since its last return; null if it is not pending or gone.",
  ),
  column(
    "first_seen_at",
    "First seen at",
    `${utcText}, or null`,
    "Only with `--ages`. The time of the first observed list with the account; null if the observations cannot be read.",
  ),
  column(
    "gone_at",
    "Gone at",
    `${utcText}, or null`,
    "Only with `--ages`. The time of the first list without the pending account; null while it is listed.",
  ),
];

/** Maximum number of gone accounts in one batch. */
const rowsPerBatch = 1_024;

/** Adds ages to the rows of a list. The ages are those observed before this list. */
export class AgedRows {
  readonly #ages: Ages | null;
  readonly #isReadable: boolean;
  readonly #listedAt: number;
  /** Row numbers of stored accounts that were gone and are listed again. */
  readonly #returned = new Set<number>();

  /**
   * `listedAt` is the time of the list's request, in epoch milliseconds, and the first-seen time of
   * new accounts. `ages` is undefined if the ages cannot be read, or null if none are stored.
   */
  constructor(ages: Ages | null | undefined, listedAt: number) {
    this.#ages = ages ?? null;
    this.#isReadable = ages !== undefined;
    this.#listedAt = listedAt;
  }

  /**
   * Records the gone accounts that a batch lists again. The caller passes every batch, before a
   * filter chooses rows.
   */
  take(batch: AccountBatch): void {
    const ages = this.#ages;
    if (ages === null) return;
    for (let index = 0; index < batch.count; index++) {
      const row = this.#storedRow(batch, index);
      if (row >= 0 && !Number.isNaN(ages.goneAt(row))) this.#returned.add(row);
    }
  }

  /** Returns the row of a batch at an index, with its ages. */
  item(batch: AccountBatch, index: number): AgedItem {
    const item = rowOfBatch(batch, index);
    const ages = this.#ages;
    const row = this.#storedRow(batch, index);
    const firstSeen = ages === null || row < 0 ? Number.NaN : ages.firstSeen(row);
    const pendingSince = ages === null || row < 0 ? Number.NaN : ages.pendingSince(row);
    return {
      ...item,
      pending_since: isPendingRow(batch, index) ? this.#orListedAt(pendingSince) : null,
      first_seen_at: this.#isReadable ? this.#orListedAt(firstSeen) : null,
      gone_at: null,
    };
  }

  /**
   * Yields the gone accounts, in the order in which they left the list. `after` has the ages that
   * include this list, or is null if the list was not recorded. Without it, yields the accounts that
   * were gone before and are not in this list.
   */
  *gone(after: Ages | null): Generator<GoneRows, void, void> {
    const gone = after === null ? this.#stillGone() : [...after.gone()];
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
          return {
            ...rowOfBatch(batch, index),
            pending_since: utcOrNull(account.pendingSince),
            first_seen_at: utcOrNull(account.firstSeenAt),
            gone_at: utcOrNull(account.goneAt),
          };
        },
      };
    }
  }

  /** Returns the stored gone accounts that this list does not have. */
  #stillGone() {
    const ages = this.#ages;
    if (ages === null) return [];
    return [...ages.gone()].filter(({ external }) => !this.#returned.has(ages.rowOf(external)));
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

  /** Returns a time as text, or the time of the list for NaN. */
  #orListedAt(ms: number): string {
    return utcInstant(Number.isNaN(ms) ? this.#listedAt : ms);
  }
}

/** A batch of gone accounts in the form of list rows, for a filter. */
interface GoneRows {
  readonly batch: AccountBatch;
  item(index: number): AgedItem;
}

function utcOrNull(ms: number): string | null {
  return Number.isNaN(ms) ? null : utcInstant(ms);
}
