import { AccountListStore } from "../accounts/account-list.ts";
import { screenInstants } from "../accounts/shown-instant.ts";
import type { AccountRow } from "../accounts/table.ts";
import { shownZone } from "../text/dates.ts";
import type { AccountTab } from "./places.ts";

/** Number of lists in memory: those of the current supplier and of the one before it. */
const kept = 8;

/**
 * Creates an empty set of lists, each of at most `maxBytes` (default: that of the table). `now`
 * returns the wall clock in epoch milliseconds, `agesNow` the time that ages count to.
 */
export function createAccountLists(
  now: () => number,
  { agesNow = now, maxBytes }: { agesNow?: () => number; maxBytes?: number | undefined } = {},
) {
  const lists = new Map<string, AccountListStore>();
  const shown = screenInstants();
  const make = () => new AccountListStore({ now, agesNow, shown, maxBytes });
  const unsubscribe = shownZone.subscribe(() => {
    for (const list of lists.values()) list.rewriteTimes();
  });
  return {
    /** The suppliers that have a list in memory. */
    suppliers: (): readonly string[] => [
      ...new Set([...lists.keys()].map((key) => (JSON.parse(key) as [string, string])[0])),
    ],
    /** Returns the list if it was requested before, else null. */
    known: (supplier: string, tab: AccountTab) => lists.get(keyOf(supplier, tab)) ?? null,
    get(supplier: string, tab: AccountTab) {
      const key = keyOf(supplier, tab);
      const list = lists.get(key) ?? make();
      lists.delete(key);
      lists.set(key, list);
      for (const [oldest, stale] of lists) {
        if (lists.size <= kept) break;
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
    /**
     * Returns the row of an account in the loaded lists, filtered or not, or null if none has it.
     */
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

/** The account lists of a session, created when first used; the least recently used is dropped. */
export type AccountLists = ReturnType<typeof createAccountLists>;

function keyOf(supplier: string, tab: AccountTab): string {
  return JSON.stringify([supplier, tab]);
}
