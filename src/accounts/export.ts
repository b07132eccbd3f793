import { utcInstant } from "../text/dates.ts";
import { type RecordFormat, recordsText } from "../text/records.ts";
import type { AccountListSnapshot } from "./account-list-snapshot.ts";
import type { AccountListItem } from "./ingest/batch.ts";
import type { AccountTable } from "./table.ts";
import type { ViewRows } from "./view.ts";

const fields = [
  "external_account_number",
  "service_account_number",
  "account_created_at",
] as const satisfies readonly (keyof AccountListItem)[];

/** An account as it is exported: as listed, and with its ages, in UTC, where they are known. */
export interface ExportedAccount extends AccountListItem {
  readonly pending_since?: string | null;
  readonly gone_at?: string | null;
}

type Field = keyof ExportedAccount;

/** The fields of the rows of a table: its ages are among them once they are known. */
function fieldsOf({ blocks }: AccountTable): readonly Field[] {
  const all: Field[] = [...fields];
  if (blocks.some(({ ages }) => ages !== null)) all.push("pending_since");
  if (blocks.some(({ ages }) => ages !== null && ages.goneAt !== null)) all.push("gone_at");
  return all;
}

/** Whether the rows of a list are known to be all of them. */
export function isWhole({ load, loadedAt, truncatedAt }: AccountListSnapshot): boolean {
  const allReadable = load.kind !== "loaded" || load.unreadableRows === 0;
  return loadedAt !== null && truncatedAt === null && allReadable;
}

/**
 * The rows of a view as text, exactly what is shown, in that order. The names are those of
 * INTERFACE 2 with the brand word `service`, and `pending_since` and `gone_at` where ages are known.
 */
export function exportView(
  view: ViewRows,
  format: RecordFormat,
  whole = true,
): Generator<string, void, void> {
  const shown = fieldsOf(view.table);
  return exportItems(itemsOfView(view, shown), format, whole, shown);
}

/** The same of any rows. */
export function exportItems(
  items: Iterable<ExportedAccount>,
  format: RecordFormat,
  whole = true,
  shown: readonly Field[] = fields,
): Generator<string, void, void> {
  return recordsText(shown, items, format, whole);
}

function* itemsOfView(
  view: ViewRows,
  shown: readonly Field[],
): Generator<ExportedAccount, void, void> {
  const hasAges = shown.includes("pending_since");
  const hasGone = shown.includes("gone_at");
  for (let position = 0; position < view.length; position++) {
    const row = view.table.row(view.rowAt(position));
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
