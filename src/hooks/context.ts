import { type Context, useContext, useSyncExternalStore } from "react";
import type { Store } from "../session/store.ts";

/** What a provider above holds. Throws when it is missing. */
export function useRequired<T>(context: Context<T | null>, provider: string): T {
  const value = useContext(context);
  if (value === null) throw new Error(`no ${provider} above`);
  return value;
}

/** The store's value, rendered again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
