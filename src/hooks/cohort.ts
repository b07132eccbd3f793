import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { AccountListStore } from "../accounts/account-list.ts";
import { screenInstants } from "../accounts/shown-instant.ts";
import { betweenEvents, inSlices } from "../accounts/slices.ts";
import { cohortFigures } from "../session/cohort-figures.ts";
import type { Session } from "../session/open-session.ts";
import { type AccountTab, accountTabs } from "../session/places.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { count } from "../text/numbers.ts";
import { cohortRows, countRows, type ListedAccounts } from "../triage/cohorts/cohort-rows.ts";
import type { Cohort } from "../triage/cohorts/cohorts.ts";
import type { SupplierHistory } from "../triage/figures/supplier-figures.ts";
import type { NumberSet } from "../triage/number-set.ts";
import { accountFinality } from "../watch/transitions.ts";
import type { Watched } from "../watch/watched.ts";
import { type AccountListFeed, useAccountList } from "./account-list.ts";
import { useApp, useSession, useSessionState } from "./app.tsx";
import { useRead } from "./reading.ts";
import { useActive } from "./window.tsx";

/** A stored cohort, while it is read and verified. */
export type CohortReading =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "read"; readonly cohort: Cohort; readonly numbers: NumberSet };

/** Reads a cohort of a supplier, and verifies it against its SHA-256. */
export function useCohort(supplier: string, name: string): CohortReading {
  const { cohorts } = useSession();
  const [reading, setReading] = useState<CohortReading>({ kind: "reading" });
  useEffect(() => {
    setReading({ kind: "reading" });
    return runUntilCleanup(async (signal) => {
      const next = await cohorts.read(name, supplier).then(
        (stored) => ({ kind: "read", ...stored }) as const,
        (error: unknown) => ({ kind: "failed", error }) as const,
      );
      if (!signal.aborted) setReading(next);
    });
  }, [cohorts, supplier, name]);
  return reading;
}

/**
 * The accounts of a cohort that the service lists, and the number of those that it does not list.
 */
interface CohortList {
  readonly feed: AccountListFeed;
  readonly unlisted: number;
}

/** The part of a supplier's list that is a cohort; it is loaded with that list, and follows it. */
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
    // Each complete load is another table.
    if (loadedAt === null) return;
    const { table } = all.store.viewRows();
    return runUntilCleanup((signal) => store.load(cohortRows(table, numbers), signal));
  }, [store, all.store, numbers, loadedAt]);
  const rows = useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.getSnapshot(),
  );
  // Before its rows are chosen, nothing is known of the cohort, whatever is known of the supplier.
  const chosenAt = rows.loadedAt === null ? null : loadedAt;
  const snapshot = useMemo(() => ({ ...rows, load, loadedAt: chosenAt }), [rows, load, chosenAt]);
  const unlisted = chosenAt === null ? 0 : numbers.size - rows.total;
  return { feed: { ...all, store, snapshot }, unlisted };
}

/** The accounts of a cohort on the lists of its supplier. */
export interface CohortCounts {
  readonly lists: ReadonlyMap<AccountTab, ListedAccounts>;
  /** The pending ones that failed or are in progress, as far as they were checked; or undefined. */
  readonly checked: string | undefined;
}

const noneCounted: CohortCounts = { lists: new Map(), checked: undefined };

/**
 * Counts the accounts of a cohort in each whole list of its supplier that is in memory, again after
 * each load. Counts nothing without a cohort (null).
 */
export function useCohortCounts(supplier: string, name: string | null): CohortCounts {
  const session = useSession();
  const { cohorts, knownList } = session;
  const active = useActive();
  // The filter says what is wrong with a cohort that cannot be read.
  const read = useRead(
    useCallback(
      async () => (name === null ? null : { name, ...(await cohorts.read(name, supplier)) }),
      [cohorts, supplier, name],
    ),
  );
  const [counted, setCounted] = useState<{ of: NumberSet; counts: CohortCounts } | null>(null);
  const loaded = accountTabs
    .map((tab) => knownList(supplier, tab)?.getSnapshot().loadedAt ?? "")
    .join(" ");
  const numbers = read?.name === name ? read.numbers : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another load is counted again
  useEffect(() => {
    if (numbers === null || !active) return;
    return runUntilCleanup(async (signal) => {
      const lists = new Map<AccountTab, ListedAccounts>();
      for (const tab of accountTabs) {
        const list = knownList(supplier, tab);
        const { loadedAt = null, truncatedAt = null } = list?.getSnapshot() ?? {};
        if (list === null || loadedAt === null || truncatedAt !== null) continue;
        const work = countRows(list.viewRows().table, numbers);
        const counts = await inSlices(work, betweenEvents, () => signal.aborted);
        if (counts === null) return;
        lists.set(tab, counts);
      }
      if (signal.aborted) return;
      setCounted({
        of: numbers,
        counts: { lists, checked: checkedWords(session, supplier, numbers) },
      });
    });
  }, [session, supplier, numbers, active, loaded]);
  return counted !== null && counted.of === numbers ? counted.counts : noneCounted;
}

/** Counts the pending accounts of a cohort whose checks show more than the list does. */
function checkedWords(
  { sightings, listedRow }: Session,
  supplier: string,
  numbers: NumberSet,
): string | undefined {
  const checked = [...sightings.accounts(supplier)].flatMap(([number, timeline]) =>
    numbers.rowOf(number) >= 0 && listedRow(supplier, number)?.pending === true ? [timeline] : [],
  );
  const failed = checked.filter((one) => accountFinality(one) === "ended").length;
  const busy = checked.filter((one) => one.at(-1)?.state === "IN_PROGRESS").length;
  const words = [
    ...(failed === 0 ? [] : [`${count(failed)} failed`]),
    ...(busy === 0 ? [] : [`${count(busy)} in progress`]),
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
  const active = useActive();
  const [history, setHistory] = useState<SupplierHistory | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read again
  useEffect(() => {
    if (!active) return;
    // A file that cannot be read is reported where the list is recorded.
    return runUntilCleanup(async (signal) => {
      for await (const next of histories.ofCohort(supplier, numbers, signal)) {
        if (signal.aborted) return;
        setHistory(next);
      }
    });
  }, [histories, supplier, numbers, active, version]);
  return history;
}

/**
 * Returns the time since which the oldest account of each watched cohort is pending, in epoch
 * milliseconds by the name of the cohort. Counts again whenever the state of one changes.
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
      async (signal) => {
        const found = new Map<string, number>();
        for await (const [name, figures] of cohortFigures(session, JSON.parse(states), signal)) {
          const { oldestPendingSince = null } = (figures.kind === "read" && figures.observed) || {};
          if (oldestPendingSince !== null) found.set(name, oldestPendingSince);
        }
        return found;
      },
      [session, states],
    ),
  );
  return oldest ?? noneKnown;
}

const noneKnown: ReadonlyMap<string, number> = new Map();

/**
 * Returns the stored cohorts by name. It is empty while they are read, or if no session is open.
 */
export function useCohorts(): readonly Cohort[] {
  const state = useSessionState();
  const stored = state.kind === "open" ? state.session.cohorts : null;
  // The screen of the cohorts says why they cannot be read.
  const read = useRead(useCallback(async () => stored?.list(), [stored]));
  return read ?? noCohorts;
}

const noCohorts: readonly Cohort[] = [];
