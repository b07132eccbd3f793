import type { Clock } from "../../api/clock.ts";
import { isServiceError, ServiceError } from "../../api/errors.ts";
import type { CallOptions, ListBody, ListState, Service } from "../../api/service.ts";
import type { AccountBatch } from "./batch.ts";
import { incompleteReasonInHeaders } from "./part-of-list.ts";
import { AccountRowReader } from "./reader.ts";

export interface ListEnd {
  readonly rows: number;
  /** Number of elements of the array that name no account. They are not shown as rows. */
  readonly unreadableRows: number;
  /** Number of bytes of the body as transferred: compressed if the service compresses. */
  readonly bytes: number;
  /** The time of the last byte, in epoch milliseconds. */
  readonly receivedAt: number;
}

/**
 * Reads an account list (INTERFACE 4.9–4.11) in batches as the bytes arrive. Throws `unreadable`
 * after the rows of a body that ends early, is malformed, or contains only part of the list. Throws
 * only ServiceError.
 */
export function readAccountList(
  { accounts }: Pick<Service, "accounts">,
  supplier: string,
  state: ListState,
  options: CallOptions = {},
): AsyncGenerator<AccountBatch, ListEnd, void> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  async function* batches() {
    const body = await accounts.list(supplier, state, { ...options, signal });
    return yield* batchesOf(body, state);
  }
  return stoppable(batches(), stop);
}

/** Returns a generator whose `return` also ends a `next` that is still waiting for bytes. */
function stoppable<T, R>(
  rows: AsyncGenerator<T, R, void>,
  stop: AbortController,
): AsyncGenerator<T, R, void> {
  const end = (value: R | PromiseLike<R>) => {
    stop.abort();
    return rows.return(value);
  };
  return {
    next: () => rows.next(),
    return: end,
    throw: (error) => {
      stop.abort();
      return rows.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await rows[Symbol.asyncDispose]();
    },
  };
}

async function* batchesOf(
  { chunks, header, wireBytes, brand, clock, facts, hide }: ListBody,
  state: ListState,
): AsyncGenerator<AccountBatch, ListEnd, void> {
  const reader = new AccountRowReader({ brand, imported: state === "imported" });
  let bodyError: ServiceError | null = null;
  const pauses = new Pauses(clock);
  try {
    let next: Promise<IteratorResult<Uint8Array, void>> | null = null;
    for (;;) {
      next ??= chunks.next();
      const step = reader.unbatchedRows === 0 ? await next : await pauses.nextOrPause(next);
      if (step === "pause") {
        // A consumer that stops reading does not await this promise.
        next.catch(() => {});
        const batch = reader.flush();
        if (batch) yield batch;
        continue;
      }
      next = null;
      if (step.done) break;
      const batch = reader.push(step.value);
      if (batch) yield batch;
      if (reader.problem !== null) break;
    }
  } catch (error) {
    if (!isServiceError(error)) throw error;
    bodyError = error;
  } finally {
    pauses.end();
    // The generator might wait for bytes that never arrive, so its end is not awaited. A consumer
    // that stops reading also aborts the call.
    chunks.return().catch(() => {});
  }
  const end = reader.end();
  if (end.batch) yield end.batch;
  if (bodyError !== null) throw bodyError;
  const problem = end.problem ?? incompleteReasonInHeaders(header, end.rows + end.unreadableRows);
  if (problem !== null) {
    if (end.text === null) throw new ServiceError("unreadable", problem, facts);
    const body = hide(end.text);
    throw new ServiceError("unreadable", `${problem} Its text: ${body}`, { ...facts, body });
  }
  return {
    rows: end.rows,
    unreadableRows: end.unreadableRows,
    bytes: wireBytes(),
    receivedAt: clock.now(),
  };
}

/** Half of the maximum time that complete rows wait for more of the body. */
const pauseMs = 40;

/**
 * Detects pauses of a body. There is one sleep at a time for any number of chunks, so that a pause
 * is detected after one to two times its length.
 */
class Pauses {
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  #sleep: Promise<"pause"> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nextOrPause<T>(next: Promise<T>): Promise<T | "pause"> {
    this.#sleep ??= this.#clock.sleep(pauseMs, this.#ended.signal).then(
      () => {
        this.#sleep = null;
        return "pause";
      },
      () => "pause",
    );
    return Promise.race([next, this.#sleep]);
  }

  end(): void {
    this.#ended.abort();
  }
}
