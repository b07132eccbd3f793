import type { FunctionComponent } from "react";
import type { Clock } from "../../api/clock.ts";
import { createPart, type Part } from "../../session/lazy.ts";
import type { Place } from "../../session/places.ts";
import type { ScreenEntry, Screens } from "../registry.tsx";

/** The first frame, and the keys typed at once, come first. Milliseconds. */
const readAheadAfterMs = 100;
/** Keys are handled between two chunks. Milliseconds. */
const readAheadPauseMs = 20;

/** A screen as the frame draws it: the props are the place it is shown for. */
export type AnyScreen = FunctionComponent<Place>;

/** The screens of one console: which are loaded already, and which are not yet. */
export interface LazyScreens {
  of(kind: Place["kind"]): Part<AnyScreen>;
  /** All of them, in the order of the registry. */
  all(): Iterable<Part<AnyScreen>>;
  needsSession(place: Place): boolean;
}

/** The screens of a registry, none of them loaded yet. */
export function createLazyScreens(registry: Screens): LazyScreens {
  const lazy = new Map<string, Part<AnyScreen>>();
  for (const [kind, entry] of Object.entries(registry)) {
    // Every screen is only ever given places of its own kind.
    const { read } = entry as ScreenEntry<Place>;
    lazy.set(kind, createPart(read));
  }
  return {
    of(kind) {
      const screen = lazy.get(kind);
      if (!screen) throw new Error(`there is no screen for ${kind}`);
      return screen;
    },
    all: () => lazy.values(),
    needsSession: (place) => registry[place.kind].needsSession,
  };
}

/**
 * Loads every screen that is not loaded yet, one by one, so that no key has to wait for one later. A
 * screen that cannot be loaded is tried again, and the failure shown, when it is opened. Rejects when
 * the signal is aborted.
 */
export async function readAhead(
  screens: LazyScreens,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(readAheadAfterMs, signal);
  const others = [
    () => import("../../session/open-session.ts"),
    () => import("../../api/connections.ts"),
  ];
  for (const read of others) {
    await read().catch(() => {});
    await clock.sleep(readAheadPauseMs, signal);
  }
  for (const screen of screens.all()) {
    if (screen.state.get().kind !== "unread") continue;
    await screen.load();
    await clock.sleep(readAheadPauseMs, signal);
  }
}
