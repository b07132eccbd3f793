/** Cohorts, and many accounts of a supplier: watched with one list per round, not one status each. */
import type { PollEvent } from "./poll.ts";
import { keyOf, type WatchSubject } from "./subject.ts";
import type { Transition } from "./transitions.ts";
import type { CheckResult, Watched } from "./watched.ts";

/** The result of a list or a look-up for one subject, or the error without a result. */
export interface ListNews {
  readonly kind: "account" | "cohort";
  readonly number: string;
  readonly event: Exclude<PollEvent<CheckResult>, { kind: "checking" }>;
}

/** A supplier that is watched by lists. */
interface FollowedSupplier {
  /** Starts the next round as soon as the pace allows. */
  refresh(): void;
  /** Milliseconds between two rounds now. */
  everyMs(): number;
}

/** Watches a supplier by lists. */
export interface FollowByLists {
  /** More open accounts of one supplier than this are watched by lists. */
  readonly above: number;
  follow(options: {
    readonly supplier: string;
    /** The accounts and the cohorts to watch, asked for at the beginning of each round. */
    readonly numbers: () => readonly Followed[];
    readonly cohorts: () => readonly Followed[];
    /** Called with all that a round, or a look-up, shows. */
    readonly report: (news: readonly ListNews[]) => void;
    readonly signal: AbortSignal;
  }): FollowedSupplier;
}

/** An account or a cohort to watch by lists. */
export interface Followed {
  readonly number: string;
  readonly timeline: readonly Transition[];
}

interface ByListsOptions {
  readonly lists: FollowByLists | undefined;
  /** Everything on the watch list. */
  readonly watched: () => Iterable<Watched>;
  /** Returns true if a subject is checked for a screen. */
  readonly isShown: (key: string) => boolean;
  readonly report: (key: string, event: ListNews["event"]) => void;
  /** Called after each round and each look-up. */
  readonly reported: () => void;
}

interface Following {
  readonly stop: AbortController;
  readonly supplier: FollowedSupplier;
}

/** Decides which suppliers are watched by lists. */
export function createByLists(options: ByListsOptions) {
  const { lists, watched, isShown, report, reported } = options;
  const followed = new Map<string, Following>();
  /** Cohorts that have ended, and are checked again. */
  const again = new Set<string>();
  /** The suppliers that are watched by lists: true if their open accounts are too. */
  let suppliers: ReadonlyMap<string, boolean> = new Map();
  const covers = ({ kind, supplier }: WatchSubject) =>
    kind === "cohort" || (kind === "account" && suppliers.get(supplier) === true);

  function* open(): Generator<Watched, void, void> {
    for (const one of watched()) if (one.finality === "open" || again.has(one.key)) yield one;
  }
  /**
   * Returns the suppliers to watch by lists, with true if their accounts are watched so, too. A
   * subject that is checked for a screen is counted, too.
   */
  const wanted = (above: number) => {
    const accounts = new Map<string, number>();
    const withAccounts = new Map<string, boolean>();
    for (const { kind, supplier } of open()) {
      if (kind === "account") accounts.set(supplier, (accounts.get(supplier) ?? 0) + 1);
      if (kind === "cohort") withAccounts.set(supplier, false);
    }
    for (const [supplier, count] of accounts) if (count > above) withAccounts.set(supplier, true);
    return withAccounts;
  };
  const openOf = (supplier: string, kind: WatchSubject["kind"]): readonly Followed[] =>
    [...open()].filter(
      (one) => one.kind === kind && one.supplier === supplier && !isShown(one.key),
    );
  const begin = (supplier: string, follow: FollowByLists["follow"]) => {
    const stop = new AbortController();
    const { signal } = stop;
    followed.set(supplier, {
      stop,
      supplier: follow({
        supplier,
        signal,
        numbers: () => (suppliers.get(supplier) ? openOf(supplier, "account") : []),
        cohorts: () => openOf(supplier, "cohort"),
        report(news) {
          for (const { kind, number, event } of news) {
            // A failure can end the watching of all.
            if (signal.aborted) return;
            const key = keyOf({ kind, supplier, number });
            again.delete(key);
            if (!isShown(key)) report(key, event);
          }
          reported();
        },
      }),
    });
  };
  const end = (supplier: string) => {
    followed.get(supplier)?.stop.abort();
    followed.delete(supplier);
  };

  return {
    /** Returns true for a subject that is checked by lists. */
    covers,
    /** Starts and ends watching by lists, according to the open subjects. */
    settle(isPaused: boolean) {
      if (lists === undefined) return;
      suppliers = isPaused ? new Map() : wanted(lists.above);
      for (const supplier of [...followed.keys()]) if (!suppliers.has(supplier)) end(supplier);
      for (const supplier of suppliers.keys())
        if (!followed.has(supplier)) begin(supplier, lists.follow);
    },
    /** Checks a cohort again that has ended. */
    checkAgain: (key: string) => void again.add(key),
    refresh() {
      for (const { supplier } of followed.values()) supplier.refresh();
    },
    /** Returns the suppliers that are watched by lists, in the order in which that began. */
    suppliers: () => [...followed.keys()],
    /** Returns the number of open subjects that are checked one by one. */
    others: () => [...open()].filter((one) => !covers(one)).length,
    /**
     * Returns the longest interval between two rounds in milliseconds, or 0 if nothing is watched
     * by lists.
     */
    everyMs: () => Math.max(0, ...[...followed.values()].map(({ supplier }) => supplier.everyMs())),
  };
}
