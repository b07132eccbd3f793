/** Creates the account lists of a session when they are first used, and limits their number. */
import { AccountListStore } from "../accounts/account-list.ts";
import { screenInstants } from "../accounts/shown-instant.ts";
import type { AccountRow } from "../accounts/table.ts";
import { shownZone } from "../text/dates.ts";
import type { AccountTab } from "./places.ts";

const maxLists = 8;

/**
 * Creates an empty set of lists, each of at most `maxBytes` bytes (default: the limit of the account
 * table). `now` returns this machine's time in epoch milliseconds. `agesNow` returns the time that
 * ages refer to (default: `now`).
 */
export function createAccountLists(
  now: () => number,
  { agesNow = now, maxBytes }: { agesNow?: () => number; maxBytes?: number | undefined } = {},
) {
  const lists = new Map<string, AccountListStore>();
  const shown = screenInstants();
  const createList = () => new AccountListStore({ now, agesNow, shown, maxBytes });
  const unsubscribe = shownZone.subscribe(() => {
    for (const list of lists.values()) list.reformatTimes();
  });
  return {
    suppliers: (): readonly string[] => [
      ...new Set([...lists.keys()].map((key) => (JSON.parse(key) as [string, string])[0])),
    ],
    known: (supplier: string, tab: AccountTab) => lists.get(keyOf(supplier, tab)) ?? null,
    get(supplier: string, tab: AccountTab) {
      const key = keyOf(supplier, tab);
      const list = lists.get(key) ?? createList();
      lists.delete(key);
      lists.set(key, list);
      for (const [oldest, stale] of lists) {
        if (lists.size <= maxLists) break;
        stale.dispose();
        lists.delete(oldest);
      }
      return list;
    },
    /**
     * Returns the epoch milliseconds at which the list of all accounts of a supplier was loaded,
     * `loading` while it is loading, or null if it was not loaded.
     */
    loadedAt(supplier: string): number | "loading" | null {
      const { load, loadedAt } = lists.get(keyOf(supplier, "all"))?.getSnapshot() ?? {};
      return load?.kind === "loading" ? "loading" : (loadedAt ?? null);
    },
    /** Returns the row of an account in the loaded lists, filtered or not, or null if absent. */
    rowOf(supplier: string, account: string): AccountRow | null {
      for (const state of ["imported", "all"] as const) {
        const { table } = lists.get(keyOf(supplier, state))?.viewRows() ?? {};
        const row = table?.rowOf(account) ?? -1;
        if (table && row >= 0) return table.row(row);
      }
      return null;
    },
    dispose() {
      unsubscribe();
      for (const list of lists.values()) list.dispose();
      lists.clear();
    },
  };
}

/** A session's account lists, created at the first use. The least recently used one is dropped. */
export type AccountLists = ReturnType<typeof createAccountLists>;

function keyOf(supplier: string, tab: AccountTab): string {
  return JSON.stringify([supplier, tab]);
}
