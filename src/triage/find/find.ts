/**
 * Finds account numbers at several suppliers: in lists, in stored observations and at the service.
 */
import { runSliced, type Sliced } from "../../accounts/slices.ts";
import type { AccountStatus } from "../../api/service.ts";
import type { Budget } from "../../watch/budget.ts";
import { lookUpAll, maxLookups } from "../lookups.ts";
import { Search } from "./search.ts";
import type { SearchedAccounts } from "./searched-accounts.ts";

type SearchedLists = readonly SearchedAccounts[];

export interface FindSources {
  readonly suppliers: readonly string[];
  list(
    supplier: string,
    wanted: readonly string[],
    signal: AbortSignal,
  ): SearchedLists | Promise<SearchedLists>;
  /**
   * Returns the stored observations of a supplier, or none if it was never observed. Called after
   * `list`.
   */
  stored(supplier: string, signal: AbortSignal): Promise<SearchedLists>;
  /**
   * The status requests (INTERFACE 4.8) to suppliers that do not list a number, or null to send
   * none.
   */
  readonly requests: {
    status(supplier: string, number: string, signal: AbortSignal): Promise<AccountStatus>;
    readonly budget: Budget;
  } | null;
}

/** A 404 response of a supplier for a number, and its time (service time, epoch milliseconds). */
export interface Denial {
  readonly supplier: string;
  readonly at: number;
}

export type FindProgress =
  | { readonly phase: "lists" | "similar" }
  | { readonly phase: "asking"; readonly done: number; readonly total: number };

/** Maximum number of lists that are read at the same time. Each waits for the service first. */
const maxReads = 4;

/**
 * Yields the suppliers with a function that awaits their lists. At most `most` reads are in progress:
 * that of the yielded supplier, and those of the next ones. The first one is read alone, so that
 * refused credentials are sent once.
 */
function* readAhead(
  suppliers: readonly string[],
  readLists: (supplier: string) => SearchedLists | Promise<SearchedLists>,
  most: number,
): Generator<readonly [string, () => Promise<SearchedLists>]> {
  const started: Promise<SearchedLists>[] = [];
  for (const [at, supplier] of suppliers.entries()) {
    for (const next of suppliers.slice(started.length, at === 0 ? 1 : at + most)) {
      const lists = (async () => readLists(next))();
      // The error is handled when the supplier has its turn.
      lists.catch(() => {});
      started.push(lists);
    }
    yield [supplier, () => started[at] ?? Promise.resolve([])];
  }
}

interface FindOptions {
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly onProgress?: ((search: Search, progress: FindProgress) => void) | undefined;
  readonly denied?: Denial | undefined;
  /**
   * True to send requests only for numbers that are on no list. Default: also to the suppliers that
   * do not list a number of another supplier.
   */
  readonly asksOnlyForAbsent?: boolean;
}

/**
 * Searches for numbers at several suppliers: first in all lists, then in stored observations, then
 * among similar numbers, then at the service. Reports a source that fails in the result and
 * continues with the others. Sends at most {@link maxLookups} requests. Rejects with the signal's
 * reason.
 */
export async function find(
  wanted: readonly string[],
  sources: FindSources,
  { signal, now, onProgress, denied, asksOnlyForAbsent = false }: FindOptions,
): Promise<Search> {
  const { suppliers, requests } = sources;
  const search = new Search(wanted, suppliers);
  if (denied !== undefined && suppliers.includes(denied.supplier))
    search.addAnswer(denied.supplier, 0, { kind: "not-found" }, denied.at);
  const read = async (
    source: "list" | "observed",
    readLists: (supplier: string) => SearchedLists | Promise<SearchedLists>,
  ) => {
    const reads = readAhead(suppliers, readLists, source === "list" ? maxReads : 1);
    for (const [supplier, lists] of reads) {
      try {
        await runSliced(search.addSource(supplier, source, await lists()), signal);
      } catch (error) {
        signal.throwIfAborted();
        search.addFailure(supplier, source, error);
      }
      onProgress?.(search, { phase: "lists" });
    }
  };
  const work = async (similar: Sliced<void>) => {
    await runSliced(similar, signal);
    onProgress?.(search, { phase: "similar" });
  };
  await read("list", (supplier) => sources.list(supplier, wanted, signal));
  // Results from memory are shown before stored data is read.
  await work(search.findContaining());
  await read("observed", (supplier) => sources.stored(supplier, signal));
  await work(search.findContaining());
  await work(search.suggest());
  if (requests === null) return search;
  const items = [...search.unlisted(asksOnlyForAbsent)].slice(0, maxLookups);
  let done = 0;
  onProgress?.(search, { phase: "asking", done, total: items.length });
  const status = ({ supplier, index }: (typeof items)[number], slotSignal: AbortSignal) =>
    requests.status(supplier, wanted[index] as string, slotSignal);
  await lookUpAll(
    items,
    { status, budget: requests.budget },
    signal,
    ({ supplier, index }, lookup) => {
      search.addAnswer(supplier, index, lookup, now());
      done += 1;
      onProgress?.(search, { phase: "asking", done, total: items.length });
    },
  );
  return search;
}
