import type { AccountRowView } from "./account-list-types.ts";
import { RowChange } from "./difference.ts";
import type { Marks } from "./marks.ts";
import type { AccountView } from "./view.ts";

/** Rows of a view by position, as a screen shows them; fewer at its end. */
export function rowViews(
  view: AccountView,
  marks: Marks,
  changes: Uint8Array | null,
  start: number,
  count: number,
): AccountRowView[] {
  const rows: AccountRowView[] = [];
  const end = Math.min(view.length, start + count);
  for (let position = Math.max(0, start); position < end; position++) {
    const row = view.rowAt(position);
    const change = changes?.[row];
    rows.push({
      row,
      ...view.table.row(row),
      marked: marks.has(row),
      change:
        change === RowChange.added ? "added" : change === RowChange.changed ? "changed" : null,
    });
  }
  return rows;
}
