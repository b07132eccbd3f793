/** Reads the list of all accounts of a supplier, and records it as an observation. */
import { fieldEnd, fieldStart, TextColumn } from "../accounts/columns.ts";
import { type AccountBatch, AccountFlag } from "../accounts/ingest/batch.ts";
import { BatchBuilder } from "../accounts/ingest/batch-builder.ts";
import { readAccountList } from "../accounts/ingest/read-list.ts";
import type { Clock } from "../api/clock.ts";
import { isServiceError, ServiceError } from "../api/errors.ts";
import type { ListState, Service } from "../api/service.ts";
import { plural } from "../text/numbers.ts";
import { NumberIndex, NumberList } from "./account-numbers.ts";
import type { LoadRecorder, Observations, Recorded } from "./observations/observations.ts";

interface ListOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

interface WholeListOptions extends ListOptions {
  readonly observations?: Pick<Observations, "begin"> | undefined;
}

interface AllAccountsEnd {
  readonly rows: number;
  /** Number of elements without a readable account number. A list with such elements is not complete. */
  readonly unreadableRows: number;
  /** The start of the load in epoch milliseconds. The listed data is at least this new. */
  readonly listedAt: number;
  readonly singleListError: ServiceError | null;
}

export interface WholeListEnd extends AllAccountsEnd {
  /**
   * The result of the recording, or null if nothing is recorded. The recording can still be in
   * progress when the reading ends.
   */
  readonly recorded: Promise<Recorded> | null;
}

/**
 * Yields all accounts of a supplier from a single list (INTERFACE 4.9). If that list gets no
 * response, a 5xx or a 404, two lists are read instead (4.10 and 4.11). The pending list is read
 * first. An account that is imported in the meantime is then on both lists and counts as imported.
 * A 404 for 4.11 alone means that no account is imported.
 *
 * Calls `onBegin` with the start time of the load, and again if the two lists are read. Throws
 * ServiceError if a list is cut off or cannot be loaded, or if one of the two lists has elements
 * without an account number. Rows that were yielded before an error are not a complete list.
 */
export async function* readAllAccounts(
  service: Pick<Service, "accounts">,
  supplier: string,
  { clock, signal, timeoutMs }: ListOptions,
  onBegin: (listedAt: number) => void = () => {},
): AsyncGenerator<AccountBatch, AllAccountsEnd, void> {
  const list = (state: ListState) =>
    readAccountList(service, supplier, state, { signal, timeoutMs });
  const readableList: ReadableList = async function* (state) {
    checkReadable(yield* list(state));
  };
  let listedAt = clock.now();
  onBegin(listedAt);
  let rows = 0;
  const count = (batch: AccountBatch) => {
    rows += batch.count;
  };
  const single = await startList(list("all"), count);
  if (single.kind === "started") {
    const { unreadableRows } = yield* single.batches;
    return { rows, unreadableRows, listedAt, singleListError: null };
  }
  listedAt = clock.now();
  onBegin(listedAt);
  const both = await startList(bothLists(readableList), count);
  if (both.kind === "failed") {
    // The error of the single list is at least as useful as a 404 for the two lists.
    throw both.error.kind === "not-found" ? single.error : both.error;
  }
  yield* both.batches;
  return {
    rows,
    unreadableRows: 0,
    listedAt,
    singleListError: single.error,
  };
}

/**
 * Yields all accounts of a supplier as {@link readAllAccounts} does, and records the complete list.
 * Also throws ServiceError if the single list has elements without an account number. Records
 * nothing if the list is not complete or the caller stops reading early.
 */
export async function* readWholeList(
  service: Pick<Service, "accounts">,
  supplier: string,
  options: WholeListOptions,
): AsyncGenerator<AccountBatch, WholeListEnd, void> {
  const { observations } = options;
  let recorder: LoadRecorder | null = null;
  const list = readAllAccounts(service, supplier, options, (listedAt) => {
    recorder?.discard();
    recorder = observations?.begin(supplier, listedAt) ?? null;
  });
  // The compiler does not see the assignment in the callback, so the type needs a function.
  const current = () => recorder;
  let isComplete = false;
  try {
    for (;;) {
      const step = await list.next();
      if (step.done) {
        checkReadable(step.value);
        isComplete = true;
        const recorded = current()?.finish() ?? null;
        // The caller might await the recording late or never, so its rejection is marked as
        // handled.
        recorded?.catch(() => {});
        return { ...step.value, recorded };
      }
      await current()?.take(step.value);
      yield step.value;
    }
  } finally {
    if (!isComplete) {
      current()?.discard();
      await list.return(undefined as never);
    }
  }
}

/** Throws ServiceError if the list had elements without a readable account number. */
function checkReadable({ unreadableRows }: { readonly unreadableRows: number }): void {
  if (unreadableRows === 0) return;
  const message = `${plural(unreadableRows, "element")} of the list had no readable account number.`;
  throw new ServiceError("unreadable", message, { httpStatus: 200 });
}

type StartedList<R> =
  | { readonly kind: "started"; readonly batches: AsyncGenerator<AccountBatch, R, void> }
  | { readonly kind: "failed"; readonly error: ServiceError };

/**
 * Reads the first batch of a list. Returns an error that permits reading other lists, and throws any
 * other error. Calls `onBatch` with each batch before it is yielded.
 */
async function startList<R>(
  batches: AsyncGenerator<AccountBatch, R, void>,
  onBatch: (batch: AccountBatch) => void,
): Promise<StartedList<R>> {
  try {
    const first = await batches.next();
    return { kind: "started", batches: withFirst(first, batches, onBatch) };
  } catch (error) {
    if (isServiceError(error) && permitsOtherLists(error)) return { kind: "failed", error };
    throw error;
  }
}

async function* withFirst<R>(
  first: IteratorResult<AccountBatch, R>,
  batches: AsyncGenerator<AccountBatch, R, void>,
  onBatch: (batch: AccountBatch) => void,
): AsyncGenerator<AccountBatch, R, void> {
  let isDone = false;
  try {
    for (let step = first; ; step = await batches.next()) {
      isDone = step.done === true;
      if (step.done) return step.value;
      onBatch(step.value);
      yield step.value;
    }
  } finally {
    // A caller that stops reading does not use the result.
    if (!isDone) await batches.return(undefined as R);
  }
}

/**
 * Returns true if there was no response, a 5xx or a 404. Returns false for a failure of a proxy or
 * credential helper, because such a failure would affect every list.
 */
function permitsOtherLists({ kind, facts }: ServiceError): boolean {
  if (facts.culprit !== undefined) return false;
  return ["unavailable", "unreachable", "timeout", "not-found"].includes(kind);
}

/** Reads one list. Throws ServiceError if an element of the list cannot be read. */
type ReadableList = (state: ListState) => AsyncGenerator<AccountBatch, void, void>;

/**
 * Yields all accounts of the pending list (INTERFACE 4.10) and the imported list (4.11). Reads the
 * pending list first but yields it last, without the accounts that the imported list has.
 */
async function* bothLists(list: ReadableList): AsyncGenerator<AccountBatch, void, void> {
  const pending = new PendingRows();
  for await (const batch of list("pending")) pending.take(batch);
  let hasRows = false;
  try {
    for await (const batch of list("imported")) {
      hasRows = true;
      pending.remove(batch);
      yield batch;
    }
  } catch (error) {
    // If the pending list exists, a 404 for the imported list means that no account is imported.
    if (hasRows || !isServiceError(error, "not-found")) throw error;
  }
  yield* pending.remaining();
}

class PendingRows {
  readonly #batches: AccountBatch[] = [];
  readonly #numbers = new NumberList();
  readonly #index = new NumberIndex(this.#numbers);
  readonly #removed = new Set<number>();

  /** Adds a batch of the pending list. Only the first row of a repeated number remains. */
  take(batch: AccountBatch): void {
    this.#batches.push(batch);
    for (let at = 0; at < batch.count; at++) {
      const from = fieldStart(batch, at, 0);
      const row = this.#numbers.add(batch.text, from, fieldEnd(batch, at, TextColumn.external));
      if (this.#index.add(row) !== -1) this.#removed.add(row);
    }
  }

  remove(batch: AccountBatch): void {
    for (let at = 0; at < batch.count; at++) {
      const from = fieldStart(batch, at, 0);
      const row = this.#index.find(batch.text, from, fieldEnd(batch, at, TextColumn.external));
      if (row !== -1) this.#removed.add(row);
    }
  }

  *remaining(): Generator<AccountBatch, void, void> {
    let first = 0;
    for (const batch of this.#batches) {
      const remaining = this.#removed.size === 0 ? batch : this.#without(batch, first);
      first += batch.count;
      if (remaining !== null) yield remaining;
    }
  }

  /**
   * Returns a batch without its removed rows, or null if no row remains. `first` is the index of the
   * batch's first row in the pending list.
   */
  #without(batch: AccountBatch, first: number): AccountBatch | null {
    const builder = new BatchBuilder();
    for (let at = 0; at < batch.count; at++) {
      if (!this.#removed.has(first + at)) copyRow(builder, batch, at);
    }
    return builder.take();
  }
}

function copyRow(builder: BatchBuilder, batch: AccountBatch, at: number): void {
  const flags = batch.flags[at] as number;
  const start = fieldStart(batch, at, 0);
  const externalEnd = fieldEnd(batch, at, TextColumn.external);
  const serviceEnd = fieldEnd(batch, at, TextColumn.service);
  const createdEnd = fieldEnd(batch, at, TextColumn.created);
  builder.reserve(createdEnd - start);
  builder.addBytes(
    batch.text,
    start,
    externalEnd,
    flags & AccountFlag.serviceNull ? -1 : externalEnd,
    serviceEnd,
    flags & AccountFlag.createdNull ? -1 : serviceEnd,
    createdEnd,
  );
  const extras = batch.extras.get(at);
  if (extras !== undefined || flags & AccountFlag.unstoredExtras)
    builder.storeExtras(extras ?? null);
}
