import type { AccountBatch } from "../accounts/ingest/batch.ts";
import { readAccountList } from "../accounts/ingest/read-list.ts";
import type { Clock } from "../api/clock.ts";
import { isServiceError, ServiceError } from "../api/errors.ts";
import type { ListState, Service } from "../api/service.ts";
import { plural } from "../text/numbers.ts";
import { bothLists, type ReadableList } from "./both-lists.ts";
import type { LoadRecorder, Observations, Recorded } from "./observations/observations.ts";

interface ListOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Total time limit of one request in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

interface WholeListOptions extends ListOptions {
  /** The observations that record the load when it is complete. */
  readonly observations?: Pick<Observations, "begin"> | undefined;
}

/** The result of reading a list of all accounts. */
interface AllAccountsEnd {
  /** Number of rows read. */
  readonly rows: number;
  /** Elements that name no account. With any, the list is not complete. */
  readonly unreadableRows: number;
  /** The start of the load, epoch milliseconds: its data is at least as new. */
  readonly listedAt: number;
  /** One list (INTERFACE 4.9), or two (4.10 and 4.11). */
  readonly from: "all" | "pending-and-imported";
  /** The error because of which two lists were read, or null. */
  readonly instead: ServiceError | null;
}

/** The result of reading a complete list. */
export interface WholeListEnd extends AllAccountsEnd {
  /** The result of the recording, which ends after the list, or null without recording. */
  readonly recorded: Promise<Recorded> | null;
}

/**
 * Yields all accounts of a supplier: INTERFACE 4.9, or 4.10 and 4.11 if that one has no response, a
 * 5xx or a 404. Of the two lists the pending one is read first, so that an account that is imported
 * in between is on both, never on none, and counts as imported. A 404 for 4.11 alone means that
 * none is imported. `begins` is called with the time at which a load begins, and again if the two
 * lists begin instead. Throws ServiceError if a list is cut off or cannot be loaded, or if one of
 * two lists has elements that name no account. The rows before that are not a list.
 */
export async function* readAllAccounts(
  service: Pick<Service, "accounts">,
  supplier: string,
  { clock, signal, timeoutMs }: ListOptions,
  begins: (listedAt: number) => void = () => {},
): AsyncGenerator<AccountBatch, AllAccountsEnd, void> {
  const list = (state: ListState) =>
    readAccountList(service, supplier, state, { signal, timeoutMs });
  const readable: ReadableList = async function* (state) {
    checkReadable(yield* list(state));
  };
  let listedAt = clock.now();
  begins(listedAt);
  let rows = 0;
  const count = (batch: AccountBatch) => {
    rows += batch.count;
  };
  const all = await beginning(list("all"), count);
  if (all.kind === "begun") {
    const { unreadableRows } = yield* all.batches;
    return { rows, unreadableRows, listedAt, from: "all", instead: null };
  }
  listedAt = clock.now();
  begins(listedAt);
  const both = await beginning(bothLists(readable), count);
  if (both.kind === "unanswered") {
    // A 404 of the second way is no news if the first one failed otherwise.
    throw both.error.kind === "not-found" ? all.error : both.error;
  }
  yield* both.batches;
  return { rows, unreadableRows: 0, listedAt, from: "pending-and-imported", instead: all.error };
}

/**
 * Yields one complete list of a supplier's accounts, read like {@link readAllAccounts}, and records
 * it. Throws also if elements of it name no account. Records nothing of a list that is not
 * complete, or that the reader leaves early.
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
  const current = () => recorder;
  let isWhole = false;
  try {
    for (;;) {
      const step = await list.next();
      if (step.done) {
        checkReadable(step.value);
        isWhole = true;
        const recorded = current()?.finish() ?? null;
        // The caller may wait for it late, or never.
        recorded?.catch(() => {});
        return { ...step.value, recorded };
      }
      await current()?.take(step.value);
      yield step.value;
    }
  } finally {
    if (!isWhole) {
      current()?.discard();
      await list.return(undefined as never);
    }
  }
}

function checkReadable({ unreadableRows }: { readonly unreadableRows: number }): void {
  if (unreadableRows === 0) return;
  const message = `${plural(unreadableRows, "element")} of the list had no account number.`;
  throw new ServiceError("unreadable", message, { httpStatus: 200 });
}

type Begun<R> =
  | { readonly kind: "begun"; readonly batches: AsyncGenerator<AccountBatch, R, void> }
  | { readonly kind: "unanswered"; readonly error: ServiceError };

/** Reads up to the first rows. Until then, another list can replace this one. */
async function beginning<R>(
  batches: AsyncGenerator<AccountBatch, R, void>,
  passes: (batch: AccountBatch) => void,
): Promise<Begun<R>> {
  try {
    const first = await batches.next();
    return { kind: "begun", batches: behind(first, batches, passes) };
  } catch (error) {
    if (isServiceError(error) && isUnanswered(error)) return { kind: "unanswered", error };
    throw error;
  }
}

async function* behind<R>(
  first: IteratorResult<AccountBatch, R>,
  batches: AsyncGenerator<AccountBatch, R, void>,
  passes: (batch: AccountBatch) => void,
): AsyncGenerator<AccountBatch, R, void> {
  let isDone = false;
  try {
    for (let step = first; ; step = await batches.next()) {
      isDone = step.done === true;
      if (step.done) return step.value;
      passes(step.value);
      yield step.value;
    }
  } finally {
    // A reader that leaves does not need the result.
    if (!isDone) await batches.return(undefined as R);
  }
}

/**
 * Returns true for no response, a 5xx or a 404. A failure of a proxy or helper would affect every
 * list.
 */
function isUnanswered({ kind, facts }: ServiceError): boolean {
  if (facts.culprit !== undefined) return false;
  return ["unavailable", "unreachable", "timeout", "not-found"].includes(kind);
}
