/** Formats the items of a write as rows, for formats such as CSV. */

import type { WriteResult } from "../../writes/send/events.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, column } from "../rows/columns.ts";
import { writerFor } from "../rows/print.ts";
import { journalIdColumn, outcomeColumn } from "../rows/shared-columns.ts";

/** The columns of an item of a write. */
export const itemColumns: readonly Column<ReturnType<typeof itemRow>>[] = [
  journalIdColumn,
  outcomeColumn,
  column("position", "#", "number", "The place of the item in the request, from 1."),
  column("label", "Item", "text or null", "What names the item."),
  column(
    "item_outcome",
    "Item outcome",
    "text",
    "`created`, `exists`, `rejected`, `not-reached` or `unknown`.",
  ),
  column("status", "Status", "text or null", "The result that the service reported for the item."),
];

function itemRow({ journalId, outcome }: WriteResult, item: WriteResult["items"][number]) {
  return {
    journal_id: journalId,
    outcome,
    position: item.position + 1,
    label: item.label,
    item_outcome: item.outcome,
    status: item.status,
  };
}

/** Returns the items as rows, or null if neither a format of rows nor columns are requested. */
export function itemRows(invocation: Invocation, result: WriteResult): string | null {
  const { globals } = invocation;
  const isProse = globals.format === "table" || printsJson(globals);
  if (isProse && globals.columns === undefined) return null;
  const writer = writerFor(invocation, itemColumns);
  const rows = result.items.map((item) => itemRow(result, item));
  return writer.rows(rows) + writer.end();
}
