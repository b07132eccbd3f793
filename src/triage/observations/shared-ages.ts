import { sharedRun } from "../../api/shared-run.ts";
import type { Accounts } from "./accounts.ts";
import type { Ages } from "./observations.ts";
import type { StoredList } from "./store.ts";

/** The accounts of a list as its recording left them. */
interface RecordedAccounts {
  readonly list: StoredList;
  readonly accounts: Accounts;
}

interface Reading {
  /**
   * Reads the ages until `stop` is aborted. `recorded` has the accounts if the list was just recorded.
   */
  readonly read: (recorded: Accounts | null, stop: AbortSignal) => Promise<Ages>;
  readonly signal: AbortSignal;
}

/**
 * Shares the ages of a list between their readers. Those of a million accounts take some 60 MB and most
 * of a second, so they are read once, and kept while a reader has them.
 */
export class SharedAges {
  readonly #reading = new Map<string, (signal: AbortSignal) => Promise<Ages>>();
  /** The newest ages of each list, by its ID. */
  readonly #newest = new Map<number, { readonly key: string; readonly ages: WeakRef<Ages> }>();
  #recorded: RecordedAccounts | null = null;

  /** Keeps the accounts of the last recorded list for the first reader of its ages. Null drops them. */
  keep(recorded: RecordedAccounts | null): void {
    this.#recorded = recorded;
  }

  /**
   * Returns the ages of a list on a day, and calls `read` if no reader has them. Rejects with the reason
   * of the signal; the reading goes on while another reader waits.
   */
  async of(list: StoredList, today: number, { read, signal }: Reading): Promise<Ages> {
    signal.throwIfAborted();
    const key = JSON.stringify([list.id, list.seq, list.lastAt, today]);
    const newest = this.#newest.get(list.id);
    const known = newest?.key === key ? newest.ages.deref() : undefined;
    if (known !== undefined) return known;
    const reading = this.#reading.get(key) ?? this.#begin(key, list, read);
    return reading(signal);
  }

  #begin(key: string, list: StoredList, read: Reading["read"]) {
    const recorded = this.#take(list);
    const reading = sharedRun(async (stop) => {
      try {
        const ages = await read(recorded, stop);
        this.#newest.set(list.id, { key, ages: new WeakRef(ages) });
        return ages;
      } finally {
        this.#reading.delete(key);
      }
    });
    this.#reading.set(key, reading);
    return reading;
  }

  #take({ id, seq }: StoredList): Accounts | null {
    const recorded = this.#recorded;
    if (recorded === null || recorded.list.id !== id || recorded.list.seq !== seq) return null;
    this.#recorded = null;
    return recorded.accounts;
  }
}
