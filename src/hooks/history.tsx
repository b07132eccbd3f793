/** React hooks for the recently opened places and recently run actions of a profile. */
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { placeText } from "../session/place-words.ts";
import type { Place } from "../session/places.ts";
import { profileKey, recentlyUsed, type Use } from "../state/used.ts";
import { useApp, useSessionState } from "./app.tsx";
import { useStore } from "./context.ts";
import { useActive } from "./window.tsx";

export function useRecentlyUsed(list: Use["list"], owner = ""): readonly string[] {
  const uses = useStore(useApp().history.state);
  return useMemo(() => recentlyUsed(uses, list, owner), [uses, list, owner]);
}

export function useRememberPlace(place: Place | null): void {
  const { history } = useApp();
  const key = useProfileKey();
  const text = place === null ? null : placeText(place);
  // The place is added in a layout effect, because the screen removes a missing place in an effect.
  useLayoutEffect(() => {
    if (key !== null && text !== null) history.addPlace(key, text);
  }, [history, key, text]);
}

/**
 * Removes a place that does not exist, such as a mistyped code, from the history. Adds the place
 * again if it exists later.
 */
export function useForgetMissing(place: Place, missing: boolean): void {
  const { history } = useApp();
  const key = useProfileKey();
  const active = useActive();
  const text = placeText(place);
  const forgotten = useRef(false);
  useEffect(() => {
    if (!active || key === null || text === null) return;
    if (missing) history.dropPlace(key, text);
    else if (forgotten.current) history.addPlace(key, text);
    forgotten.current = missing;
  }, [history, key, text, active, missing]);
}

export function useRecentPlaces(): readonly string[] {
  return useRecentlyUsed("place", useProfileKey() ?? "");
}

/**
 * Returns the key of the profile in the history, or null without a session. The key includes the
 * address of the service, because a number has no meaning at another service. All embedded
 * sandboxes count as one service.
 */
function useProfileKey(): string | null {
  const state = useSessionState();
  if (state.kind !== "open") return null;
  const { profile, baseUrl } = state.session;
  return profileKey(profile.name, profile.baseUrl === null ? "embedded" : baseUrl);
}
