/** Accounts of a watch list that are watched with one list per round instead of one status each. */
import type { PollEvent } from "./poll.ts";
import { keyOf, type WatchSubject } from "./subject.ts";
import type { Sighting, Watched } from "./watched.ts";

/** What a list or a look-up shows of one account, or why nothing is known of it. */
interface AccountNews {
  readonly number: string;
  readonly event: Exclude<PollEvent<Sighting>, { kind: "checking" }>;
}

/** One supplier that is watched by lists. */
interface FollowedSupplier {
  /** Begins the next round as soon as the pace allows. */
  refresh(): void;
  /** Milliseconds between two rounds now. */
  everyMs(): number;
}

/** How a watch list has many accounts of one supplier watched by lists. */
export interface FollowByLists {
  /** More open accounts of one supplier than this are watched by lists. */
  readonly above: number;
  follow(options: {
    readonly supplier: string;
    /** The accounts to watch, asked for at the beginning of each round. */
    readonly numbers: () => readonly FollowedAccount[];
    /** Called with all that a round, or a look-up, shows. */
    readonly report: (news: readonly AccountNews[]) => void;
    readonly signal: AbortSignal;
  }): FollowedSupplier;
}

/** An account to watch by lists. */
export interface FollowedAccount {
  readonly number: string;
  /** Its latest state; null before the first. */
  readonly state: string | null;
}

interface ByListsOptions {
  readonly lists: FollowByLists | undefined;
  /** Everything on the watch list. */
  readonly watched: () => Iterable<Watched>;
  /** Whether a screen checks a subject for the list. */
  readonly isBorrowed: (key: string) => boolean;
  readonly report: (key: string, event: AccountNews["event"]) => void;
  /** Called after each round and look-up. */
  readonly reported: () => void;
}

/** Which suppliers are watched by lists. */
export function createByLists(options: ByListsOptions) {
  const { lists, watched, isBorrowed, report, reported } = options;
  const followed = new Map<
    string,
    { readonly stop: AbortController; readonly supplier: FollowedSupplier }
  >();
  const covers = ({ kind, supplier }: WatchSubject) => kind === "account" && followed.has(supplier);

  function* open(): Generator<Watched, void, void> {
    for (const one of watched()) if (one.finality === "open") yield one;
  }
  /** Open accounts by supplier, also those that a screen checks: opening one must not end the rounds. */
  const counts = () => {
    const accounts = new Map<string, number>();
    for (const { kind, supplier } of open())
      if (kind === "account") accounts.set(supplier, (accounts.get(supplier) ?? 0) + 1);
    return accounts;
  };
  const numbersOf = (supplier: string) =>
    [...open()]
      .filter((one) => one.kind === "account" && one.supplier === supplier && !isBorrowed(one.key))
      .map(({ number, timeline }) => ({ number, state: timeline.at(-1)?.state ?? null }));
  const begin = (supplier: string, follow: FollowByLists["follow"]) => {
    const stop = new AbortController();
    const { signal } = stop;
    followed.set(supplier, {
      stop,
      supplier: follow({
        supplier,
        signal,
        numbers: () => numbersOf(supplier),
        report(news) {
          for (const { number, event } of news) {
            // A failure can end the watching of all.
            if (signal.aborted) return;
            const key = keyOf({ kind: "account", supplier, number });
            if (!isBorrowed(key)) report(key, event);
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
    /** Whether a subject is one of a supplier that is watched by lists. */
    covers,
    /** Begins and ends watching by lists, by how many accounts are open now. */
    settle(isPaused: boolean) {
      if (lists === undefined) return;
      const many = counts();
      const isMany = (supplier: string) => (many.get(supplier) ?? 0) > lists.above;
      for (const supplier of [...followed.keys()]) if (isPaused || !isMany(supplier)) end(supplier);
      if (isPaused) return;
      for (const supplier of many.keys())
        if (isMany(supplier) && !followed.has(supplier)) begin(supplier, lists.follow);
    },
    refresh() {
      for (const { supplier } of followed.values()) supplier.refresh();
    },
    /** Whose accounts are watched by lists, in the order in which that began. */
    suppliers: () => [...followed.keys()],
    /** How many open subjects are checked one by one. */
    others: () => [...open()].filter((one) => !covers(one)).length,
    /** The longest time between two rounds, in milliseconds; 0 where nothing is watched by lists. */
    everyMs: () => Math.max(0, ...[...followed.values()].map(({ supplier }) => supplier.everyMs())),
  };
}
