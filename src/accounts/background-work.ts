import { shownTimesOf } from "./block.ts";
import type { Slicing } from "./slices.ts";
import type { AccountView } from "./view.ts";

const rowsIndexedAtOnce = 2048;

/** What the background work is for, asked anew each time: a reload brings another view. */
export interface BackgroundWorkOptions {
  readonly slicing: Slicing;
  view(): AccountView;
  /** Whether there is nothing better to do than to get ready for later. */
  resting(): boolean;
  readonly shown: ((createdAtMs: number) => string) | undefined;
  /** What is seen has changed. */
  changed(): void;
}

/**
 * Sees to the work of a view in slices, and when that is done, to what makes later work quick: the
 * identity index, and the times as they are shown, for the filter.
 */
export class BackgroundWork {
  readonly #options: BackgroundWorkOptions;
  #running = false;
  #ended = false;
  #waiting: (() => void)[] = [];

  constructor(options: BackgroundWorkOptions) {
    this.#options = options;
  }

  /** Starts where there is something to do and nothing is being done. */
  start(): void {
    if (this.#running || this.#ended || !this.#hasWork()) return;
    void this.#run();
  }

  /** Resolves when the view is settled, for the rows there are. */
  settled(): Promise<void> {
    if (this.#ended || this.#options.view().settled) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.start();
    return promise;
  }

  /** Does nothing any more. */
  end(): void {
    this.#ended = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      do {
        await this.#options.slicing.yieldNow();
        if (this.#ended) return;
        this.#slice();
        // Asked in the same breath as `#running` is given up: work that comes later starts anew.
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
    if (view.settled) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #hasWork(): boolean {
    const view = this.#options.view();
    return !view.settled || this.#unprepared(view);
  }

  #unprepared(view: AccountView): boolean {
    if (!this.#options.resting()) return false;
    return !view.table.indexed || this.#unshown(view) !== null;
  }

  #prepare(view: AccountView): void {
    const { shown } = this.#options;
    const block = this.#unshown(view);
    if (!view.table.indexed) view.table.indexMore(rowsIndexedAtOnce);
    else if (block && shown) shownTimesOf(block, shown);
  }

  #unshown(view: AccountView) {
    if (!this.#options.shown) return null;
    return view.table.blocks.find((block) => block.full && block.shown === null) ?? null;
  }
}
