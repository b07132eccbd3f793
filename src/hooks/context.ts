import {
  type Context,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import type { ReadStore } from "../session/store.ts";

interface Observed<T> {
  getSnapshot(): T;
  subscribe(listener: () => void): () => void;
}

/** Returns the value of a context. Throws if there is no provider above the component. */
export function useRequired<T>(context: Context<T | null>, provider: string): T {
  const value = useContext(context);
  if (value === null) throw new Error(`no ${provider} above`);
  return value;
}

export function useStore<T>(store: ReadStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/**
 * Returns the snapshot of a source while `active` is true. While `active` is false, because the
 * screen is covered, returns the last snapshot that was shown.
 */
export function useSnapshot<T>(source: Observed<T>, active: boolean): T {
  const shown = useRef({ source, snapshot: source.getSnapshot() });
  const snapshot = useSyncExternalStore(
    useCallback((listener) => (active ? source.subscribe(listener) : () => {}), [source, active]),
    () =>
      active || shown.current.source !== source ? source.getSnapshot() : shown.current.snapshot,
  );
  useEffect(() => {
    shown.current = { source, snapshot };
  }, [source, snapshot]);
  return snapshot;
}
