import type { AccountFacts } from "./account-facts.ts";
import type {
  AccountListLoad,
  AccountListOptions,
  AccountListSnapshot,
  AccountRowView,
} from "./account-list-snapshot.ts";
import { rowViews, snapshotOf } from "./account-list-snapshot.ts";
import {
  type AccountSource,
  indexing,
  RunningLoad,
  readyToBeSeen,
  takeAll,
} from "./account-load.ts";
import { BackgroundWork } from "./background-work.ts";
import type { TableDifference } from "./difference.ts";
import { ListFilter } from "./list-filter.ts";
import { type MarkedAccounts, Marks } from "./marks.ts";
import { Notifications } from "./notifications.ts";
import { type KnownAges, takeAges } from "./row-ages.ts";
import { type ShownInstant, shownInstant } from "./shown-instant.ts";
import { betweenEvents, inSlices, type Slicing } from "./slices.ts";
import type { SortColumn } from "./sort.ts";
import { type AccountRow, AccountTable, unlistedRow } from "./table.ts";
import { AccountView, type ViewRows } from "./view.ts";

/** Between two notices of a list that grows, and of one whose first rows are waited for, in milliseconds. */
const growthMs = 250;
const filteringMs = 33;
/** Between two of a list that is there and still being filtered or sorted: the result comes sooner without. */
const workingMs = 60;

/**
 * One list of accounts as screens use it: loaded and loaded again, filtered, sorted, marked. Long
 * work is done in slices between other events; listeners hear of results, not of steps.
 */
export class AccountListStore {
  readonly #now: () => number;
  readonly #agesNow: () => number;
  readonly #slicing: Slicing;
  readonly #shown: ShownInstant | undefined;
  readonly #maxBytes: number | undefined;
  readonly #notices = new Notifications(() => {
    this.#snapshot = this.#look(this.#snapshot.version + 1);
  });
  #view: AccountView;
  /** A reload's rows, complete and about to be seen. */
  #incoming: AccountView | null = null;
  readonly #marks: Marks;
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
  #found = { external: "", row: -1 };
  /** The ages that are being looked up; null while none are. */
  #aging: KnownAges | null = null;

  constructor(options: AccountListOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.#slicing = options.slicing ?? betweenEvents;
    this.#shown = options.shown && shownInstant(options.shown, options.writeShown);
    this.#maxBytes = options.maxBytes;
    this.#agesNow = options.agesNow ?? this.#now;
    this.#filter = new ListFilter(this.#agesNow);
    this.#sort = { column: "wire", descending: false };
    this.#view = this.#viewOf(this.#newTable());
    this.#marks = new Marks(this.#view.table);
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
    this.#snapshot = this.#look(0);
  }

  subscribe(listener: () => void): () => void {
    return this.#notices.subscribe(listener);
  }

  /** The same object until something visible changes. */
  getSnapshot(): AccountListSnapshot {
    return this.#snapshot;
  }

  /**
   * Loads the list; resolves when the load has ended, however it ended: the snapshot says how. While
   * a load runs, a further call joins it; it is given up when every caller's signal is aborted.
   *
   * Rows of a first load are seen as they come, and stay when it fails. Later loads are put together
   * beside the rows seen and take their place when complete. A load given up because no one waits
   * for it leaves the state before it, so that it is due again at once; after {@link cancelLoad} it
   * counts as failed.
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

  /** Ends the load that runs, on the user's behalf. */
  cancelLoad(): void {
    this.#running?.cancel(true);
  }

  /**
   * Shows only matching rows; what was being filtered before is given up. Where the text asks for
   * what is still being read, the rows stay as they are until {@link learn} brings it.
   */
  setFilter(text: string): void {
    if (text === this.#filter.text) return;
    if (this.#filter.ask(text)) {
      this.#view.setFilter(this.#filter.query);
      this.#incoming?.setFilter(this.#filter.query);
    }
    this.#background.beginAtOnce();
    this.#notices.now();
  }

  /** Ages or cohorts are known now, or others than before: the filter follows. */
  learn(facts: AccountFacts): void {
    const isOther = this.#filter.learn(facts);
    for (const view of [this.#view, this.#incoming]) {
      view?.learn(facts);
      if (isOther) view?.setFilter(this.#filter.query);
    }
    if (isOther) this.#background.beginAtOnce();
    this.#notices.now();
  }

  /** The format of creation times has changed: rows and filter follow. */
  rewriteTimes(): void {
    this.#view.rewriteTimes(this.#filter.query);
    this.#incoming?.rewriteTimes(this.#filter.query);
    this.#background.beginAtOnce();
    this.#notices.now();
  }

  /**
   * Looks up the ages of the rows, in slices; they are seen when every row has its age. Given up for
   * later ages, and for later rows, which come with their ages.
   */
  async setAges(known: KnownAges): Promise<void> {
    const { table } = this.#view;
    const outdated = () => this.#disposed || this.#aging !== known || this.#view.table !== table;
    this.#aging = known;
    await inSlices(takeAges(table, known), this.#slicing, outdated);
    if (outdated()) return;
    this.#aging = null;
    this.#view.agesChanged();
    this.#background.start();
    this.#notices.now();
  }

  /**
   * A filter is about to be typed: the work that makes filtering quick starts at once, not only after
   * the load.
   */
  expectFilter(): void {
    this.#filterExpected = true;
    this.#background.start();
  }

  /** Sorts the rows seen; rows without a value come last either way. */
  setSort(column: SortColumn, descending: boolean): void {
    if (column === this.#sort.column && descending === this.#sort.descending) return;
    this.#sort = { column, descending };
    this.#view.setSort(column, descending);
    this.#incoming?.setSort(column, descending);
    this.#background.start();
    this.#notices.now();
  }

  /** Rows by their position in the view; fewer at its end. */
  slice(start: number, count: number): readonly AccountRowView[] {
    return rowViews(this.#view, this.#marks, this.#difference?.changes ?? null, start, count);
  }

  /** Where an account stands in the view; -1 when it is not in it. */
  positionOf(external: string): number {
    const { table } = this.#view;
    const { row } = this.#found;
    const known = this.#found.external === external && row < table.rows;
    if (!known || row < 0 || table.externalAt(row) !== external) {
      this.#found = { external, row: table.rowOf(external) };
    }
    return this.#view.positionOf(this.#found.row);
  }

  /** All rows of the view as it is now, for going through them one by one. */
  viewRows(): ViewRows {
    return this.#view.rows();
  }

  toggleMark(external: string): void {
    this.#marks.toggle(external);
    this.#notices.now();
  }

  /** Marks those of these accounts that are on the list, filtered away or not; gives how many are not. */
  markListed(externals: Iterable<string>): number {
    const absent = this.#marks.markListed(externals);
    this.#notices.now();
    return absent;
  }

  /**
   * Marks all rows that match the filter, also when they have not all been found yet; none while
   * something that the filter asks for is being read.
   */
  markMatching(): void {
    if (this.#filter.reading !== null) return;
    while (!this.#view.filterSettled) this.#view.work();
    this.#marks.markAll(this.#view.rows());
    this.#notices.now();
  }

  clearMarks(): void {
    this.#marks.clear();
    this.#notices.now();
  }

  /** Marked accounts in the service's order, those on no list any more last. */
  markedExternals(limit?: number): string[] {
    return this.#marks.externals(limit);
  }

  /** Returns how many marked accounts are not shown: filtered away, or on no list any more. */
  hiddenMarks(): number {
    return this.#marks.hiddenIn(this.#view);
  }

  /** The rows of the marked accounts; one that is on no list any more has only its number. */
  markedRows(limit?: number): readonly AccountRow[] {
    const { table } = this.#view;
    return this.#marks.externals(limit).map((external) => {
      const row = table.rowOf(external);
      return row < 0 ? unlistedRow(external) : table.row(row);
    });
  }

  /** The marked accounts at this moment, for iteration. */
  markedNow(): MarkedAccounts {
    return this.#marks.taken();
  }

  /** Resolves when filter and sort are what was asked for, for the rows there are. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  /** Gives up everything; the store is of no use afterwards. */
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
      const typing = () => this.#background.readyToFilter();
      const { unreadableRows } = await takeAll(
        source,
        table,
        signal,
        this.#slicing,
        typing,
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
   * New rows are announced a few times a second: drawing them more often would cost more than reading
   * them. While the first rows are waited for, or those of a filter, it is more often.
   */
  #announceGrowth(): void {
    const isShown = this.#filter.text === "" && this.#snapshot.matched > 0;
    this.#notices.soon(isShown ? growthMs : filteringMs);
  }

  /** All rows of a first load are there. */
  async #finish(): Promise<void> {
    this.#view.complete();
    if (this.#marks.count === 0) return;
    await inSlices(indexing(this.#view.table), this.#slicing);
    this.#marks.settle();
  }

  /** Puts a complete table in the place of the one seen, filtered and sorted as that one is. */
  async #replace(table: AccountTable, signal: AbortSignal): Promise<void> {
    const before = this.#view.table;
    const view = this.#viewOf(table);
    view.complete();
    view.setFilter(this.#filter.query);
    view.setSort(this.#sort.column, this.#sort.descending);
    this.#incoming = view;
    const marked = () => this.#marks.count > 0;
    const difference = await readyToBeSeen(before, view, marked, this.#slicing, signal);
    // Rows cut off on either side cannot be distinguished from gone or new ones.
    const comparable =
      this.#loadedAt !== null && before.truncatedAt === null && table.truncatedAt === null;
    this.#marks.moveTo(table, difference.previous);
    this.#difference = comparable ? difference : null;
    this.#view = view;
    this.#incoming = null;
  }

  #look(version: number): AccountListSnapshot {
    return snapshotOf({
      version,
      view: this.#view,
      load: this.#load,
      loadedAt: this.#loadedAt,
      filter: this.#filter,
      sort: this.#sort,
      marks: this.#marks,
      difference: this.#difference,
    });
  }
}
