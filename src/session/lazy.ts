import { createStore, type Store } from "./store.ts";

/** Where a part of the program is: on disk only, being read, at hand, or not to be had. */
export type PartState<T> =
  | { readonly kind: "unread" }
  | { readonly kind: "reading" }
  | { readonly kind: "ready"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown };

/** A part of the program that is read from disk when it is first needed. */
export interface Part<T> {
  readonly state: Store<PartState<T>>;
  /** Reads it unless it is there or on its way; after a failure it tries again. Never rejects. */
  load(): Promise<void>;
}

/** A part that `read` brings; nothing is read yet. */
export function createPart<T>(read: () => Promise<T>): Part<T> {
  const state = createStore<PartState<T>>({ kind: "unread" });
  let underWay: Promise<void> | null = null;
  const bring = async () => {
    state.set({ kind: "reading" });
    try {
      state.set({ kind: "ready", value: await read() });
    } catch (error) {
      state.set({ kind: "failed", error });
    } finally {
      underWay = null;
    }
  };
  return {
    state,
    load() {
      if (state.get().kind === "ready") return Promise.resolve();
      underWay ??= bring();
      return underWay;
    },
  };
}
