/** Exports the accounts of a list as CSV, TSV, JSON or JSON Lines. */

import { type RecordFormat, recordsText } from "../rows/csv.ts";
import { type AccountAges, agedFields, listedFields } from "./account-fields.ts";
import type { AccountListSnapshot } from "./account-list-snapshot.ts";
import type { AccountListItem } from "./ingest/batch.ts";
import type { AccountRow, AccountTable } from "./table.ts";
import type { ViewRows } from "./view.ts";

type AgesOf = (row: AccountRow) => AccountAges;

export function hasAges({ blocks }: AccountTable): boolean {
  return blocks.some(({ ages }) => ages !== null);
}

export function isWhole({ load, loadedAt, truncatedAt }: AccountListSnapshot): boolean {
  const allReadable = load.kind !== "loaded" || load.unreadableRows === 0;
  return loadedAt !== null && truncatedAt === null && allReadable;
}

/**
 * Yields the visible rows of a view as text, in the order of the view. The field names are those of
 * INTERFACE 2 with the brand word `service`. With `agesOf`, the rows have the fields of `--ages`.
 * `isComplete` is false if the list is not known to be complete.
 */
export function exportView(
  view: ViewRows,
  format: RecordFormat,
  { isComplete = true, agesOf = null }: { isComplete?: boolean; agesOf?: AgesOf | null } = {},
): Generator<string, void, void> {
  return rowsText(rowsOf(view), format, { isComplete, agesOf });
}

export function exportRows(
  rows: Iterable<AccountRow>,
  format: RecordFormat,
  agesOf: AgesOf | null = null,
): Generator<string, void, void> {
  return rowsText(rows, format, { isComplete: true, agesOf });
}

function rowsText(
  rows: Iterable<AccountRow>,
  format: RecordFormat,
  { isComplete, agesOf }: { readonly isComplete: boolean; readonly agesOf: AgesOf | null },
): Generator<string, void, void> {
  return agesOf === null
    ? recordsText(listedFields, itemsOf(rows, itemOf), format, isComplete)
    : recordsText(
        agedFields,
        itemsOf(rows, (row) => ({ ...itemOf(row), ...agesOf(row) })),
        format,
        isComplete,
      );
}

function* rowsOf({ table, length, rowAt }: ViewRows): Generator<AccountRow, void, void> {
  for (let position = 0; position < length; position++) yield table.row(rowAt(position));
}

function itemOf({ external, service, created }: AccountRow): AccountListItem {
  return {
    external_account_number: external,
    service_account_number: service,
    account_created_at: created,
  };
}

function* itemsOf<Item>(
  rows: Iterable<AccountRow>,
  itemOf: (row: AccountRow) => Item,
): Generator<Item, void, void> {
  for (const row of rows) yield itemOf(row);
}
