import { useSyncExternalStore } from "react";
import type { Store } from "../session/store.ts";

/** The store's value, rendered again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
