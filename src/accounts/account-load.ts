/** Runs one load of an account list, and prepares its rows before they become visible. */
import { ServiceError } from "../api/errors.ts";
import { type TableDifference, tableDifference } from "./difference.ts";
import type { AccountBatch } from "./ingest/batch.ts";
import type { ListEnd } from "./ingest/read-list.ts";
import { copyAges } from "./row-ages.ts";
import { pauseBetweenSlices, runSliced, type Sliced, type Slicing } from "./slices.ts";
import { type AccountTable, indexing } from "./table.ts";
import type { AccountView } from "./view.ts";

type LoadEnd = Pick<ListEnd, "unreadableRows">;

/**
 * Reads an account list of the service in batches (INTERFACE 4.9–4.11). Each batch is added to the
 * table before the next one is requested.
 */
export type AccountSource = (
  signal: AbortSignal,
  table: AccountTable,
) => AsyncGenerator<AccountBatch, LoadEnd, void>;

/** One load and its callers. It continues while at least one caller waits for it. */
export class RunningLoad {
  readonly #controller = new AbortController();
  #callers = 0;
  /**
   * True if the user canceled the load. False if it was canceled because no caller waits for it.
   */
  cancelledByUser = false;
  ended: Promise<void> = Promise.resolve();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(byUser: boolean): void {
    this.cancelledByUser ||= byUser;
    this.#controller.abort(new ServiceError("cancelled", "the load was canceled"));
  }

  /**
   * Resolves when the load has ended or `signal` is aborted. Cancels the load if no other caller
   * waits for it.
   */
  async join(signal?: AbortSignal): Promise<void> {
    this.#callers += 1;
    const aborted = Promise.withResolvers<void>();
    const leave = () => {
      this.#callers -= 1;
      if (this.#callers === 0) this.cancel(false);
      aborted.resolve();
    };
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await Promise.race([this.ended, aborted.promise]);
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }
}

/**
 * Passes every batch of a source to `take`, which adds it to the table. Other events run between
 * batches. The promise that `beforeBatch` returns is awaited before each `take`. Rejects with the error of
 * the source, or with the signal's reason as soon as the signal is aborted. A batch that arrives
 * after the abort is dropped.
 */
export async function loadBatches(
  source: AccountSource,
  table: AccountTable,
  signal: AbortSignal,
  slicing: Slicing,
  beforeBatch: () => Promise<void> | null,
  take: (batch: AccountBatch) => void,
): Promise<LoadEnd> {
  signal.throwIfAborted();
  const batches = source(signal, table);
  let rejectStep: (reason: unknown) => void = () => {};
  const onAbort = () => rejectStep(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const pause = pauseBetweenSlices(slicing);
    for (;;) {
      const step = await new Promise<IteratorResult<AccountBatch, LoadEnd>>((resolve, reject) => {
        rejectStep = reject;
        batches.next().then(resolve, reject);
      });
      signal.throwIfAborted();
      if (step.done) return step.value;
      await beforeBatch();
      signal.throwIfAborted();
      take(step.value);
      await pause();
      signal.throwIfAborted();
    }
  } catch (error) {
    batches.return({ unreadableRows: 0 }).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * Prepares the view of a reload before it becomes visible: compares it with the earlier rows,
 * filters and sorts it, and indexes it if marks must find their rows. Filter and sort can change
 * meanwhile. Rejects with the signal's reason.
 */
export async function prepareView(
  before: AccountTable,
  view: AccountView,
  marked: () => boolean,
  slicing: Slicing,
  signal: AbortSignal,
): Promise<TableDifference> {
  const run = <T>(work: Sliced<T>) => runSliced(work, signal, slicing);
  const difference = await run(tableDifference(before, view.table));
  await run(copyAges(before, view.table, difference.previous));
  do {
    await run(settling(view));
    if (marked()) await run(indexing(view.table));
  } while (!view.settled);
  return difference;
}

function* settling(view: AccountView): Sliced<void> {
  while (!view.settled) {
    view.work();
    yield;
  }
}
