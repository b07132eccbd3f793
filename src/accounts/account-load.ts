import { ServiceError } from "../api/errors.ts";
import { type TableDifference, tableDifference } from "./difference.ts";
import type { AccountBatch } from "./ingest/batch.ts";
import type { ListEnd } from "./ingest/read-list.ts";
import { keepAges } from "./row-ages.ts";
import { inSlices, type Sliced, type Slicing } from "./slices.ts";
import type { AccountTable } from "./table.ts";
import type { AccountView } from "./view.ts";

/** What is known of a list after its last row. */
type LoadEnd = Pick<ListEnd, "unreadableRows">;

/**
 * Where rows come from: a list of the service (INTERFACE 4.9–4.11). Each batch is in the table before
 * the next one is asked for.
 */
export type AccountSource = (
  signal: AbortSignal,
  table: AccountTable,
) => AsyncGenerator<AccountBatch, LoadEnd, void>;

/** One load and its callers: it continues while any of them wants it. */
export class RunningLoad {
  readonly #controller = new AbortController();
  #wanted = 0;
  /** The user's own word, as against a screen that went away. */
  cancelledByUser = false;
  ended: Promise<void> = Promise.resolve();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(byUser: boolean): void {
    this.cancelledByUser ||= byUser;
    this.#controller.abort(new ServiceError("cancelled", "the load was canceled"));
  }

  /** Resolves when the load has ended or `signal` is aborted; the last one to leave ends it. */
  async join(signal?: AbortSignal): Promise<void> {
    this.#wanted += 1;
    const left = Promise.withResolvers<void>();
    const leave = () => {
      this.#wanted -= 1;
      if (this.#wanted === 0) this.cancel(false);
      left.resolve();
    };
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await Promise.race([this.ended, left.promise]);
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }
}

/**
 * Hands every batch of a source to `take`, which puts it into the table, letting other events have
 * their turn; `first` says what has to be waited for before each. Rejects with what the source threw, or with the signal's reason the moment it is aborted, whether or not the source
 * takes notice; what it answers later is dropped.
 */
export async function takeAll(
  source: AccountSource,
  table: AccountTable,
  signal: AbortSignal,
  how: Slicing,
  first: () => Promise<void> | null,
  take: (batch: AccountBatch) => void,
): Promise<LoadEnd> {
  signal.throwIfAborted();
  const batches = source(signal, table);
  let refuse: (reason: unknown) => void = () => {};
  const onAbort = () => refuse(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    let turn = how.elapsed();
    for (;;) {
      const step = await new Promise<IteratorResult<AccountBatch, LoadEnd>>((resolve, reject) => {
        refuse = reject;
        batches.next().then(resolve, reject);
      });
      signal.throwIfAborted();
      if (step.done) return step.value;
      await first();
      signal.throwIfAborted();
      take(step.value);
      if (how.elapsed() - turn >= how.budgetMs) {
        await how.yieldNow();
        turn = how.elapsed();
        signal.throwIfAborted();
      }
    }
  } catch (error) {
    batches.return({ unreadableRows: 0 }).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

const rowsIndexedAtOnce = 2048;

/**
 * Gets a reload's view ready to be seen in one go: compared with the rows before it, filtered,
 * sorted, and indexed where marks have to find their rows. Filter and sort may change meanwhile.
 * Rejects with the signal's reason.
 */
export async function readyToBeSeen(
  before: AccountTable,
  view: AccountView,
  marked: () => boolean,
  how: Slicing,
  signal: AbortSignal,
): Promise<TableDifference> {
  const run = async <T>(work: Sliced<T>): Promise<T> => {
    const done = await inSlices(work, how, () => signal.aborted);
    signal.throwIfAborted();
    return done as T;
  };
  const difference = await run(tableDifference(before, view.table));
  await run(keepAges(before, view.table, difference.previous));
  do {
    await run(settling(view));
    if (marked()) await run(indexing(view.table));
  } while (!view.settled);
  return difference;
}

/** Finds and sorts what is left to be found and sorted. */
function* settling(view: AccountView): Sliced<void> {
  while (!view.settled) {
    view.work();
    yield;
  }
}

/** Takes all rows into the identity index. */
export function* indexing(table: AccountTable): Sliced<void> {
  while (!table.indexMore(rowsIndexedAtOnce)) yield;
}
