/** React hooks for the verdicts on accounts and supply points. */
import { useCallback, useEffect } from "react";
import type { Session } from "../session/open-session.ts";
import { createStore } from "../session/store.ts";
import type { ImportPace } from "../triage/import-pace.ts";
import {
  type ListedAccount,
  type ReportedTime,
  type Verdict,
  verdictOf,
} from "../triage/verdict.ts";
import type { Transition, WatchSubject } from "../watch/timeline.ts";
import { useSession } from "./app.tsx";
import type { Checking } from "./checking.ts";
import { useStore } from "./context.ts";
import { useRead } from "./reading.ts";
import { useActive } from "./window.tsx";

export function usePaces(
  session: Session | null,
  suppliers: readonly string[],
): (supplier: string) => ImportPace | null {
  const paces = session?.paces ?? null;
  const active = useActive();
  const version = useStore(paces?.version ?? noPaces);
  const names = JSON.stringify(suppliers);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dropped pace is read again
  useEffect(() => {
    if (active) for (const supplier of JSON.parse(names) as string[]) paces?.read(supplier);
  }, [paces, names, active, version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other paces
  return useCallback((supplier: string) => paces?.known(supplier) ?? null, [paces, version]);
}

const noPaces = createStore(0);

export interface StuckAccounts {
  readonly supplier: string;
  readonly count: number;
  /** An account that is pending for longer is stuck. */
  readonly stuckMs: number;
}

/**
 * Returns the stuck accounts of the suppliers whose usual time until an import is known, and reads
 * the paces of the others.
 */
export function useStuck(
  session: Session | null,
  suppliers: readonly string[],
): readonly StuckAccounts[] {
  const paces = session?.paces ?? null;
  useStore(paces?.version ?? noPaces);
  const names = JSON.stringify(suppliers);
  useEffect(() => {
    for (const supplier of JSON.parse(names) as string[]) paces?.read(supplier);
  }, [paces, names]);
  return suppliers.flatMap((supplier) => {
    const pace = paces?.known(supplier) ?? null;
    const stuckMs = pace?.pending?.stuckMs ?? null;
    const count = pace?.list?.stuck ?? null;
    return stuckMs === null || count === null ? [] : [{ supplier, count, stuckMs }];
  });
}

const maxRecalled = 100;

/**
 * Returns a function that returns the observed states of a subject. Reads the stored states of the
 * first subjects of a list.
 */
export function useTimelines(
  session: Session | null,
  subjects: readonly WatchSubject[],
): (subject: WatchSubject) => readonly Transition[] {
  const names = JSON.stringify(subjects.slice(0, maxRecalled));
  const recalled = useRead(
    useCallback(
      async () =>
        Promise.all(
          (JSON.parse(names) as WatchSubject[]).map((subject) => session?.recall(subject)),
        ),
      [session, names],
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: stored states are in the checkHistory then
  return useCallback(
    (subject: WatchSubject) => session?.checkHistory.of(subject) ?? [],
    [session, recalled],
  );
}

/**
 * Returns what the newest list shows of an account: a list in memory, or a stored list. Reads the
 * stored list when the screen opens, when `version` changes, and when a list is recorded or comes from a team.
 * Reads no stored list if `readsStored` is false.
 */
export function useListed(
  supplier: string,
  account: string,
  version: unknown,
  readsStored = true,
): ListedAccount | null {
  const { listedOf, storedOf, paces } = useSession();
  const recorded = useStore(paces.version);
  const inMemory = listedOf(supplier, account);
  // An unreadable file is not reported here, because recording a list reports it.
  const read = useCallback(() => storedOf(supplier, account), [storedOf, supplier, account]);
  const stored = useRead(readsStored ? read : null, `${inMemory?.at} ${version} ${recorded}`);
  return newestListed(inMemory, stored);
}

function newestListed(
  inMemory: ListedAccount | null,
  stored: ListedAccount | null,
): ListedAccount | null {
  if (inMemory === null || stored === null) return inMemory ?? stored;
  // A list in memory has no ages before it is recorded.
  return inMemory.state === "pending" && stored.state === "pending"
    ? { ...inMemory, pendingSince: inMemory.pendingSince ?? stored.pendingSince }
    : inMemory;
}

/**
 * Returns a function that returns what the newest list shows of an account, as {@link useListed}.
 * Reads the stored lists for the first subjects, and again when a list is recorded.
 */
export function useListedAccounts(
  subjects: readonly WatchSubject[],
): (supplier: string, account: string) => ListedAccount | null {
  const { listedOf, storedOf, paces } = useSession();
  const version = useStore(paces.version);
  const accounts = subjects.filter(({ kind }) => kind === "account").slice(0, maxRecalled);
  const names = JSON.stringify(accounts.map(({ supplier, number }) => [supplier, number]));
  const stored = useRead(
    useCallback(async () => {
      const found = new Map<string, ListedAccount>();
      for (const [supplier, account] of JSON.parse(names) as [string, string][]) {
        const listed = await storedOf(supplier, account);
        if (listed !== null) found.set(JSON.stringify([supplier, account]), listed);
      }
      return found;
    }, [storedOf, names]),
    version,
  );
  return useCallback(
    (supplier, account) =>
      newestListed(
        listedOf(supplier, account),
        stored?.get(JSON.stringify([supplier, account])) ?? null,
      ),
    [listedOf, stored],
  );
}

/** Returns the verdict on a checked subject at `now` (service time, epoch milliseconds). */
export type CheckedVerdict = (now: number) => Verdict;

export function useCheckedVerdict(
  kind: WatchSubject["kind"],
  { transitions: timeline, checkedAt, everyMs, error }: Checking<unknown>,
  about: {
    readonly listed: ListedAccount | null;
    readonly reported: ReportedTime | null;
    readonly pace: ImportPace | null;
  },
): CheckedVerdict {
  const wrongByMs = useSession().service.wrongByMs();
  return (now) =>
    verdictOf({
      ...about,
      kind,
      timeline,
      checkedAt: checkedAt === null ? null : checkedAt - wrongByMs,
      everyMs,
      isAway: error !== null,
      now,
    });
}
