/** Counts the accounts that left the list of a supplier without being imported. */
import { isServiceError } from "../../api/errors.ts";
import type { Service } from "../../api/service.ts";
import type { Budget } from "../../watch/budget.ts";

/** Maximum number of gone accounts to verify one by one. With more, the count is a lower bound. */
const maxVerified = 200;

const maxNamed = 5;

/** Lifetime of each cached verdict in milliseconds, because an import can begin or fail later. */
const verdictLifetimeMs = {
  gone: 600_000,
  "in-progress": 60_000,
  completed: Number.POSITIVE_INFINITY,
};

/** The service's status of an account that left the list without being imported (INTERFACE 4.8). */
type Verdict = keyof typeof verdictLifetimeMs;

export interface GoneAccount {
  readonly external: string;
  /** Epoch milliseconds. */
  readonly goneAt: number;
}

export interface GoneCount {
  readonly count: number;
  /** True if there are more gone accounts than were verified. */
  readonly atLeast: boolean;
  readonly latest?: readonly GoneAccount[];
}

export interface VerifiedGone {
  readonly accounts: readonly string[];
  /** True if there are more gone accounts than were verified. */
  readonly atLeast: boolean;
}

/**
 * Counts gone accounts. Looks up each account that left the list, because a list does not show if
 * it is being imported. Caches verdicts for a while, so that a screen can count often.
 */
export class GoneCounter {
  readonly #service: Pick<Service, "accounts">;
  readonly #budget: Budget;
  readonly #now: () => number;
  readonly #verdicts = new Map<string, { readonly verdict: Verdict; readonly until: number }>();

  constructor(options: {
    readonly service: Pick<Service, "accounts">;
    readonly budget: Budget;
    readonly now: () => number;
  }) {
    this.#service = options.service;
    this.#budget = options.budget;
    this.#now = options.now;
  }

  /**
   * Returns the number of accounts that {@link verify} returns, and the latest of them. Rejects
   * with the signal's reason.
   */
  async count(
    supplier: string,
    gone: Iterable<GoneAccount>,
    signal: AbortSignal,
  ): Promise<GoneCount> {
    const { accounts, atLeast } = await this.#verified(supplier, gone, signal);
    const latest = accounts.toSorted((a, b) => b.goneAt - a.goneAt);
    return { count: accounts.length, atLeast, latest: latest.slice(0, maxNamed) };
  }

  /**
   * Returns the gone accounts without those in progress or completed. An account whose lookup fails
   * counts as gone. Rejects with the signal's reason.
   */
  async verify(
    supplier: string,
    gone: Iterable<GoneAccount>,
    signal: AbortSignal,
  ): Promise<VerifiedGone> {
    const { accounts, atLeast } = await this.#verified(supplier, gone, signal);
    return { accounts: accounts.map(({ external }) => external), atLeast };
  }

  async #verified(supplier: string, gone: Iterable<GoneAccount>, signal: AbortSignal) {
    const checked: GoneAccount[] = [];
    let atLeast = false;
    for (const account of gone) {
      atLeast = checked.length === maxVerified;
      if (atLeast) break;
      checked.push(account);
    }
    const verdicts = await Promise.all(
      checked.map((account) => this.#verdictOf(supplier, account, signal)),
    );
    signal.throwIfAborted();
    return { accounts: checked.filter((_, at) => verdicts[at] === "gone"), atLeast };
  }

  async #verdictOf(supplier: string, account: GoneAccount, signal: AbortSignal): Promise<Verdict> {
    const key = JSON.stringify([supplier, account.external, account.goneAt]);
    const known = this.#verdicts.get(key);
    if (known && known.until > this.#now()) return known.verdict;
    try {
      const verdict = await this.#budget.spend(async (stop) => {
        // The next count repeats a failed lookup, so it is not retried.
        const options = { signal: stop, retries: 0 };
        const { value } = await this.#service.accounts.status(supplier, account.external, options);
        return verdicts[value.status] ?? "gone";
      }, signal);
      this.#verdicts.set(key, { verdict, until: this.#now() + verdictLifetimeMs[verdict] });
      return verdict;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isServiceError(error, "not-found")) {
        this.#verdicts.set(key, { verdict: "gone", until: this.#now() + verdictLifetimeMs.gone });
      }
      return "gone";
    }
  }
}

const verdicts: Readonly<Record<string, Verdict | undefined>> = {
  IN_PROGRESS: "in-progress",
  COMPLETED: "completed",
};
