/** Loads the list of accounts of a supplier while its screen is on top, and reloads it. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { AccountListStore } from "../accounts/account-list.ts";
import type { AccountListSnapshot } from "../accounts/account-list-snapshot.ts";
import { isServiceError } from "../api/errors.ts";
import type { AccountTab } from "../session/places.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { reloadMs } from "../watch/pace.ts";
import { useApp, useSession } from "./app.tsx";
import { useSnapshot } from "./context.ts";
import { useCancellable } from "./in-flight.tsx";
import { useActive, useFreshness } from "./window.tsx";

export interface AccountListFeed {
  readonly store: AccountListStore;
  readonly snapshot: AccountListSnapshot;
  readonly paused: boolean;
  /** The milliseconds between the end of a load and the next one. */
  readonly everyMs: number;
  /** True if the supplier does not exist or has nothing to list (404). */
  readonly missing: boolean;
  togglePause(): void;
  refresh(): void;
}

/**
 * Loads one list of a supplier (INTERFACE 4.9–4.11). Rows are shown while others still load. Gone
 * accounts are on no list of the service, so their tab loads the list of all accounts, which the
 * session compares with the observations.
 */
export function useAccountList(supplier: string, tab: AccountTab): AccountListFeed {
  const session = useSession();
  const { clock } = useApp();
  const active = useActive();
  const store = session.list(supplier, tab === "gone" ? "all" : tab);
  const snapshot = useSnapshot(store, active);
  const shown = session.list(supplier, tab);
  const rows = useSnapshot(shown, active);
  const [paused, setPaused] = useState(false);
  const [refreshCount, setRefreshCount] = useState(0);
  const startedRefreshes = useRef(0);
  const everyMs = reloadAfter(snapshot);
  const loading = snapshot.load.kind === "loading";
  const cancel = useCallback(() => {
    store.cancelLoad();
    setPaused(true);
  }, [store]);
  useCancellable(active && loading, cancel);
  useFreshness(snapshot.loadedAt, everyMs * 3);
  // A load continues while its screen is paused or covered, and is canceled when the screen closes.
  const life = useRef<AbortController | null>(null);
  useEffect(() => {
    const mounted = new AbortController();
    life.current = mounted;
    return () => mounted.abort();
  }, []);
  useEffect(() => {
    const mounted = life.current?.signal;
    if (!active || !mounted) return;
    return runUntilCleanup(async (signal) => {
      let isRequested = refreshCount !== startedRefreshes.current;
      startedRefreshes.current = refreshCount;
      while (!signal.aborted) {
        const dueMs = dueIn(store.getSnapshot(), clock.now());
        if (!isRequested && paused) return;
        if (!isRequested && dueMs > 0) await clock.sleep(dueMs, signal);
        else await session.loadList(supplier, tab, mounted);
        isRequested = false;
      }
    });
  }, [session, store, supplier, tab, clock, active, paused, refreshCount]);
  const { load, loadedAt } = snapshot;
  return {
    store: shown,
    snapshot: useMemo(
      () => (tab === "gone" ? { ...rows, load, loadedAt } : rows),
      [tab, rows, load, loadedAt],
    ),
    paused,
    everyMs,
    missing: snapshot.load.kind === "failed" && isServiceError(snapshot.load.error, "not-found"),
    togglePause: () => setPaused((before) => !before),
    refresh: () => setRefreshCount((count) => count + 1),
  };
}

function reloadAfter({ load }: AccountListSnapshot): number {
  return reloadMs(load.kind === "loaded" ? load.tookMs : 0);
}

function dueIn(snapshot: AccountListSnapshot, now: number): number {
  const { load } = snapshot;
  if (load.kind !== "loaded" && load.kind !== "failed") return 0;
  return load.at + reloadAfter(snapshot) - now;
}
