/** React hooks that read the cohorts of a profile, their accounts, counts and observations. */
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { AccountListStore } from "../accounts/account-list.ts";
import { screenInstants } from "../accounts/shown-instant.ts";
import { betweenEvents, inSlices } from "../accounts/slices.ts";
import type { Session } from "../session/open-session.ts";
import { type AccountTab, accountTabs } from "../session/places.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { count } from "../text/numbers.ts";
import type { NumberSet } from "../triage/account-numbers.ts";
import { cohortFigures } from "../triage/cohorts/cohort-history.ts";
import { cohortRows, countRows, type ListedAccounts } from "../triage/cohorts/cohort-rows.ts";
import type { Cohort } from "../triage/cohorts/cohorts.ts";
import type { SupplierHistory } from "../triage/figures/supplier-figures.ts";
import { accountFinality } from "../watch/timeline.ts";
import type { Watched } from "../watch/watched.ts";
import { type AccountListFeed, useAccountList } from "./account-feed.ts";
import { useApp, useOpenSession, useSession } from "./app.tsx";
import { useRead, useReading } from "./reading.ts";

export function useCohort(
  supplier: string,
  name: string,
): ReturnType<typeof useReading<StoredCohort>> {
  const { cohorts } = useSession();
  return useReading(useCallback(() => cohorts.read(name, supplier), [cohorts, supplier, name]));
}

type StoredCohort = Awaited<ReturnType<Session["cohorts"]["read"]>>;

interface CohortList {
  readonly feed: AccountListFeed;
  readonly unlisted: number;
}

/**
 * Returns the part of a supplier's list that is in a cohort. The part is updated with each load of
 * that list.
 */
export function useCohortList(supplier: string, numbers: NumberSet): CohortList {
  const { clock } = useApp();
  const all = useAccountList(supplier, "all");
  const { load, loadedAt } = all.snapshot;
  const store = useMemo(
    () => new AccountListStore({ now: clock.now, shown: screenInstants() }),
    [clock],
  );
  useEffect(() => () => store.dispose(), [store]);
  useEffect(() => {
    // Each complete load creates another table.
    if (loadedAt === null) return;
    const { table } = all.store.viewRows();
    return runUntilCleanup((signal) => store.load(cohortRows(table, numbers), signal));
  }, [store, all.store, numbers, loadedAt]);
  const rows = useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.getSnapshot(),
  );
  // Before the first selection the rows of the cohort are unknown, even if the list is loaded.
  const selectedAt = rows.loadedAt === null ? null : loadedAt;
  const snapshot = useMemo(
    () => ({ ...rows, load, loadedAt: selectedAt }),
    [rows, load, selectedAt],
  );
  const unlisted = selectedAt === null ? 0 : numbers.size - rows.total;
  return { feed: { ...all, store, snapshot }, unlisted };
}

export interface CohortCounts {
  readonly lists: ReadonlyMap<AccountTab, ListedAccounts>;
  /** The checked pending accounts that failed or are in progress, in words, if there are any. */
  readonly checked: string | undefined;
}

const noneCounted: CohortCounts = { lists: new Map(), checked: undefined };

/**
 * Counts the accounts of a cohort in each complete list of its supplier that is in memory. Counts
 * again after each load. Counts nothing if `name` is null.
 */
export function useCohortCounts(supplier: string, name: string | null): CohortCounts {
  const session = useSession();
  const { cohorts, knownList } = session;
  // The filter reports a cohort that cannot be read.
  const read = useRead(
    useCallback(
      async () => (name === null ? null : { name, ...(await cohorts.read(name, supplier)) }),
      [cohorts, supplier, name],
    ),
  );
  const loaded = accountTabs
    .map((tab) => knownList(supplier, tab)?.getSnapshot().loadedAt ?? "")
    .join(" ");
  const numbers = read?.name === name ? read.numbers : null;
  const count = useMemo(
    () => numbers && ((signal: AbortSignal) => countsOf(session, supplier, numbers, signal)),
    [session, supplier, numbers],
  );
  const counted = useRead(count, loaded);
  return counted !== null && counted.numbers === numbers ? counted : noneCounted;
}

/** Counts the accounts of a cohort in each complete list. Rejects with the signal's reason. */
async function countsOf(
  session: Session,
  supplier: string,
  numbers: NumberSet,
  signal: AbortSignal,
): Promise<CohortCounts & { readonly numbers: NumberSet }> {
  const lists = new Map<AccountTab, ListedAccounts>();
  for (const tab of accountTabs) {
    const list = session.knownList(supplier, tab);
    const { loadedAt = null, truncatedAt = null } = list?.getSnapshot() ?? {};
    if (list === null || loadedAt === null || truncatedAt !== null) continue;
    const work = countRows(list.viewRows().table, numbers);
    const counts = await inSlices(work, betweenEvents, () => signal.aborted);
    if (counts === null) throw signal.reason;
    lists.set(tab, counts);
  }
  return { numbers, lists, checked: checkedWords(session, supplier, numbers) };
}

/**
 * Returns the number of pending accounts of a cohort whose checks show that they failed or are in
 * progress, in words, or undefined if there are none.
 */
function checkedWords(
  { checkHistory, listedRow }: Session,
  supplier: string,
  numbers: NumberSet,
): string | undefined {
  const checked = [...checkHistory.accounts(supplier)].flatMap(([number, timeline]) =>
    numbers.rowOf(number) >= 0 && listedRow(supplier, number)?.pending === true ? [timeline] : [],
  );
  const failed = checked.filter((timeline) => accountFinality(timeline) === "ended").length;
  const inProgress = checked.filter((timeline) => timeline.at(-1)?.state === "IN_PROGRESS").length;
  const words = [
    ...(failed === 0 ? [] : [`${count(failed)} failed`]),
    ...(inProgress === 0 ? [] : [`${count(inProgress)} in progress`]),
  ];
  return words.length === 0 ? undefined : words.join(", ");
}

/**
 * Returns the observations of a cohort, or null if there are none. Reads them again whenever
 * `version` changes.
 */
export function useCohortHistory(
  supplier: string,
  numbers: NumberSet,
  version: unknown,
): SupplierHistory | null {
  const { histories } = useSession();
  // An error is not reported here, because recording the list reports a file that cannot be read.
  return useRead(
    useCallback(
      (signal: AbortSignal) => histories.ofCohort(supplier, numbers, signal),
      [histories, supplier, numbers],
    ),
    version,
  );
}

/**
 * Returns the start of the longest pending state in each watched cohort, in epoch milliseconds by
 * the name of the cohort. Reads again if the progress of a cohort changes.
 */
export function useOldestPending(watched: readonly Watched[]): ReadonlyMap<string, number> {
  const session = useSession();
  const states = JSON.stringify(
    watched.flatMap(({ kind, supplier, number: name, progress }) =>
      kind === "cohort" ? { name, supplier, progress } : [],
    ),
  );
  const oldest = useRead(
    useCallback(
      async (signal: AbortSignal) => {
        const starts = new Map<string, number>();
        for await (const [name, figures] of cohortFigures(session, JSON.parse(states), signal)) {
          const { oldestPendingSince = null } = (figures.kind === "read" && figures.observed) || {};
          if (oldestPendingSince !== null) starts.set(name, oldestPendingSince);
        }
        return starts;
      },
      [session, states],
    ),
  );
  return oldest ?? noneKnown;
}

const noneKnown: ReadonlyMap<string, number> = new Map();

export function useCohorts(): readonly Cohort[] {
  const stored = useOpenSession()?.cohorts;
  // The screen of the cohorts reports the error if they cannot be read.
  const read = useRead(useCallback(async () => stored?.list(), [stored]));
  return read ?? noCohorts;
}

const noCohorts: readonly Cohort[] = [];
