import { RowChange, type TableDifference } from "./difference.ts";
import type { ListFilter } from "./list-filter.ts";
import type { Marks } from "./marks.ts";
import type { Slicing } from "./slices.ts";
import type { SortColumn } from "./sort.ts";
import type { AccountRow } from "./table.ts";
import type { AccountView } from "./view.ts";

/** How far the loading of a list is. Times are epoch milliseconds. */
export type AccountListLoad =
  | { readonly kind: "idle" }
  | {
      readonly kind: "loading";
      readonly rows: number;
      readonly startedAt: number;
      /** The rows seen meanwhile are those of an earlier load. */
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
      /** Also a load that the user canceled: its error is a ServiceError. */
      readonly kind: "failed";
      readonly error: unknown;
      /** Rows that came before it failed. Of a first load they stay usable. */
      readonly rows: number;
      readonly at: number;
    };

/** What a screen needs to know of a list besides its rows. */
export interface AccountListSnapshot {
  /** Another one after every visible change. */
  readonly version: number;
  readonly load: AccountListLoad;
  /** When the rows seen were complete; null while they never were. */
  readonly loadedAt: number | null;
  readonly total: number;
  readonly matched: number;
  /** Pending ones among the rows that came. */
  readonly pending: number;
  readonly filter: {
    readonly text: string;
    /** Whether the rows seen are those of this text. */
    readonly settled: boolean;
    readonly problem: string | null;
    /** What must be read before rows can be chosen by the text, in words: the rows are of another. */
    readonly reading: string | null;
  };
  readonly sort: {
    readonly column: SortColumn;
    readonly descending: boolean;
    readonly settled: boolean;
  };
  readonly marks: number;
  /** Against the load before; null where there is nothing complete to compare with. */
  readonly changes: {
    readonly added: number;
    readonly changed: number;
    readonly gone: number;
  } | null;
  /** Rows kept where more came than memory allows; null while all are kept. */
  readonly truncatedAt: number | null;
  /** Rows that came of which those are kept; `total` where all are. */
  readonly came: number;
}

/** One row as a screen shows it. */
export interface AccountRowView extends AccountRow {
  /** Its place in the service's order; another one after a reload. */
  readonly row: number;
  readonly marked: boolean;
  readonly change: "added" | "changed" | null;
}

export interface AccountListOptions {
  /** The time that ages count to, in epoch milliseconds. Default: `now`. */
  readonly agesNow?: () => number;
  /** Wall clock in epoch milliseconds. */
  readonly now?: (() => number) | undefined;
  /** How long work goes on before other events have their turn. */
  readonly slicing?: Slicing | undefined;
  /** How a creation time is written on the screen, so that the filter finds it so too. */
  readonly shown?: ((createdAtMs: number) => string) | undefined;
  /** The same, written as bytes into a place with room for 64; quicker for a million of them. */
  readonly writeShown?: ((createdAtMs: number, into: Uint8Array, at: number) => number) | undefined;
  /** Memory cap of one table in bytes. */
  readonly maxBytes?: number | undefined;
}

/** A list as it stands at one moment. */
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

/** What a screen needs to know of it besides its rows. */
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
