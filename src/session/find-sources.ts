/** The sources that the console searches for account numbers. */
import type { AccountListStore } from "../accounts/account-list.ts";
import type { Service } from "../api/service.ts";
import type { FindSources } from "../triage/find/find.ts";
import {
  type SearchedAccounts,
  storedAccounts,
  tableAccounts,
} from "../triage/find/searched-accounts.ts";
import type { Observations } from "../triage/observations/observations.ts";
import type { Budget } from "../watch/budget.ts";
import type { AccountLists } from "./account-lists.ts";
import type { ReadStore } from "./store.ts";

export function createFinder(options: {
  readonly service: Pick<Service, "accounts" | "wrongByMs">;
  readonly lists: Pick<AccountLists, "known" | "suppliers">;
  readonly observations: Observations;
  readonly budget: Budget;
  /** The number of ended loads. If this number changes, a repeated search might find more. */
  readonly loads: ReadStore<number>;
}) {
  const { service, lists, observations, budget, loads } = options;
  const list = (supplier: string) => {
    const found = (["all", "imported", "pending"] as const).flatMap((tab) => {
      const accounts = inMemory(lists.known(supplier, tab), tab === "all");
      // The time is the service's time, as in stored observations, in case this machine's clock is
      // wrong.
      return accounts === null ? [] : [{ ...accounts, at: accounts.at - service.wrongByMs() }];
    });
    const load = found.length > 0 ? null : lists.known(supplier, "all")?.getSnapshot().load;
    // A list that failed to load is reported, because its numbers are not known.
    if (load?.kind === "failed") throw load.error;
    return found;
  };
  const status: NonNullable<FindSources["requests"]>["status"] = async (
    supplier,
    number,
    signal,
  ) => {
    // A screen waits for the response, so a failed request is not retried. The user can search
    // again.
    const { value } = await service.accounts.status(supplier, number, { signal, retries: 0 });
    return value;
  };
  return {
    loads: { getSnapshot: loads.get, subscribe: loads.subscribe },
    /**
     * Returns the sources for a screen: these suppliers and all that have a list in memory. The stored
     * data of a supplier is read once. If `isAsking` is true, the search also sends requests.
     */
    sources(suppliers: readonly string[], isAsking: boolean): FindSources {
      const reads = new Map<string, Promise<readonly SearchedAccounts[]>>();
      const stored = async (supplier: string) => {
        const ages = await observations.ages(supplier);
        if (ages !== null) return [storedAccounts(ages)];
        // The observations are read again in the next search, which might find some.
        reads.delete(supplier);
        return [];
      };
      return {
        suppliers: [...new Set([...suppliers, ...lists.suppliers()])],
        list,
        stored(supplier) {
          const read = reads.get(supplier) ?? stored(supplier);
          reads.set(supplier, read);
          return read;
        },
        requests: isAsking ? { status, budget } : null,
      };
    },
  };
}

/**
 * Returns the rows of a list that are in memory, or null if there are none. `isFullList` is true for
 * the list of all accounts.
 */
function inMemory(store: AccountListStore | null, isFullList: boolean): SearchedAccounts | null {
  if (store === null) return null;
  const { load, loadedAt, total } = store.getSnapshot();
  const at = loadedAt ?? (load.kind === "loading" ? load.startedAt : null);
  if (at === null && total === 0) return null;
  const isReadable = load.kind !== "loaded" || load.unreadableRows === 0;
  return tableAccounts(store.viewRows().table, {
    at: at ?? (load.kind === "failed" ? load.at : 0),
    isWhole: isFullList && loadedAt !== null && isReadable,
  });
}
