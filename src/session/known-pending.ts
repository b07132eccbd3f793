/** Finds accounts of an input that are pending or on no list, without a request. */
import { betweenEvents, inSlices } from "../accounts/slices.ts";
import type { SearchedAccounts } from "../triage/find/searched-accounts.ts";
import { sourceWords } from "../triage/find/words.ts";
import type { Finder } from "./find-sources.ts";

/** A complete list of a supplier, and the description of its source. */
interface KnownList {
  readonly accounts: SearchedAccounts;
  readonly words: string;
}

/** The reason why an account probably accepts nothing. */
export interface KnownProblem {
  readonly kind: "pending" | "unlisted";
  readonly words: string;
}

/**
 * Finds pending and unlisted accounts in the lists in memory, or else in the stored lists, without
 * a request. Each supplier is read once.
 */
export class KnownPending {
  readonly #finder: Finder;
  readonly #now: number;
  readonly #time: (ms: number) => string;
  readonly #lists = new Map<string, KnownList | null>();

  /** `now` is the service's time in epoch milliseconds. */
  constructor(finder: Finder, now: number, time: (ms: number) => string) {
    this.#finder = finder;
    this.#now = now;
    this.#time = time;
  }

  /** Reads the list of a supplier once. Does nothing if none is known. */
  async read(supplier: string, stop: AbortSignal): Promise<void> {
    if (this.#lists.has(supplier)) return;
    const sources = this.#finder.sources([supplier], false);
    const listed = (await sources.list(supplier, [], stop)).find(({ isWhole }) => isWhole);
    const source = listed === undefined ? "observed" : "list";
    // If the stored lists cannot be read, nothing is known, and the check continues.
    const [stored] =
      listed === undefined ? await sources.stored(supplier, stop).catch(() => []) : [];
    const accounts = listed ?? stored;
    if (accounts?.prepare !== undefined)
      await inSlices(accounts.prepare(), betweenEvents, () => stop.aborted);
    const known =
      accounts === undefined
        ? null
        : { accounts, words: sourceWords({ source, at: accounts.at }, this.#now, this.#time) };
    this.#lists.set(supplier, known);
  }

  /**
   * Returns the problem of an account by the known list: it is pending, or on no list. Returns null
   * if there is no problem or no list is known.
   */
  problemOf(supplier: string, number: string): KnownProblem | null {
    const known = this.#lists.get(supplier) ?? null;
    if (known === null) return null;
    const { accounts, words } = known;
    const state = accounts.find(number)?.state ?? "gone";
    if (state === "pending")
      return {
        kind: "pending",
        words: `Pending at ${supplier} (${words}): the service answers 404 until it is imported.`,
      };
    if (!accounts.isWhole || (state !== "gone" && state !== "removed")) return null;
    return { kind: "unlisted", words: `On no list of ${supplier} (${words}).` };
  }
}
