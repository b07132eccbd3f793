import type { AccountListLoad, AccountListSnapshot } from "./account-list-types.ts";
import type { TableDifference } from "./difference.ts";
import type { FilterQuery } from "./filter.ts";
import type { Marks } from "./marks.ts";
import type { SortColumn } from "./sort.ts";
import type { AccountView } from "./view.ts";

/** A list as it stands at one moment. */
interface ListNow {
  readonly version: number;
  readonly load: AccountListLoad;
  readonly loadedAt: number | null;
  readonly view: AccountView;
  readonly filter: { readonly text: string; readonly query: FilterQuery };
  readonly sort: { readonly column: SortColumn; readonly descending: boolean };
  readonly marks: Marks;
  readonly difference: TableDifference | null;
}

/** What a screen needs to know of it besides its rows. */
export function snapshotOf(now: ListNow): AccountListSnapshot {
  const { version, load, loadedAt, view, filter, sort, marks, difference } = now;
  return {
    version,
    load,
    loadedAt,
    total: view.table.rows,
    matched: view.length,
    filter: {
      text: filter.text,
      settled: view.filterSettled,
      problem: filter.query.problem,
    },
    sort: { ...sort, settled: view.sortSettled },
    marks: marks.count,
    changes: difference && {
      added: difference.added,
      changed: difference.changed,
      gone: difference.gone,
    },
    truncatedAt: view.table.truncatedAt,
    came: view.table.came,
  };
}
