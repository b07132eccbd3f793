/**
 * Finds account numbers at several suppliers: in lists, in stored observations and at the service.
 */
import { runSliced, type Sliced } from "../../accounts/slices.ts";
import type { AccountStatus } from "../../api/service.ts";
import type { Budget } from "../../watch/budget.ts";
import { lookUpAll, maxLookups } from "../lookups.ts";
import { Search } from "./search.ts";
import type { SearchedAccounts } from "./searched-accounts.ts";

/** The searched lists of a supplier, empty if there are none. */
type SearchedLists = readonly SearchedAccounts[];

/** The sources in which numbers are searched. */
export interface FindSources {
  readonly suppliers: readonly string[];
  /** Reads the lists of a supplier, or returns them from memory. */
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
    /** The request budget that all watched subjects share. */
    readonly budget: Budget;
  } | null;
}

/** A 404 response of a supplier for a number, and its time (service time, epoch milliseconds). */
export interface Denial {
  readonly supplier: string;
  readonly at: number;
}

/** The progress of a search. */
export type FindProgress =
  | { readonly phase: "lists" | "similar" }
  | { readonly phase: "asking"; readonly done: number; readonly total: number };

interface FindOptions {
  readonly signal: AbortSignal;
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  /** Called after each step of the search. */
  readonly onProgress?: ((search: Search, progress: FindProgress) => void) | undefined;
  /** The 404 that was already received for the only number. */
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
    for (const supplier of suppliers) {
      try {
        await runSliced(search.addSource(supplier, source, await readLists(supplier)), signal);
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
