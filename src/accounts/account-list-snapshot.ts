/**
 * Builds the data that screens show about an account list: rows, load progress, counts and filter.
 */
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
      /**
       * The load failed, or the user canceled it. The error of a canceled load is a ServiceError.
       */
      readonly kind: "failed";
      readonly error: unknown;
      /** Number of rows that arrived before the failure. The rows of a first load stay visible. */
      readonly rows: number;
      readonly at: number;
    };

export interface AccountListSnapshot {
  /** Changes with every visible change. */
  readonly version: number;
  readonly load: AccountListLoad;
  /**
   * The time at which the visible rows were completely loaded, in epoch milliseconds, or null if
   * they never were.
   */
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
     * The name of the data that is read before the text can be applied, such as `ages`, or null if
     * all data is known. Until then the rows match an earlier text.
     */
    readonly reading: string | null;
    /** The cohort to which the filter limits the list, or null if there is none. */
    readonly cohort: string | null;
  };
  readonly sort: {
    readonly column: SortColumn;
    readonly descending: boolean;
    readonly settled: boolean;
  };
  readonly marks: number;
  /** The changes since the previous load, or null if there is no complete load to compare with. */
  readonly changes: {
    readonly added: number;
    readonly changed: number;
    readonly removed: number;
  } | null;
  /** Number of stored rows if the memory cap was reached, or null if all rows are stored. */
  readonly truncatedAt: number | null;
  /** Number of rows that arrived. Equal to `total` if all of them are stored. */
  readonly arrived: number;
}

export interface AccountRowView extends AccountRow {
  readonly marked: boolean;
  readonly change: "added" | "changed" | null;
}

export interface AccountListOptions {
  /** Returns the time up to which ages are counted, in epoch milliseconds. Default: `now`. */
  readonly agesNow?: () => number;
  /** Returns the current time in epoch milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** The length of a slice of work, and the pause after it. Default: `betweenEvents`. */
  readonly slicing?: Slicing | undefined;
  /** Formats creation times as the screen shows them. */
  readonly shown?: ShownInstant | undefined;
  /** Memory cap of one table in bytes. Default: 256 MiB. */
  readonly maxBytes?: number | undefined;
}

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
      removed: difference.removed,
    },
    truncatedAt: view.table.truncatedAt,
    arrived: view.table.arrived,
  };
}

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
      ...view.table.row(row),
      marked: marks.has(row),
      change:
        change === RowChange.added ? "added" : change === RowChange.changed ? "changed" : null,
    });
  }
  return rows;
}
