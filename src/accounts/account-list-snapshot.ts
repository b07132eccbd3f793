import { RowChange, type TableDifference } from "./difference.ts";
import type { ListFilter } from "./list-filter.ts";
import type { Marks } from "./marks.ts";
import type { ShownInstant } from "./shown-instant.ts";
import type { Slicing } from "./slices.ts";
import type { SortColumn } from "./sort.ts";
import type { AccountRow } from "./table.ts";
import type { AccountView } from "./view.ts";

/** The progress of loading a list. Times are epoch milliseconds. */
export type AccountListLoad =
  | { readonly kind: "idle" }
  | {
      readonly kind: "loading";
      readonly rows: number;
      readonly startedAt: number;
      /** True if the visible rows are those of an earlier load. */
      readonly reload: boolean;
    }
  | {
      readonly kind: "loaded";
      readonly rows: number;
      readonly at: number;
      readonly tookMs: number;
      readonly unreadableRows: number;
    }
  | {
      /** Includes a load that the user canceled: its error is a ServiceError. */
      readonly kind: "failed";
      readonly error: unknown;
      /** Rows that arrived before the failure. Those of a first load stay usable. */
      readonly rows: number;
      readonly at: number;
    };

/** The data of a list that a screen shows besides its rows. */
export interface AccountListSnapshot {
  /** Changes with every visible change. */
  readonly version: number;
  readonly load: AccountListLoad;
  /** The time at which the visible rows were complete, or null if they never were. */
  readonly loadedAt: number | null;
  readonly total: number;
  readonly matched: number;
  /** Number of pending accounts among the rows that arrived. */
  readonly pending: number;
  readonly filter: {
    readonly text: string;
    /** True if the visible rows are the result of this text. */
    readonly settled: boolean;
    readonly problem: string | null;
    /**
     * The data that is being read before the text can be applied, as words, or null. Until then the
     * rows match an earlier text.
     */
    readonly reading: string | null;
    /** The cohort whose accounts alone can match, or null. */
    readonly cohort: string | null;
  };
  readonly sort: {
    readonly column: SortColumn;
    readonly descending: boolean;
    readonly settled: boolean;
  };
  readonly marks: number;
  /** Changes since the load before, or null if there is no complete load to compare with. */
  readonly changes: {
    readonly added: number;
    readonly changed: number;
    readonly gone: number;
  } | null;
  /** Number of stored rows if the memory cap was reached, or null if all rows are stored. */
  readonly truncatedAt: number | null;
  /** Number of rows that arrived. Equal to `total` if all of them are stored. */
  readonly came: number;
}

/** One row as a screen shows it. */
export interface AccountRowView extends AccountRow {
  /** Index of the row in the service's order. A reload can change it. */
  readonly row: number;
  readonly marked: boolean;
  readonly change: "added" | "changed" | null;
}

export interface AccountListOptions {
  /** Returns the time up to which ages are counted, in epoch milliseconds. Default: `now`. */
  readonly agesNow?: () => number;
  /** Wall clock in epoch milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Time limit of one slice of work. Other events run between slices. */
  readonly slicing?: Slicing | undefined;
  /** Formats creation times as the screen shows them. */
  readonly shown?: ShownInstant | undefined;
  /** Memory cap of one table in bytes. */
  readonly maxBytes?: number | undefined;
}

/** The state of a list at one moment. */
interface ListNow {
  readonly version: number;
  readonly load: AccountListLoad;
  readonly loadedAt: number | null;
  readonly view: AccountView;
  readonly filter: ListFilter;
  readonly sort: { readonly column: SortColumn; readonly descending: boolean };
  readonly marks: Marks;
  readonly difference: TableDifference | null;
}

/** Returns the data of a list that a screen shows besides its rows. */
export function snapshotOf(now: ListNow): AccountListSnapshot {
  const { version, load, loadedAt, view, filter, sort, marks, difference } = now;
  return {
    version,
    load,
    loadedAt,
    total: view.table.rows,
    matched: view.length,
    pending: view.table.pending,
    filter: {
      text: filter.text,
      settled: view.filterSettled && filter.reading === null,
      problem: filter.problem,
      reading: filter.reading,
      cohort: filter.cohort,
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

/** Returns rows of a view by position. The result is shorter at the end of the view. */
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
