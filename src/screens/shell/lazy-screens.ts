import type { FunctionComponent } from "react";
import { createPart, type Part } from "../../session/lazy.ts";
import type { Place } from "../../session/places.ts";
import type { ScreenEntry, Screens } from "../registry.tsx";

/** A screen as the frame draws it: the props are the place it is shown for. */
export type AnyScreen = FunctionComponent<Place>;

/** The screens of one console: which are read already, and which are not yet. */
export interface ScreenParts {
  of(kind: Place["kind"]): Part<AnyScreen>;
  /** All of them, in the order of the registry. */
  all(): Iterable<Part<AnyScreen>>;
  needsSession(place: Place): boolean;
}

/** The screens of a registry, none of them read yet. */
export function createScreenParts(screens: Screens): ScreenParts {
  const parts = new Map<string, Part<AnyScreen>>();
  for (const [kind, entry] of Object.entries(screens)) {
    // Every screen is only ever given places of its own kind.
    const { read } = entry as ScreenEntry<Place>;
    parts.set(kind, createPart(read));
  }
  return {
    of(kind) {
      const part = parts.get(kind);
      if (!part) throw new Error(`there is no screen for ${kind}`);
      return part;
    },
    all: () => parts.values(),
    needsSession: (place) => screens[place.kind].needsSession,
  };
}
