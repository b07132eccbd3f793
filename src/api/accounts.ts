import { isRecord } from "../json/value.ts";
import type { AccountBatch } from "./account-batch.ts";
import { createAccountRowReader } from "./account-rows.ts";
import { accountNumberIn } from "./brand.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import type { HttpAnswer } from "./http.ts";
import { Pauses } from "./pauses.ts";
import { parseJson, readText } from "./read-body.ts";
import type { AccountStatus, Answer, CallOptions, ListEnd, ListState, Service } from "./service.ts";
import { get, type Transport } from "./transport.ts";

const statusTimeoutMs = 30_000;
const listTimeoutMs = 600_000;

/** The calls about accounts (INTERFACE 4.8–4.11). */
export function accountCalls(transport: Transport): Service["accounts"] {
  return {
    status: (supplier, account, options = {}) => status(transport, supplier, account, options),
    list: (supplier, state, options = {}) => {
      const stop = new AbortController();
      const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
      return stoppable(list(transport, supplier, state, { ...options, signal }), stop);
    },
  };
}

/** A generator whose `return` also ends a `next` that is still waiting for bytes. */
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

function status(
  transport: Transport,
  supplier: string,
  account: string,
  options: CallOptions,
): Promise<Answer<AccountStatus>> {
  const read = {
    path: "v1/data-import/account-transfer-status",
    identifiers: [supplier, account],
    timeoutMs: statusTimeoutMs,
  };
  return get(transport, read, options, async (answer) => {
    const raw = transport.authorisation.hide(await readText(answer));
    // INTERFACE 2, "Account import status": what else comes is accepted and stays in the raw text.
    const said = parseJson(raw, answer);
    if (!isRecord(said) || typeof said.status !== "string") {
      throw new ServiceError("unreadable", "The answer is no account status.", {
        ...answer.facts,
        body: raw,
      });
    }
    return {
      value: {
        status: said.status,
        service_account_number: accountNumberIn(said, transport.brand) ?? "",
      },
      raw,
      httpStatus: answer.status,
      receivedAt: transport.clock.now(),
    };
  });
}

async function* list(
  transport: Transport,
  supplier: string,
  state: ListState,
  options: CallOptions,
): AsyncGenerator<AccountBatch, ListEnd, void> {
  const read = {
    path: `v1/data-import/${state}-account-import-processes`,
    identifiers: [supplier],
    timeoutMs: listTimeoutMs,
  };
  // Rows cannot be taken back: only a list that has not begun is asked for again.
  const answer = await get(transport, read, options, async (begun) => begun);
  return yield* rowsOf(answer, transport, state);
}

async function* rowsOf(
  answer: HttpAnswer,
  transport: Transport,
  state: ListState,
): AsyncGenerator<AccountBatch, ListEnd, void> {
  const reader = createAccountRowReader({
    brand: transport.brand,
    imported: state === "imported",
  });
  let bytes = 0;
  let broken: ServiceError | null = null;
  const pauses = new Pauses(transport.clock);
  try {
    let next: Promise<IteratorResult<Uint8Array, void>> | null = null;
    for (;;) {
      next ??= answer.chunks.next();
      const step = reader.held === 0 ? await next : await pauses.beforeOr(next);
      if (step === "pause") {
        // Whoever takes the rows may leave, and nobody is told how the waiting ends.
        next.catch(() => {});
        const held = reader.flush();
        if (held) yield held;
        continue;
      }
      next = null;
      if (step.done) break;
      bytes += step.value.length;
      const batch = reader.push(step.value);
      if (batch) yield batch;
      if (reader.problem !== null) break;
    }
  } catch (error) {
    if (!isServiceError(error)) throw error;
    broken = error;
  } finally {
    pauses.end();
    // It may be waiting for bytes that never come; whoever gives up also aborts the call.
    answer.chunks.return().catch(() => {});
  }
  const end = reader.end();
  if (end.batch) yield end.batch;
  if (broken !== null) throw broken;
  if (end.problem !== null) throw new ServiceError("unreadable", end.problem, answer.facts);
  return {
    rows: end.rows,
    unreadableRows: end.unreadableRows,
    bytes,
    receivedAt: transport.clock.now(),
  };
}
