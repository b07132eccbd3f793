/**
 * Decides which suppliers are watched with one list per round instead of one status per account.
 */
import { keyOf, type WatchSubject } from "./timeline.ts";
import type { CheckEnd, Watched } from "./watched.ts";

/** The kinds of subjects that lists can show. */
type ListedKind = "account" | "cohort";

/** A supplier whose accounts or cohorts are watched by lists. */
export interface ListedSupplier {
  readonly supplier: string;
  readonly signal: AbortSignal;
  /** Returns the subjects to watch. Called at the beginning of each round. */
  readonly open: (kind: ListedKind) => readonly Watched[];
  /** Receives the result of a list or a lookup for one subject. */
  readonly report: (kind: ListedKind, number: string, end: CheckEnd) => void;
  /** Called after each round and each lookup. */
  readonly reported: () => void;
}

/** The rounds of a supplier. */
interface Rounds {
  /** Starts the next round as soon as the pace allows. */
  refresh(): void;
  /** Milliseconds between two rounds now. */
  everyMs(): number;
}

/** Watches a supplier by lists. */
export interface FollowByLists {
  /** A supplier with more open accounts than this number is watched by lists. */
  readonly above: number;
  follow(supplier: ListedSupplier): Rounds;
}

/** The watched subjects, and the functions that report their states. */
interface ByListsOptions {
  readonly lists: FollowByLists | undefined;
  /** Returns everything that is watched. */
  readonly watched: () => readonly Watched[];
  /** Returns true if a subject is checked for a screen. */
  readonly isShown: (key: string) => boolean;
  readonly report: (key: string, end: CheckEnd) => void;
  readonly reported: () => void;
}

/** Decides which suppliers are watched by lists. */
export function createByLists({ lists, watched, isShown, report, reported }: ByListsOptions) {
  const followed = new Map<string, Rounds & { readonly stop: AbortController }>();
  /** The keys of ended cohorts that are checked again. */
  const checkedAgain = new Set<string>();
  /** The suppliers that are watched by lists. The value is true if lists also cover accounts. */
  let suppliers: ReadonlyMap<string, boolean> = new Map();
  /** Returns true if a subject is checked by lists. */
  const covers = ({ kind, supplier }: WatchSubject) =>
    kind === "cohort" || (kind === "account" && suppliers.get(supplier) === true);
  /** Returns the subjects that must be checked. */
  const open = () =>
    watched().filter(({ finality, key }) => finality === "open" || checkedAgain.has(key));

  /**
   * Returns the suppliers to watch by lists. The value is true if lists also cover their accounts. A
   * subject that is checked for a screen counts, too.
   */
  const suppliersToFollow = (above: number) => {
    const bySupplier = Map.groupBy(open(), ({ supplier }) => supplier);
    return new Map(
      [...bySupplier].flatMap(([supplier, subjects]) => {
        const hasManyAccounts = subjects.filter(({ kind }) => kind === "account").length > above;
        const isListed = hasManyAccounts || subjects.some(({ kind }) => kind === "cohort");
        return isListed ? [[supplier, hasManyAccounts] as const] : [];
      }),
    );
  };
  const begin = (supplier: string, { follow }: FollowByLists) => {
    const stop = new AbortController();
    const rounds = follow({
      supplier,
      signal: stop.signal,
      reported,
      open: (wantedKind) =>
        wantedKind === "account" && suppliers.get(supplier) !== true
          ? []
          : open().filter(
              ({ kind, supplier: subjectSupplier, key }) =>
                kind === wantedKind && subjectSupplier === supplier && !isShown(key),
            ),
      report(kind, number, end) {
        // A failure can end all watching.
        if (stop.signal.aborted) return;
        const key = keyOf({ kind, supplier, number });
        checkedAgain.delete(key);
        if (!isShown(key)) report(key, end);
      },
    });
    followed.set(supplier, { ...rounds, stop });
  };

  return {
    covers,
    /** Starts and ends watching by lists, according to the open subjects. */
    settle(isPaused: boolean) {
      if (lists === undefined) return;
      suppliers = isPaused ? new Map() : suppliersToFollow(lists.above);
      for (const [supplier, { stop }] of followed) {
        if (suppliers.has(supplier)) continue;
        stop.abort();
        followed.delete(supplier);
      }
      for (const supplier of suppliers.keys()) if (!followed.has(supplier)) begin(supplier, lists);
    },
    /** Checks an ended cohort again. */
    checkAgain: (key: string) => void checkedAgain.add(key),
    refresh() {
      for (const rounds of followed.values()) rounds.refresh();
    },
    /** Returns the suppliers that are watched by lists, in the order in which that began. */
    suppliers: () => [...followed.keys()],
    /** Returns the number of open subjects that are checked one by one. */
    oneByOne: () => open().filter((subject) => !covers(subject)).length,
    /**
     * Returns the longest interval between two rounds in milliseconds, or 0 if nothing is watched
     * by lists.
     */
    everyMs: () => Math.max(0, ...[...followed.values()].map((rounds) => rounds.everyMs())),
  };
}
