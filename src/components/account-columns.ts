import type { AccountRowView } from "../accounts/account-list.ts";
import { formatInstant } from "../text/dates.ts";
import type { Column } from "./data-table.tsx";

/** The sortable columns of an account list, left to right; `wire` is the service's own order. */
export const sortOrder = ["wire", "external", "service", "created"] as const;

/** Terminals narrower than this show creation times without their seconds. */
const narrow = 72;

/** A creation time as it is shown; what cannot be read as a time is shown as it came. */
export function createdText(
  row: Pick<AccountRowView, "created" | "createdAt">,
  seconds = true,
): string {
  if (row.created === null) return "";
  return Number.isNaN(row.createdAt) ? row.created : formatInstant(row.createdAt, { seconds });
}

/** Columns that fit into `width` cells. */
export function accountColumns(width: number): readonly Column<AccountRowView>[] {
  const seconds = width >= narrow;
  const state = 8;
  const created = seconds ? 19 : 16;
  // Two cells for cursor and mark, two before each column.
  const rest = width - 2 - 4 * 2 - state - created;
  const number = Math.max(8, Math.min(44, Math.floor(rest / 2)));
  return [
    { id: "external", title: "External account", width: number, text: (row) => row.external },
    {
      id: "state",
      title: "State",
      width: state,
      text: (row) => (row.service === null ? "pending" : "imported"),
      tone: (row) => (row.service === null ? "waiting" : "ok"),
    },
    { id: "service", title: "Service account", width: number, text: (row) => row.service ?? "" },
    { id: "created", title: "Created", width: created, text: (row) => createdText(row, seconds) },
  ];
}
