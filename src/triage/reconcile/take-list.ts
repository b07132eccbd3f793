import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import { pauseBetweenSlices, runSliced } from "../../accounts/slices.ts";
import { type Lookup, type LookupOptions, lookUpAll } from "../lookups.ts";
import type { RowClass } from "./classes.ts";
import type { Matching } from "./matching.ts";

/** The rows of a complete list. Reading throws if the list is not complete. */
export type WholeListRows<End extends ListEnd = ListEnd> = AsyncGenerator<AccountBatch, End, void>;

interface ListEnd {
  readonly rows: number;
  readonly listedAt: number;
}

/**
 * Matches a list while it arrives, and yields to the event loop in between. Rejects with the error
 * of the list, or with the signal's reason.
 */
export async function takeList<End extends ListEnd>(
  matching: Matching,
  list: WholeListRows<End>,
  options: {
    readonly signal: AbortSignal;
    readonly onRows?: ((listed: number) => void) | undefined;
  },
): Promise<End> {
  const { signal, onRows } = options;
  let isOver = false;
  try {
    // The request is in progress while the source is indexed.
    const first = list.next();
    first.catch(() => {});
    await runSliced(matching.indexing(), signal);
    let listed = 0;
    const pause = pauseBetweenSlices();
    for (let step = await first; ; step = await list.next()) {
      signal.throwIfAborted();
      if (step.done) {
        isOver = true;
        matching.endList();
        return step.value;
      }
      matching.take(step.value);
      listed += step.value.count;
      onRows?.(listed);
      await pause();
    }
  } finally {
    // A reader that stops early does not need the end of the list.
    if (!isOver) list.return(undefined as never).catch(() => {});
  }
}

export interface RowLookupOptions extends LookupOptions<string> {
  readonly limit: number;
}

/**
 * Looks up the rows that are on no list, in the order of the source and up to the limit, and
 * classifies them. Rejects with the signal's reason.
 */
export async function lookUpRows(
  matching: Matching,
  rows: Uint32Array,
  { status, budget, limit, signal }: RowLookupOptions & { readonly signal: AbortSignal },
  onResult: (done: number, total: number) => void,
): Promise<ReadonlyMap<number, Lookup>> {
  const results = new Map<number, Lookup>();
  const wanted = rows.subarray(0, limit);
  const statusOf = (row: number, slotSignal: AbortSignal) =>
    status(matching.source.numberOf(row), slotSignal);
  await lookUpAll(wanted, { status: statusOf, budget }, signal, (row, result) => {
    results.set(row, result);
    const to = classOf(result);
    if (to !== "absent") matching.reclassify(row, to);
    onResult(results.size, wanted.length);
  });
  return results;
}

function classOf(lookup: Lookup): RowClass {
  if (lookup.kind === "not-found") return "not-staged";
  if (lookup.kind === "failed") return "absent";
  switch (lookup.status.status) {
    case "COMPLETED":
      return "imported";
    case "IN_PROGRESS":
      return "in-progress";
    case "UNKNOWN":
      return "failed";
    default:
      // A status that the service might add later belongs to none of the other classes.
      return "absent";
  }
}
