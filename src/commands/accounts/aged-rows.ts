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
    "When the account was created; absent while pending.",
  ),
];

export const ageColumns: readonly Column<AgedItem>[] = [
  column(
    "pending_since",
    "Pending since",
    `${utcText}, or null`,
    "Only with `--ages`. When this machine first saw the account pending, since its last return; null if it is not pending or gone.",
  ),
  column(
    "first_seen_at",
    "First seen at",
    `${utcText}, or null`,
    "Only with `--ages`. When this machine first saw the account; null if what is stored cannot be read.",
  ),
  column(
    "gone_at",
    "Gone at",
    `${utcText}, or null`,
    "Only with `--ages`. When a list first lacked the pending account; null while it is listed.",
  ),
];

const rowsPerBatch = 1_024;

/** Adds ages to the rows of a list. The ages are those observed before this list. */
export class AgedRows {
  readonly #ages: Ages | null;
  readonly #isReadable: boolean;
  readonly #listedAt: number;
  /** Row numbers of stored accounts that were gone and are listed again. */
  readonly #returned = new Set<number>();

  /**
   * `listedAt` is the time of the list's request. It is the first-seen time of new accounts. `ages`
   * is undefined if the ages cannot be read, or null if none are stored.
   */
  constructor(ages: Ages | null | undefined, listedAt: number) {
    this.#ages = ages ?? null;
    this.#isReadable = ages !== undefined;
    this.#listedAt = listedAt;
  }

  /**
   * Records the gone accounts that a batch lists again. Call it with every batch, before a filter
   * chooses rows.
   */
  take(batch: AccountBatch): void {
    const ages = this.#ages;
    if (ages === null) return;
    for (let at = 0; at < batch.count; at++) {
      const row = this.#storedRow(batch, at);
      if (row >= 0 && !Number.isNaN(ages.goneAt(row))) this.#returned.add(row);
    }
  }

  item(batch: AccountBatch, at: number): AgedItem {
    const item = rowOfBatch(batch, at);
    const ages = this.#ages;
    const row = this.#storedRow(batch, at);
    const first = ages === null || row < 0 ? Number.NaN : ages.firstSeen(row);
    const since = ages === null || row < 0 ? Number.NaN : ages.pendingSince(row);
    return {
      ...item,
      pending_since: isPendingRow(batch, at) ? this.#orNow(since) : null,
      first_seen_at: this.#isReadable ? this.#orNow(first) : null,
      gone_at: null,
    };
  }

  /**
   * Yields the gone accounts, in the order in which they left the list. `after` is the ages that
   * include this list. It is null if the list was not recorded. The result is then the accounts
   * that were gone before and are not in this list.
   */
  *gone(after: Ages | null): Generator<GoneRows, void, void> {
    const gone = after === null ? this.#stillGone() : [...after.gone()];
    gone.sort((one, other) => one.goneAt - other.goneAt);
    for (let from = 0; from < gone.length; from += rowsPerBatch) {
      const some = gone.slice(from, from + rowsPerBatch);
      const builder = new BatchBuilder("gone");
      for (const { external } of some) builder.addTexts(external, null, null);
      const batch = builder.take();
      if (batch === null) return;
      yield {
        batch,
        item: (at) => {
          const one = some[at];
          if (one === undefined) throw new RangeError(`no row ${at}`);
          return {
            ...rowOfBatch(batch, at),
            pending_since: utcOrNull(one.pendingSince),
            first_seen_at: utcOrNull(one.firstSeenAt),
            gone_at: utcOrNull(one.goneAt),
          };
        },
      };
    }
  }

  #stillGone() {
    const ages = this.#ages;
    if (ages === null) return [];
    return [...ages.gone()].filter(({ external }) => !this.#returned.has(ages.rowOf(external)));
  }

  #storedRow(batch: AccountBatch, at: number): number {
    if (this.#ages === null) return -1;
    return this.#ages.find(
      batch.text,
      fieldStart(batch, at, 0),
      fieldEnd(batch, at, TextColumn.external),
    );
  }

  #orNow(ms: number): string {
    return utcInstant(Number.isNaN(ms) ? this.#listedAt : ms);
  }
}

/** A batch of gone accounts in the form of list rows, for a filter. */
interface GoneRows {
  readonly batch: AccountBatch;
  item(at: number): AgedItem;
}

function utcOrNull(ms: number): string | null {
  return Number.isNaN(ms) ? null : utcInstant(ms);
}
