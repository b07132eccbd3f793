import type { Block } from "./block.ts";
import { blockSearchOf, shownTimesOf } from "./block-search.ts";
import type { ShownInstant } from "./shown-instant.ts";
import type { Slicing } from "./slices.ts";
import { rowsIndexedPerStep } from "./table.ts";
import type { AccountView } from "./view.ts";

/**
 * Maximum number of slices of work before the next frame. Most filters finish in this time, so that
 * no frame without their result is drawn.
 */
const slicesBeforeFrame = 6;

/**
 * The view to work on, the length of the slices, and the later work to prepare. `view` is called
 * before each slice, because a reload replaces the view.
 */
interface BackgroundWorkOptions {
  readonly slicing: Slicing;
  view(): AccountView;
  preparing(): "nothing" | "filter" | "all";
  readonly shown: ShownInstant | undefined;
  changed(): void;
}

interface Waiting {
  readonly isMet: (view: AccountView) => boolean;
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

  start(): void {
    if (this.#running || this.#ended || !this.#hasWork()) return;
    void this.#run();
  }

  /**
   * Works for a moment before it returns, without a notification, so that the next frame already
   * shows quick results. The rest continues in slices.
   */
  workBeforeNextFrame(): void {
    if (this.#ended) return;
    const { slicing } = this.#options;
    const view = this.#options.view();
    const end = slicing.elapsed() + slicing.budgetMs * slicesBeforeFrame;
    while (!view.settled && slicing.elapsed() < end) view.work();
    this.start();
  }

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
      (this.#options.preparing() === "nothing" || this.#blockWithoutIndex(view) === null);
    return ready(this.#options.view()) ? null : this.#until(ready);
  }

  #until(isMet: Waiting["isMet"]): Promise<void> {
    if (this.#ended || isMet(this.#options.view())) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ isMet, resolve });
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
    let visiblyChanged = false;
    do {
      if (!view.settled) {
        const rowsChanged = view.work();
        visiblyChanged = rowsChanged || view.settled || visiblyChanged;
      } else if (this.#canPrepareMore(view)) this.#prepare(view);
      else break;
    } while (slicing.elapsed() < end);
    if (visiblyChanged) changed();
    this.#waiting = this.#waiting.filter(({ isMet, resolve }) => {
      if (!isMet(view)) return true;
      resolve();
      return false;
    });
  }

  #hasWork(): boolean {
    const view = this.#options.view();
    return !view.settled || this.#canPrepareMore(view);
  }

  #canPrepareMore(view: AccountView): boolean {
    const later = this.#options.preparing();
    if (later === "nothing") return false;
    return this.#blockWithoutIndex(view) !== null || (later === "all" && !view.table.indexed);
  }

  #prepare(view: AccountView): void {
    const { shown } = this.#options;
    const block = this.#blockWithoutIndex(view);
    if (block === null) view.table.indexMore(rowsIndexedPerStep);
    else if (block.search === null) blockSearchOf(block);
    else if (shown) shownTimesOf(block, shown);
  }

  #blockWithoutIndex(view: AccountView): Block | null {
    const { shown } = this.#options;
    const lacksIndex = (block: Block) => block.search === null || (shown && block.shown === null);
    return view.table.blocks.find((block) => block.full && lacksIndex(block)) ?? null;
  }
}
