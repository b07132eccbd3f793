/** A value with subscribers, for code with and without React. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

export type ReadStore<T> = Pick<Store<T>, "get" | "subscribe">;

/** Creates a store. It calls its listeners only if the new value is not the same (`Object.is`). */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Returns a store for reading that calls `start` for its first subscriber, and the returned function
 * after the last has left.
 */
export function whileSubscribed<T>(store: Store<T>, start: () => () => void): ReadStore<T> {
  let subscribers = 0;
  let stop = () => {};
  return {
    get: store.get,
    subscribe(listener) {
      const unsubscribe = store.subscribe(listener);
      subscribers += 1;
      if (subscribers === 1) stop = start();
      return () => {
        unsubscribe();
        subscribers -= 1;
        if (subscribers === 0) stop();
      };
    },
  };
}
