/** Repeats the comparison of a list with a newer observation. */
import type { Rows } from "../../sqlite/rows.ts";
import { State } from "./block-parts.ts";
import { contentAt, type StoredContent } from "./content-rows.ts";
import type { KnownAccounts } from "./known-accounts.ts";
import { Listed, Listing } from "./listing.ts";
import { deltasAfter } from "./parts-table.ts";

/**
 * Converts the comparison of a list with an older observation to a comparison with the newest one.
 * Needed if another process recorded a list while this one arrived.
 */
export function rebaseList(sql: Rows, older: Listing, known: KnownAccounts): Listing {
  const { known: before } = older;
  const listing = new Listing(known);
  listing.listed.set(older.listed.subarray(0, before.stored));
  for (let at = 0; at < older.others.rows; at++) {
    const row = older.otherRows[at] as number;
    if (row < before.stored)
      addOther(listing, row, older.otherPending[at] === 1, contentAt(older.others, at));
  }
  for (const [row, service] of changedSince(sql, older, known)) {
    const bits = older.listed[row] as number;
    if (!(bits & Listed.asStored)) continue;
    // A row that equaled the stored data then can differ from it now.
    const isPending = before.state(row) === State.pending;
    listing.listed[row] = (bits & ~Listed.asStored) | Listed.other;
    addOther(listing, row, isPending, { service, createdAt: Number.NaN });
  }
  for (let row = before.stored; row < before.rows; row++) {
    const number = before.number(row);
    // The first row of a new account can be pending although another row is imported.
    const isPending =
      !((older.listed[row] as number) & Listed.imported) || older.firstPending.has(row);
    takeAgain(listing, number, isPending, older.added.at(row));
  }
  for (let at = 0; at < older.others.rows; at++) {
    const row = older.otherRows[at] as number;
    if (row < before.stored) continue;
    const other = contentAt(older.others, at);
    takeAgain(listing, before.number(row), older.otherPending[at] === 1, other);
  }
  return listing;
}

/**
 * Returns the rows that changed after the older observation, each with its service account number
 * in that observation.
 */
function changedSince(sql: Rows, { known: before }: Listing, known: KnownAccounts) {
  const services = new Map<number, Uint8Array | null>();
  const { list } = known;
  if (list === null || before.list === null) return services;
  for (const { delta } of deltasAfter(sql, list.id, before.list.seq)) {
    for (let at = 0; at < delta.count; at++) {
      const row = delta.rows[at] as number;
      if (row >= before.stored || services.has(row)) continue;
      const isImported = delta.from(at) === State.imported;
      services.set(row, delta.before(at) ?? (isImported ? known.content(row).service : null));
    }
  }
  return services;
}

function addOther(listing: Listing, row: number, isPending: boolean, said: StoredContent): void {
  const { service, createdAt } = said;
  const bytes = service ?? nothing;
  listing.addOther(row, isPending, bytes, 0, bytes.length, service === null, createdAt);
}

const nothing = new Uint8Array(0);

function takeAgain(
  listing: Listing,
  number: Uint8Array,
  isPending: boolean,
  { service, createdAt }: StoredContent,
): void {
  const bytes = new Uint8Array(number.length + (service?.length ?? 0));
  bytes.set(number);
  if (service !== null) bytes.set(service, number.length);
  listing.takeRow(bytes, 0, number.length, bytes.length, service === null, createdAt, isPending);
}
