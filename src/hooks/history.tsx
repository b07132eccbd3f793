import { createContext, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { errorMessage } from "../api/errors.ts";
import { type Place, placeText } from "../session/places.ts";
import { createStore, type Store } from "../session/store.ts";
import { type History, noHistory, openHistoryFile } from "../settings/history-file.ts";
import { withoutPlaces } from "../settings/profile-data.ts";
import { profileKey } from "../settings/profile-key.ts";
import { useApp, useSessionState } from "./app.tsx";
import { useRequired, useStore } from "./context.ts";
import { useActive } from "./window.tsx";

/** The longest list, in items. */
const most = 50;
/** The history is written when nothing was added for this long, in milliseconds. */
const quietMs = 3_000;

type Change = (history: History) => History;

/** The places, filters and actions that were used last; saved in the state folder. */
interface HistoryLog {
  readonly state: Store<History>;
  addPlace(profile: string, place: string): void;
  dropPlace(profile: string, place: string): void;
  addFilter(list: string, text: string): void;
  addAction(id: string): void;
  setTour(step: number | null): void;
  /** Removes the places that were opened with a profile. */
  forgetPlaces(profile: string): void;
}

const HistoryContext = createContext<HistoryLog | null>(null);

/** Reads the history, and saves what is added to it. */
export function HistoryProvider(props: { readonly children: ReactNode }) {
  const { stateDir, clock, notices } = useApp();
  const { history, flush } = useMemo(() => {
    const file = openHistoryFile(stateDir);
    const state = createStore<History>(noHistory);
    let unkept: Change[] = [];
    let stop: AbortController | null = null;
    let works = true;
    const attempt = (act: () => void) => {
      if (!works) return;
      try {
        act();
      } catch (error) {
        works = false;
        const why = errorMessage(error);
        notices.announce(`The history is not saved: ${why}`, "waiting");
      }
    };
    const keep = () => {
      stop?.abort();
      if (unkept.length === 0) return;
      const changes = unkept;
      unkept = [];
      attempt(() => file.change((kept) => changes.reduce((now, change) => change(now), kept)));
    };
    const add = (change: Change) => {
      state.set(change(state.get()));
      unkept.push(change);
      stop?.abort();
      stop = new AbortController();
      clock.sleep(quietMs, stop.signal).then(keep, () => {});
    };
    const kept: HistoryLog = {
      state,
      addPlace: (profile, place) =>
        add((now) => ({ ...now, places: withFirst(now.places, profile, place) })),
      dropPlace: (profile, place) =>
        add((now) => ({ ...now, places: without(now.places, profile, place) })),
      addFilter: (list, text) => {
        if (text.trim() !== "")
          add((now) => ({ ...now, filters: withFirst(now.filters, list, text) }));
      },
      addAction: (id) => add((now) => ({ ...now, actions: first(now.actions, id) })),
      setTour: (tour) => add((now) => ({ ...now, tour })),
      forgetPlaces: (profile) => add((now) => withoutPlaces(now, profile)),
    };
    attempt(() => state.set(file.read()));
    return { history: kept, flush: keep };
  }, [stateDir, clock, notices]);
  useEffect(() => flush, [flush]);
  return <HistoryContext value={history}>{props.children}</HistoryContext>;
}

function withFirst(
  lists: History["places"],
  key: string,
  entry: string,
): Readonly<Record<string, readonly string[]>> {
  return { ...lists, [key]: first(lists[key] ?? [], entry) };
}

function without(
  lists: History["places"],
  key: string,
  entry: string,
): Readonly<Record<string, readonly string[]>> {
  return { ...lists, [key]: (lists[key] ?? []).filter((other) => other !== entry) };
}

function first(list: readonly string[], entry: string): readonly string[] {
  return [entry, ...list.filter((other) => other !== entry)].slice(0, most);
}

/** The history, and the ways to add to it. */
export function useHistory(): HistoryLog {
  return useRequired(HistoryContext, "HistoryProvider");
}

/** The history now, rendered again when it changes. */
export function useHistoryNow(): History {
  return useStore(useHistory().state);
}

/** Remembers each place that is opened, for its profile. */
export function useRememberPlace(place: Place | null): void {
  const history = useHistory();
  const key = useProfileKey();
  const text = place === null ? null : placeText(place);
  // A layout effect runs before a screen below reports, in an effect, that its place is missing.
  useLayoutEffect(() => {
    if (key !== null && text !== null) history.addPlace(key, text);
  }, [history, key, text]);
}

/** Forgets a place that is missing, such as a mistyped code, and remembers it when it exists. */
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

/** The last places of the open profile, as the palette takes them, newest first. */
export function useRecentPlaces(): readonly string[] {
  const key = useProfileKey();
  const { places } = useHistoryNow();
  return key === null ? [] : (places[key] ?? []);
}

/** A number means nothing at another service; all embedded sandboxes count as one service. */
function useProfileKey(): string | null {
  const state = useSessionState();
  if (state.kind !== "open") return null;
  const { profile, baseUrl } = state.session;
  return profileKey(profile.name, profile.baseUrl === null ? "embedded" : baseUrl);
}
