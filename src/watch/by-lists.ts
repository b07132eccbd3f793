/**
 * Decides which suppliers are watched with one list per round instead of one status per account.
 */
import { keyOf, type WatchSubject } from "./timeline.ts";
import type { CheckEnd, Watched } from "./watched.ts";

type ListedKind = "account" | "cohort";

export interface ListedSupplier {
  readonly supplier: string;
  readonly signal: AbortSignal;
  readonly open: (kind: ListedKind) => readonly Watched[];
  readonly report: (kind: ListedKind, number: string, end: CheckEnd) => void;
  readonly reported: () => void;
}

interface Rounds {
  refresh(): void;
  everyMs(): number;
}

export interface FollowByLists {
  /** A supplier with more open accounts than this number is watched by lists. */
  readonly above: number;
  follow(supplier: ListedSupplier): Rounds;
}

interface ByListsOptions {
  readonly lists: FollowByLists | undefined;
  readonly watched: () => readonly Watched[];
  readonly isShown: (key: string) => boolean;
  readonly report: (key: string, end: CheckEnd) => void;
  readonly reported: () => void;
}

export function createByLists({ lists, watched, isShown, report, reported }: ByListsOptions) {
  const followed = new Map<string, Rounds & { readonly stop: AbortController }>();
  const checkedAgain = new Set<string>();
  /** The suppliers that are watched by lists. The value is true if lists also cover accounts. */
  let suppliers: ReadonlyMap<string, boolean> = new Map();
  const covers = ({ kind, supplier }: WatchSubject) =>
    kind === "cohort" || (kind === "account" && suppliers.get(supplier) === true);
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
    checkAgain: (key: string) => void checkedAgain.add(key),
    refresh() {
      for (const rounds of followed.values()) rounds.refresh();
    },
    suppliers: () => [...followed.keys()],
    oneByOne: () => open().filter((subject) => !covers(subject)).length,
    /** Returns the longest interval between rounds in milliseconds, or 0 without lists. */
    everyMs: () => Math.max(0, ...[...followed.values()].map((rounds) => rounds.everyMs())),
  };
}
