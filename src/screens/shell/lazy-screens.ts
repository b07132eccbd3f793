import type { FunctionComponent } from "react";
import type { Clock } from "../../api/clock.ts";
import type { Place } from "../../session/places.ts";
import { createStore, type Store } from "../../session/store.ts";
import type { ScreenEntry, Screens } from "../registry.tsx";

/** Milliseconds before preloading starts. The first frame and the first keys have priority. */
const readAheadAfterMs = 100;
/** Keys are handled between two chunks. Milliseconds. */
const readAheadPauseMs = 20;
/** A program that works for more than this share of a pause has more urgent things to do. */
const busyShare = 0.5;
/**
 * Maximum number of consecutive pauses (ten seconds), after which preloading continues on a busy
 * loop, too.
 */
const mostPauses = 500;

/** A screen as the frame draws it: the props are the place it is shown for. */
type AnyScreen = FunctionComponent<Place>;

/** The screens of one console, each loaded when it is first needed. */
export interface LazyScreens {
  of(kind: Place["kind"]): Lazy<AnyScreen>;
  /** Returns all screens in the order of the registry. */
  all(): Iterable<Lazy<AnyScreen>>;
  needsSession(place: Place): boolean;
}

/** The screens of a registry; none is loaded yet. */
export function createLazyScreens(screens: Screens): LazyScreens {
  const all = new Map<string, Lazy<AnyScreen>>();
  for (const [kind, entry] of Object.entries(screens)) {
    // Every screen is only ever given places of its own kind.
    const { read } = entry as ScreenEntry<Place>;
    all.set(kind, createLazy(read));
  }
  return {
    of(kind) {
      const screen = all.get(kind);
      if (!screen) throw new Error(`there is no screen for ${kind}`);
      return screen;
    },
    all: () => all.values(),
    needsSession: (place) => screens[place.kind].needsSession,
  };
}

/** The share of a wait, from 0 to 1, for which the event loop had something to do. */
type BusyShareOf = (wait: () => Promise<void>) => Promise<number>;

const busyShareOf: BusyShareOf = async (wait) => {
  const before = performance.eventLoopUtilization();
  await wait();
  return performance.eventLoopUtilization(before).utilization;
};

/**
 * Loads every screen that is not loaded yet, one by one, so that no key has to wait for one later. It
 * waits while the program is busy, as with a long list that arrives. A screen that cannot be loaded is
 * tried again, and the failure shown, when it is opened. Rejects when the signal is aborted.
 */
export async function readAhead(
  screens: LazyScreens,
  clock: Clock,
  signal: AbortSignal,
  shareOf: BusyShareOf = busyShareOf,
): Promise<void> {
  const pause = async () => {
    for (let pauses = 0; pauses < mostPauses; pauses++) {
      const share = await shareOf(() => clock.sleep(readAheadPauseMs, signal));
      if (share <= busyShare) return;
    }
  };
  await clock.sleep(readAheadAfterMs, signal);
  await pause();
  const others = [
    () => import("../../session/open-session.ts"),
    () => import("../../api/connections.ts"),
  ];
  for (const read of others) {
    await read().catch(() => {});
    await pause();
  }
  for (const screen of screens.all()) {
    if (screen.state.get().kind !== "unread") continue;
    await screen.load();
    await pause();
  }
}

/** The state of loading a chunk. */
type LazyState<T> =
  | { readonly kind: "unread" }
  | { readonly kind: "reading" }
  | { readonly kind: "ready"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown };

/** A chunk of the program that is loaded from disk when it is first needed. */
interface Lazy<T> {
  readonly state: Store<LazyState<T>>;
  /** Loads it unless it is loaded or loading; after a failure it tries again. Never rejects. */
  load(): Promise<void>;
}

/** Creates a chunk that `read` loads. Nothing is loaded yet. */
function createLazy<T>(read: () => Promise<T>): Lazy<T> {
  const state = createStore<LazyState<T>>({ kind: "unread" });
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
