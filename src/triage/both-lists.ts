/** Reads all accounts of a supplier from its pending and its imported list, each account once. */
import { fieldEnd, fieldStart, TextColumn } from "../accounts/columns.ts";
import { type AccountBatch, AccountFlag } from "../accounts/ingest/batch.ts";
import { BatchBuilder } from "../accounts/ingest/batch-builder.ts";
import { isServiceError } from "../api/errors.ts";
import type { ListState } from "../api/service.ts";
import { NumberIndex, NumberList } from "./number-index.ts";

/** Reads one list. Throws ServiceError if an element of the list cannot be read. */
export type ReadableList = (state: ListState) => AsyncGenerator<AccountBatch, void, void>;

/**
 * Yields all accounts of the pending list (INTERFACE 4.10) and the imported list (4.11). Reads the
 * pending list first but yields it last, without the accounts that the imported list has.
 */
export async function* bothLists(list: ReadableList): AsyncGenerator<AccountBatch, void, void> {
  const pending = new PendingRows();
  for await (const batch of list("pending")) pending.take(batch);
  let hasBegun = false;
  try {
    for await (const batch of list("imported")) {
      hasBegun = true;
      pending.remove(batch);
      yield batch;
    }
  } catch (error) {
    // If the pending list exists, a 404 for the imported list means that no account is imported.
    if (hasBegun || !isServiceError(error, "not-found")) throw error;
  }
  yield* pending.left();
}

/** The rows of the pending list, without the accounts that the imported list has. */
class PendingRows {
  readonly #batches: AccountBatch[] = [];
  readonly #numbers = new NumberList();
  readonly #index = new NumberIndex(this.#numbers);
  readonly #removed = new Set<number>();

  take(batch: AccountBatch): void {
    this.#batches.push(batch);
    for (let at = 0; at < batch.count; at++) {
      const from = fieldStart(batch, at, 0);
      const row = this.#numbers.add(batch.text, from, fieldEnd(batch, at, TextColumn.external));
      if (this.#index.add(row) !== -1) this.#removed.add(row);
    }
  }

  /** Removes the accounts of an imported batch. */
  remove(batch: AccountBatch): void {
    for (let at = 0; at < batch.count; at++) {
      const from = fieldStart(batch, at, 0);
      const row = this.#index.find(batch.text, from, fieldEnd(batch, at, TextColumn.external));
      if (row !== -1) this.#removed.add(row);
    }
  }

  *left(): Generator<AccountBatch, void, void> {
    let first = 0;
    for (const batch of this.#batches) {
      const left = this.#removed.size === 0 ? batch : this.#without(batch, first);
      first += batch.count;
      if (left !== null) yield left;
    }
  }

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
  builder.flag(flags & AccountFlag.bare);
  const extras = batch.extras.get(at);
  if (extras !== undefined || flags & AccountFlag.moreCame) builder.keepExtras(extras ?? null);
}
