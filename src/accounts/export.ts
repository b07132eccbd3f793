/** Exports the accounts of a list as CSV, TSV, JSON or JSON Lines. */

import { type RecordFormat, recordsText } from "../text/csv.ts";
import { utcInstant } from "../text/dates.ts";
import type { AccountListSnapshot } from "./account-list-snapshot.ts";
import type { AccountListItem } from "./ingest/batch.ts";
import type { AccountRow, AccountTable } from "./table.ts";
import type { ViewRows } from "./view.ts";

const fields = [
  "external_account_number",
  "service_account_number",
  "account_created_at",
] as const satisfies readonly (keyof AccountListItem)[];

/** An account as exported: the values of the list, and its ages in UTC if they are known. */
interface ExportedAccount extends AccountListItem {
  readonly pending_since?: string | null;
  readonly gone_at?: string | null;
}

type Field = keyof ExportedAccount;

/** Returns the fields of the rows of a table, including ages if they are known. */
function fieldsOf({ blocks }: AccountTable): readonly Field[] {
  const all: Field[] = [...fields];
  if (blocks.some(({ ages }) => ages !== null)) all.push("pending_since");
  if (blocks.some(({ ages }) => ages !== null && ages.goneAt !== null)) all.push("gone_at");
  return all;
}

/** Returns true if the visible rows are known to be the complete list. */
export function isWhole({ load, loadedAt, truncatedAt }: AccountListSnapshot): boolean {
  const allReadable = load.kind !== "loaded" || load.unreadableRows === 0;
  return loadedAt !== null && truncatedAt === null && allReadable;
}

/**
 * Yields the visible rows of a view as text, in the order of the view. The field names are those of
 * INTERFACE 2 with the brand word `service`. `pending_since` and `gone_at` are added if they are
 * known. `whole` is false if the list is not known to be complete.
 */
export function exportView(
  view: ViewRows,
  format: RecordFormat,
  whole = true,
): Generator<string, void, void> {
  const shown = fieldsOf(view.table);
  return recordsText(shown, itemsOf(rowsOf(view), shown), format, whole);
}

/**
 * Yields some rows of a table in the format of {@link exportView}. Without a table, the rows have
 * only the fields of the service.
 */
export function exportRows(
  rows: Iterable<AccountRow>,
  format: RecordFormat,
  table: AccountTable | null = null,
): Generator<string, void, void> {
  const shown = table === null ? fields : fieldsOf(table);
  return recordsText(shown, itemsOf(rows, shown), format);
}

function* rowsOf({ table, length, rowAt }: ViewRows): Generator<AccountRow, void, void> {
  for (let position = 0; position < length; position++) yield table.row(rowAt(position));
}

function* itemsOf(
  rows: Iterable<AccountRow>,
  shown: readonly Field[],
): Generator<ExportedAccount, void, void> {
  const hasAges = shown.includes("pending_since");
  const hasGone = shown.includes("gone_at");
  for (const row of rows) {
    const { external, service, created } = row;
    yield {
      external_account_number: external,
      service_account_number: service,
      account_created_at: created,
      ...(hasAges ? { pending_since: utcInstant(row.pendingSince) || null } : {}),
      ...(hasGone ? { gone_at: utcInstant(row.goneAt) || null } : {}),
    };
  }
}
