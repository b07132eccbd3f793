/** Filters, sorts and indexes a view of accounts in slices, between other events. */
import type { Block } from "./block.ts";
import { blockSearchOf, shownTimesOf } from "./block-search.ts";
import type { ShownInstant } from "./shown-instant.ts";
import type { Slicing } from "./slices.ts";
import { rowsIndexedAtOnce } from "./table.ts";
import type { AccountView } from "./view.ts";

/**
 * Maximum number of slices of work before the next frame. Most filters finish within this time. An
 * extra frame without the result would take half as long.
 */
const slicesAtOnce = 6;

/**
 * The view to work on, and its settings. The view is read each time, because a reload replaces it.
 */
interface BackgroundWorkOptions {
  readonly slicing: Slicing;
  view(): AccountView;
  /** Returns the kind of later work to prepare for. */
  preparing(): "nothing" | "filter" | "all";
  readonly shown: ShownInstant | undefined;
  /** Reports a visible change. */
  changed(): void;
}

/** A caller that waits for a condition of the view. */
interface Waiting {
  readonly holds: (view: AccountView) => boolean;
  readonly resolve: () => void;
}

/**
 * Filters and sorts a view in slices. Afterwards prepares later work: builds the filter's indexes
 * of each block and the identity index.
 */
export class BackgroundWork {
  readonly #options: BackgroundWorkOptions;
  #running = false;
  #ended = false;
  #waiting: Waiting[] = [];

  constructor(options: BackgroundWorkOptions) {
    this.#options = options;
  }

  /** Starts if there is work and none is running. */
  start(): void {
    if (this.#running || this.#ended || !this.#hasWork()) return;
    void this.#run();
  }

  /**
   * Works for a moment before it returns, without a notification, so that the next frame already
   * shows quick results. The rest continues in slices.
   */
  beginAtOnce(): void {
    if (this.#ended) return;
    const { slicing } = this.#options;
    const view = this.#options.view();
    const end = slicing.elapsed() + slicing.budgetMs * slicesAtOnce;
    while (!view.settled && slicing.elapsed() < end) view.work();
    this.start();
  }

  /** Resolves when the view is settled for the existing rows. */
  settled(): Promise<void> {
    return this.#until((view) => view.settled);
  }

  /**
   * Resolves when the visible rows match the requested filter and the data for the next filter is
   * built. Returns null if both are already true.
   */
  readyToFilter(): Promise<void> | null {
    const ready = (view: AccountView) =>
      view.filterSettled &&
      (this.#options.preparing() === "nothing" || this.#unsearched(view) === null);
    return ready(this.#options.view()) ? null : this.#until(ready);
  }

  #until(holds: Waiting["holds"]): Promise<void> {
    if (this.#ended || holds(this.#options.view())) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ holds, resolve });
    this.start();
    return promise;
  }

  /** Stops all work. Later calls do not start it again. */
  end(): void {
    this.#ended = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      do {
        await this.#options.slicing.yieldNow();
        if (this.#ended) return;
        this.#slice();
        // This is checked in the same tick in which `#running` is cleared, so later work starts a
        // new run.
      } while (this.#hasWork());
    } finally {
      this.#running = false;
    }
  }

  #slice(): void {
    const { slicing, changed } = this.#options;
    const view = this.#options.view();
    const end = slicing.elapsed() + slicing.budgetMs;
    let different = false;
    do {
      if (!view.settled) {
        const seen = view.work();
        different = seen || view.settled || different;
      } else if (this.#unprepared(view)) this.#prepare(view);
      else break;
    } while (slicing.elapsed() < end);
    if (different) changed();
    this.#waiting = this.#waiting.filter(({ holds, resolve }) => {
      if (!holds(view)) return true;
      resolve();
      return false;
    });
  }

  #hasWork(): boolean {
    const view = this.#options.view();
    return !view.settled || this.#unprepared(view);
  }

  #unprepared(view: AccountView): boolean {
    const what = this.#options.preparing();
    if (what === "nothing") return false;
    return this.#unsearched(view) !== null || (what === "all" && !view.table.indexed);
  }

  #prepare(view: AccountView): void {
    const { shown } = this.#options;
    const block = this.#unsearched(view);
    if (block === null) view.table.indexMore(rowsIndexedAtOnce);
    else if (block.search === null) blockSearchOf(block);
    else if (shown) shownTimesOf(block, shown);
  }

  #unsearched(view: AccountView): Block | null {
    const { shown } = this.#options;
    const lacks = (block: Block) => block.search === null || (shown && block.shown === null);
    return view.table.blocks.find((block) => block.full && lacks(block)) ?? null;
  }
}
