/** Searches for an account number at all suppliers of the profile. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { Session } from "../session/open-session.ts";
import { type Denial, type FindProgress, find } from "../triage/find/find.ts";
import type { FoundNumber } from "../triage/find/found.ts";
import { useApp, useOpenSession, useSuppliers } from "./app.tsx";
import { useSnapshot } from "./context.ts";
import { useActive } from "./window.tsx";

export interface FindView {
  /** The results so far, or null if there is no search or no result yet. */
  readonly found: FoundNumber | null;
  readonly progress: FindProgress | null;
}

const emptyView: FindView = { found: null, progress: null };

const noLoads = { getSnapshot: () => 0, subscribe: () => () => {} };

/**
 * Returns the sources of a search, which another `turn` reads again, and a number that changes with
 * each load of a list. A search that sends requests is not repeated after each load.
 */
export function useFindSources(
  session: Session | null,
  { isAsking, turn }: { readonly isAsking: boolean; readonly turn: number },
) {
  const suppliers = useSuppliers();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn reads everything again
  const sources = useMemo(
    () => session?.finder.sources(suppliers, isAsking) ?? null,
    [session, suppliers, isAsking, turn],
  );
  const loads = useSnapshot((isAsking ? null : session?.finder.loads) ?? noLoads, useActive());
  return { sources, loads };
}

/**
 * Searches for a number, or a part of one, while it is typed. Searches for nothing if the text is
 * null. With `isAsking`, the search also sends requests to the service. A change of `turn` repeats
 * the search. `denied` is a 404 that was already received for the number.
 */
export function useFind(
  text: string | null,
  options: {
    readonly isAsking?: boolean;
    readonly turn?: number;
    readonly denied?: Denial | undefined;
  } = {},
): FindView {
  const { isAsking = false, turn = 0, denied } = options;
  const { clock } = useApp();
  const session = useOpenSession();
  const { sources, loads } = useFindSources(session, { isAsking, turn });
  const [view, setView] = useState<FindView>(emptyView);
  const shown = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an ended load is searched too
  useEffect(() => {
    if (text === null || sources === null || session === null) return;
    const { wrongByMs } = session.service;
    const stop = new AbortController();
    const { signal } = stop;
    const now = () => clock.now() - wrongByMs();
    const search = async () => {
      const onProgress: Parameters<typeof find>[2]["onProgress"] = (search, progress) => {
        // If the same text is searched again, its results stay until the new search has ended.
        if (signal.aborted || (shown.current === text && !isAsking)) return;
        shown.current = null;
        setView({ found: search.found(0), progress });
      };
      const search = await find([text], sources, { signal, now, onProgress, denied });
      if (signal.aborted) return;
      shown.current = text;
      setView({ found: search.found(0), progress: null });
    };
    // Only the signal ends the search early. A source that fails is part of the result.
    search().catch(() => {});
    return () => stop.abort();
  }, [text, sources, session, isAsking, clock, loads, denied]);
  return view.found?.wanted === text ? view : emptyView;
}
