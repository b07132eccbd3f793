import type { AccountRowView } from "../accounts/account-list.ts";
import { formatInstant } from "../text/dates.ts";
import type { Column } from "./data-table.tsx";

/** The sortable columns of an account list, left to right; `wire` is the service's own order. */
export const sortOrder = ["wire", "external", "service", "created"] as const;

/** A creation time as it is shown; what cannot be read as a time is shown as it came. */
export function createdText(row: Pick<AccountRowView, "created" | "createdAt">): string {
  if (row.created === null) return "";
  return Number.isNaN(row.createdAt) ? row.created : formatInstant(row.createdAt);
}

/** Columns that fit into `width` cells: numbers first, then when. */
export function accountColumns(width: number): readonly Column<AccountRowView>[] {
  const state = 9;
  const created = 19;
  const rest = width - 3 - state - created - 8;
  const number = Math.max(12, Math.min(44, Math.floor(rest / 2)));
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
    { id: "created", title: "Created", width: created, text: createdText },
  ];
}
