/** Stores one account list for the screens: loads, filters, sorts and marks its rows. */

import {
  type AccountListLoad,
  type AccountListOptions,
  type AccountListSnapshot,
  type AccountRowView,
  rowViews,
  snapshotOf,
} from "./account-list-snapshot.ts";
import { type AccountSource, loadBatches, prepareView, RunningLoad } from "./account-load.ts";
import { BackgroundWork } from "./background-work.ts";
import type { TableDifference } from "./difference.ts";
import { type AccountFacts, usesMarks } from "./filter-facts.ts";
import { ListFilter } from "./list-filter.ts";
import { Marks } from "./marks.ts";
import { Notifications } from "./notifications.ts";
import { type KnownAges, lookUpAges } from "./row-ages.ts";
import type { ShownInstant } from "./shown-instant.ts";
import { betweenEvents, inSlices, type Slicing } from "./slices.ts";
import type { SortColumn } from "./sort.ts";
import { AccountTable, indexing } from "./table.ts";
import { AccountView, type ViewRows } from "./view.ts";

/** Minimum milliseconds between two notifications while rows are appended to visible rows. */
const growthMs = 250;
/** Minimum milliseconds between two notifications before the first visible row or with a filter. */
const filteringMs = 33;
/**
 * Minimum milliseconds between two notifications while a loaded list is filtered or sorted. With
 * fewer notifications the result is ready sooner.
 */
const workingMs = 60;

/**
 * An account list that can be loaded, reloaded, filtered, sorted and marked. Long work runs in
 * slices between other events. Listeners are notified of results, not of steps.
 */
export class AccountListStore {
  readonly #now: () => number;
  readonly #agesNow: () => number;
  readonly #slicing: Slicing;
  readonly #shown: ShownInstant | undefined;
  readonly #maxBytes: number | undefined;
  readonly #notices = new Notifications(() => {
    this.#snapshot = this.#takeSnapshot(this.#snapshot.version + 1);
  });
  #view: AccountView;
  /** The complete rows of a reload, before they become visible. */
  #incoming: AccountView | null = null;
  /** The marked accounts. A change of the marks notifies the listeners. */
  readonly marks: Marks;
  readonly #background: BackgroundWork;
  #difference: TableDifference | null = null;
  #load: AccountListLoad = { kind: "idle" };
  #loadedAt: number | null = null;
  readonly #filter: ListFilter;
  #sort: { readonly column: SortColumn; readonly descending: boolean };
  #filterExpected = false;
  #running: RunningLoad | null = null;
  #disposed = false;
  #snapshot: AccountListSnapshot;
  /** The last account whose position was requested, and its row, or -1 if the list lacks it. */
  #lastLookup = { external: "", row: -1 };
  #agesInProgress: KnownAges | null = null;

  constructor(options: AccountListOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.#slicing = options.slicing ?? betweenEvents;
    this.#shown = options.shown;
    this.#maxBytes = options.maxBytes;
    this.#agesNow = options.agesNow ?? this.#now;
    this.#filter = new ListFilter(this.#agesNow);
    this.#sort = { column: "wire", descending: false };
    this.#view = this.#viewOf(this.#newTable());
    this.marks = new Marks(this.#view.table, () => this.#marksChanged());
    this.#background = new BackgroundWork({
      slicing: this.#slicing,
      view: () => this.#view,
      preparing: () => {
        if (this.#load.kind === "loaded") return "all";
        return this.#filterExpected ? "filter" : "nothing";
      },
      shown: this.#shown,
      changed: () => {
        if (this.#load.kind === "loading") this.#announceGrowth();
        else if (this.#view.settled) this.#notices.now();
        else this.#notices.soon(workingMs);
      },
    });
    this.#snapshot = this.#takeSnapshot(0);
  }

  subscribe(listener: () => void): () => void {
    return this.#notices.subscribe(listener);
  }

  /** Returns the same object until something visible changes. */
  getSnapshot(): AccountListSnapshot {
    return this.#snapshot;
  }

  /**
   * Loads the list. Resolves when the load has ended. The snapshot then has the result. A further
   * call joins a running load. The load is canceled when the signal of every caller is aborted.
   *
   * The rows of a first load are visible as they arrive, and stay if the load fails. The rows of a
   * later load replace the visible rows when they are complete. A load that is canceled because no
   * caller waits for it restores the previous state, so that the list can be loaded again at once.
   * After {@link cancelLoad} the load counts as failed.
   */
  async load(source: AccountSource, signal?: AbortSignal): Promise<void> {
    if (this.#disposed || signal?.aborted) return;
    if (this.#running === null || this.#running.signal.aborted) {
      const running = new RunningLoad();
      const before = this.#running?.ended;
      this.#running = running;
      running.ended = this.#run(running, source, before);
    }
    await this.#running.join(signal);
  }

  cancelLoad(): void {
    this.#running?.cancel(true);
  }

  /**
   * Shows only matching rows and cancels earlier filtering. If the text needs facts that are being
   * read, the rows stay as they are until {@link setFacts} supplies the facts.
   */
  setFilter(text: string): void {
    if (text === this.#filter.text) return;
    if (this.#filter.setText(text)) {
      this.#view.setFilter(this.#filter.query);
      this.#incoming?.setFilter(this.#filter.query);
    }
    this.#background.workBeforeNextFrame();
    this.#notices.now();
  }

  /** Stores new facts (ages or cohorts), and applies the filter again if it depends on them. */
  setFacts(known: AccountFacts): void {
    const facts = { ...known, marked: this.#marked };
    const isChanged = this.#filter.setFacts(facts);
    for (const view of [this.#view, this.#incoming]) {
      view?.setFacts(facts);
      if (isChanged) view?.setFilter(this.#filter.query);
    }
    if (isChanged) this.#background.workBeforeNextFrame();
    this.#notices.now();
  }

  readonly #marked = () => new Set(this.marks.externals());

  #marksChanged(): void {
    if (usesMarks(this.#filter.query)) {
      this.#view.setFilter(this.#filter.query);
      this.#incoming?.setFilter(this.#filter.query);
      this.#background.workBeforeNextFrame();
    }
    this.#notices.now();
  }

  /** Formats creation times again after their format has changed, and applies the filter again. */
  reformatTimes(): void {
    this.#view.reformatTimes(this.#filter.query);
    this.#incoming?.reformatTimes(this.#filter.query);
    this.#background.workBeforeNextFrame();
    this.#notices.now();
  }

  /**
   * Looks up the ages of the rows in slices, and shows them when every row has its age. Stops if
   * later ages or later rows arrive.
   */
  async setAges(known: KnownAges): Promise<void> {
    const { table } = this.#view;
    const outdated = () =>
      this.#disposed || this.#agesInProgress !== known || this.#view.table !== table;
    this.#agesInProgress = known;
    await inSlices(lookUpAges(table, known), this.#slicing, outdated);
    if (outdated()) return;
    this.#agesInProgress = null;
    this.#view.agesChanged();
    this.#background.start();
    this.#notices.now();
  }

  /** Prepares the list for filtering at once, because the user is about to type a filter. */
  expectFilter(): void {
    this.#filterExpected = true;
    this.#background.start();
  }

  /** Sorts the visible rows. Rows without a value come last in both directions. */
  setSort(column: SortColumn, descending: boolean): void {
    if (column === this.#sort.column && descending === this.#sort.descending) return;
    this.#sort = { column, descending };
    this.#view.setSort(column, descending);
    this.#incoming?.setSort(column, descending);
    this.#background.start();
    this.#notices.now();
  }

  slice(start: number, count: number): readonly AccountRowView[] {
    return rowViews(this.#view, this.marks, this.#difference?.changes ?? null, start, count);
  }

  /** Returns the position of an account in the view, or -1 if the view does not contain it. */
  positionOf(external: string): number {
    const { table } = this.#view;
    const { row } = this.#lastLookup;
    const known = this.#lastLookup.external === external && row < table.rows;
    if (!known || row < 0 || table.externalAt(row) !== external) {
      this.#lastLookup = { external, row: table.rowOf(external) };
    }
    return this.#view.positionOf(this.#lastLookup.row);
  }

  viewRows(): ViewRows {
    return this.#view.rows();
  }

  /**
   * Finishes filtering, then marks all rows that match. Marks nothing while facts of the filter are
   * being read.
   */
  markMatching(): void {
    if (this.#filter.reading !== null) return;
    while (!this.#view.filterSettled) this.#view.work();
    this.marks.markAll(this.#view.rows());
  }

  /**
   * Returns the number of marked accounts that are not visible: hidden by the filter, or on no
   * list.
   */
  hiddenMarks(): number {
    return this.marks.hiddenIn(this.#view);
  }

  /** Resolves when the requested filter and order are applied to the existing rows. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  /** Cancels all work. The store cannot be used afterwards. */
  dispose(): void {
    this.#disposed = true;
    this.#running?.cancel(false);
    this.#notices.end();
    this.#background.end();
    this.#incoming = null;
    this.#difference = null;
    this.#view = this.#viewOf(this.#newTable());
  }

  #viewOf(table: AccountTable): AccountView {
    return new AccountView(table, this.#shown, { facts: this.#filter.facts, now: this.#agesNow });
  }

  #newTable(): AccountTable {
    return new AccountTable({ maxBytes: this.#maxBytes });
  }

  async #run(running: RunningLoad, source: AccountSource, before?: Promise<void>): Promise<void> {
    await before;
    const { signal } = running;
    const previous = this.#load;
    const startedAt = this.#now();
    const reload = this.#view.table.rows > 0;
    const table = reload ? this.#newTable() : this.#view.table;
    let rows = 0;
    this.#load = { kind: "loading", rows, startedAt, reload };
    this.#notices.now();
    try {
      const readyToFilter = () => this.#background.readyToFilter();
      const { unreadableRows } = await loadBatches(
        source,
        table,
        signal,
        this.#slicing,
        readyToFilter,
        (batch) => {
          table.append(batch);
          rows += batch.count;
          this.#load = { kind: "loading", rows, startedAt, reload };
          if (!reload) this.#background.start();
          this.#announceGrowth();
        },
      );
      if (reload) await this.#replace(table, signal);
      else await this.#finish();
      const at = this.#now();
      this.#loadedAt = at;
      this.#load = { kind: "loaded", rows, at, tookMs: at - startedAt, unreadableRows };
    } catch (error) {
      this.#incoming = null;
      this.#load =
        signal.aborted && !running.cancelledByUser
          ? previous
          : {
              kind: "failed",
              error: signal.aborted ? signal.reason : error,
              rows,
              at: this.#now(),
            };
      if (!reload) this.#view.complete();
    }
    if (this.#running === running) this.#running = null;
    if (this.#disposed) return;
    this.#background.start();
    this.#notices.now();
  }

  /**
   * Announces new rows a few times a second, because drawing more often would cost more time than
   * reading. Announces new rows more often before the first visible row and with a filter.
   */
  #announceGrowth(): void {
    const growsVisibly = this.#filter.text === "" && this.#snapshot.matched > 0;
    this.#notices.soon(growsVisibly ? growthMs : filteringMs);
  }

  async #finish(): Promise<void> {
    this.#view.complete();
    if (this.marks.count === 0) return;
    await inSlices(indexing(this.#view.table), this.#slicing);
    this.marks.settle();
  }

  async #replace(table: AccountTable, signal: AbortSignal): Promise<void> {
    const before = this.#view.table;
    const view = this.#viewOf(table);
    view.complete();
    view.setFilter(this.#filter.query);
    view.setSort(this.#sort.column, this.#sort.descending);
    this.#incoming = view;
    const marked = () => this.marks.count > 0;
    const difference = await prepareView(before, view, marked, this.#slicing, signal);
    // If a table is truncated, its dropped rows cannot be distinguished from removed or new rows.
    const comparable =
      this.#loadedAt !== null && before.truncatedAt === null && table.truncatedAt === null;
    this.marks.moveTo(table, difference.previous);
    this.#difference = comparable ? difference : null;
    this.#view = view;
    this.#incoming = null;
  }

  #takeSnapshot(version: number): AccountListSnapshot {
    return snapshotOf({
      version,
      view: this.#view,
      load: this.#load,
      loadedAt: this.#loadedAt,
      filter: this.#filter,
      sort: this.#sort,
      marks: this.marks,
      difference: this.#difference,
    });
  }
}
