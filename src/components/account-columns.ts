import type { AccountRowView } from "../accounts/account-list-snapshot.ts";
import { formatInstant, utcInstant } from "../text/dates.ts";
import type { Column } from "./data-table.tsx";

/** Terminals narrower than this show creation times without their seconds. */
const narrow = 72;

/** A creation time as it is shown; what cannot be read as a time is shown as received. */
export function createdText(
  row: Pick<AccountRowView, "created" | "createdAt">,
  seconds = true,
): string {
  if (row.created === null) return "";
  return Number.isNaN(row.createdAt) ? row.created : formatInstant(row.createdAt, { seconds });
}

/** The creation time as it is copied, in UTC; what cannot be read as a time is copied as received. */
export function createdUtc(row: Pick<AccountRowView, "created" | "createdAt">): string {
  return Number.isNaN(row.createdAt) ? (row.created ?? "") : utcInstant(row.createdAt);
}

/** The service account number; a list of imported accounts need not say it (INTERFACE 4.11). */
function serviceText({ service, pending }: AccountRowView): string {
  return service === null || service === "" ? (pending ? "" : "not said") : service;
}

/** Every column there is, by id. */
export const accountColumnIds = ["external", "state", "service", "created"] as const;
export type AccountColumnId = (typeof accountColumnIds)[number];

/**
 * Columns typed by hand, separated by commas or blanks, in the order wanted; or what is wrong, in
 * words.
 */
export function parseColumns(typed: string): readonly AccountColumnId[] | { problem: string } {
  const ids = typed.split(/[\s,]+/).filter(Boolean);
  const known = ids.filter(isColumn);
  const foreign = ids.find((id) => !isColumn(id));
  if (foreign !== undefined) {
    return { problem: `There is no column ${foreign}; there are ${accountColumnIds.join(", ")}.` };
  }
  if (known.length === 0) return { problem: "Name at least one column." };
  if (new Set(known).size < known.length) return { problem: "Name each column once." };
  return known;
}

function isColumn(id: string): id is AccountColumnId {
  return (accountColumnIds as readonly string[]).includes(id);
}

/** The columns chosen, made to fit into `width` cells; an unknown id (of another version) is left out. */
export function accountColumns(
  width: number,
  chosen: readonly string[] | null,
): readonly Column<AccountRowView>[] {
  const known = (chosen ?? []).filter(isColumn);
  const ids: readonly AccountColumnId[] = known.length === 0 ? accountColumnIds : known;
  const seconds = width >= narrow;
  const fixed: Partial<Record<AccountColumnId, number>> = { state: 8, created: seconds ? 19 : 16 };
  const stretching = ids.filter((id) => fixed[id] === undefined).length;
  // Two cells for cursor and mark, two before each column.
  const rest = width - 2 - ids.reduce<number>((sum, id) => sum + 2 + (fixed[id] ?? 0), 0);
  const number = Math.max(8, Math.min(44, Math.floor(rest / Math.max(1, stretching))));
  return ids.map((id) => ({ ...columnOf(id, seconds), width: fixed[id] ?? number }));
}

function columnOf(id: AccountColumnId, seconds: boolean): Omit<Column<AccountRowView>, "width"> {
  switch (id) {
    case "external":
      return { id, title: "External account", text: (row) => row.external };
    case "state":
      return {
        id,
        title: "State",
        text: (row) => (row.pending ? "pending" : "imported"),
        tone: (row) => (row.pending ? "waiting" : "ok"),
      };
    case "service":
      return { id, title: "Service account", text: serviceText };
    case "created":
      return { id, title: "Created", text: (row) => createdText(row, seconds) };
  }
}
