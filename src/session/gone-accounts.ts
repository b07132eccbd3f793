/** Builds the list of gone accounts from the observations of a supplier. */
import type { AccountSource } from "../accounts/account-load.ts";
import { utf8 } from "../accounts/columns.ts";
import type { AgeFacts } from "../accounts/filter-facts.ts";
import type { AccountBatch } from "../accounts/ingest/batch.ts";
import { BatchBuilder } from "../accounts/ingest/batch-builder.ts";
import type { KnownAges } from "../accounts/row-ages.ts";
import type { Ages } from "../triage/observations/observations.ts";

const rowsPerBatch = 1_024;

/**
 * Returns the gone accounts with their ages: accounts that were pending, are no longer listed and
 * were never imported. The accounts that disappeared last come first.
 */
export function goneAccounts(ages: Pick<Ages, "gone" | "observedAt">): {
  readonly rows: number;
  readonly source: AccountSource;
  readonly ages: KnownAges & AgeFacts;
} {
  const accounts = [...ages.gone()].sort((one, other) => other.goneAt - one.goneAt);
  const byNumber = new Map(accounts.map(({ external }, row) => [external, row]));
  return {
    rows: accounts.length,
    async *source() {
      const builder = new BatchBuilder("gone");
      for (const { external } of accounts) {
        builder.addTexts(external, null, null);
        if (builder.count === rowsPerBatch) yield builder.take() as AccountBatch;
      }
      const last = builder.take();
      if (last) yield last;
      const { observedAt } = ages;
      return { rows: accounts.length, unreadableRows: 0, bytes: 0, receivedAt: observedAt };
    },
    ages: {
      find: (bytes, from, to) => byNumber.get(utf8.decode(bytes.subarray(from, to))) ?? -1,
      pendingSince: (row) => accounts[row]?.pendingSince ?? Number.NaN,
      isNew: () => false,
      goneAt: (row) => accounts[row]?.goneAt ?? Number.NaN,
    },
  };
}
