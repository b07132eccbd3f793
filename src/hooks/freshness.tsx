import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { createStore, type Store } from "../session/store.ts";
import { useStore } from "./store.ts";
import { useActive } from "./window.tsx";

/** The age of what the screen on top shows, and when the header reports it as stale. */
interface Freshness {
  /** When the answer on the screen arrived, in epoch milliseconds. */
  readonly at: number;
  readonly staleAfterMs: number;
}

const FreshnessContext = createContext<Store<Freshness | null> | null>(null);

/** Holds the freshness of the screen on top. */
export function FreshnessProvider(props: { readonly children: ReactNode }) {
  const store = useMemo(() => createStore<Freshness | null>(null), []);
  return <FreshnessContext value={store}>{props.children}</FreshnessContext>;
}

function useFreshnessStore(): Store<Freshness | null> {
  const store = useContext(FreshnessContext);
  if (!store) throw new Error("freshness needs a FreshnessProvider above it");
  return store;
}

/** Reports the age of this screen's rows to the header; null when there are none yet. */
export function useFreshness(at: number | null, staleAfterMs: number): void {
  const store = useFreshnessStore();
  const active = useActive();
  useEffect(() => {
    if (!active) return;
    store.set(at === null ? null : { at, staleAfterMs });
    return () => store.set(null);
  }, [store, active, at, staleAfterMs]);
}

/** The freshness of the screen on top. */
export function useShownFreshness(): Freshness | null {
  return useStore(useFreshnessStore());
}
