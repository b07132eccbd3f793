import {
  type Context,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import type { ReadStore } from "../session/store.ts";

/** A value that can be drawn and that reports its changes. */
interface Observed<T> {
  getSnapshot(): T;
  subscribe(listener: () => void): () => void;
}

/** Returns the value of a provider above. Throws if there is no provider. */
export function useRequired<T>(context: Context<T | null>, provider: string): T {
  const value = useContext(context);
  if (value === null) throw new Error(`no ${provider} above`);
  return value;
}

/** The store's value, rendered again when it changes. */
export function useStore<T>(store: ReadStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** The snapshot of a source while `active`; while its screen is covered, the last one it has shown. */
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
