import { useEffect, useLayoutEffect, useRef } from "react";
import { type Place, placeText } from "../session/places.ts";
import { profileKey } from "../settings/profile-key.ts";
import { useActive } from "./active.tsx";
import { useHistory, useHistoryNow } from "./history.tsx";
import { useSessionState } from "./session.tsx";

/** Remembers each place that is opened, for the profile it was opened with. */
export function useRememberPlace(place: Place | null): void {
  const history = useHistory();
  const key = useProfileKey();
  const text = place === null ? null : placeText(place);
  // Before what is below it says, in an effect, that there is no such place.
  useLayoutEffect(() => {
    if (key !== null && text !== null) history.addPlace(key, text);
  }, [history, key, text]);
}

/** Forgets a place that turns out to be missing (a code mistyped), and remembers it once it is there. */
export function useForgetMissing(place: Place, missing: boolean): void {
  const history = useHistory();
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

/** The places opened lately with the open profile, as the palette takes them, newest first. */
export function useRecentPlaces(): readonly string[] {
  const key = useProfileKey();
  const { places } = useHistoryNow();
  return key === null ? [] : (places[key] ?? []);
}

/** A number means nothing at another service; every embedded sandbox is the same one. */
function useProfileKey(): string | null {
  const state = useSessionState();
  if (state.kind !== "open") return null;
  const { profile, baseUrl } = state.session;
  return profileKey(profile.name, profile.baseUrl === null ? "embedded" : baseUrl);
}
