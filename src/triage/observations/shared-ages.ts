import { sharedRun } from "../../api/shared-run.ts";
import type { Ages } from "./observations.ts";
import { nameOf, type StoredList } from "./store.ts";

interface Reading {
  /** Reads the ages until `stop` is aborted. */
  readonly read: (stop: AbortSignal) => Promise<Ages>;
  readonly signal: AbortSignal;
}

/** Shares the ages of a list between their readers: they are read once, and kept while a reader has them. */
export class SharedAges {
  readonly #reading = new Map<string, (signal: AbortSignal) => Promise<Ages>>();
  readonly #newest = new Map<number, { readonly key: string; readonly ages: WeakRef<Ages> }>();

  /**
   * Returns the ages of a list on a day, and calls `read` if no reader has them. Rejects with the reason
   * of the signal; the reading goes on while another reader waits.
   */
  async of(list: StoredList, today: number, { read, signal }: Reading): Promise<Ages> {
    signal.throwIfAborted();
    const key = JSON.stringify([nameOf(list), today]);
    const newest = this.#newest.get(list.id);
    const known = newest?.key === key ? newest.ages.deref() : undefined;
    if (known !== undefined) return known;
    const reading = this.#reading.get(key) ?? this.#begin(key, list, read);
    return reading(signal);
  }

  #begin(key: string, list: StoredList, read: Reading["read"]) {
    const reading = sharedRun(async (stop) => {
      try {
        const ages = await read(stop);
        this.#newest.set(list.id, { key, ages: new WeakRef(ages) });
        return ages;
      } finally {
        this.#reading.delete(key);
      }
    });
    this.#reading.set(key, reading);
    return reading;
  }
}
