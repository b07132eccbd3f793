import type { Clock } from "../api/clock.ts";
import { errorMessage } from "../api/errors.ts";
import { type History, noHistory, openHistoryFile } from "../settings/history-file.ts";
import { withoutPlaces } from "../state/profile-data.ts";
import type { Notices } from "./notices.ts";
import { createStore, type Store } from "./store.ts";

/** The longest list, in items. */
const most = 50;
/** The history is written when nothing was added for this long, in milliseconds. */
const quietMs = 3_000;

type Change = (history: History) => History;

/** The places, filters, files and actions that were used last; saved in the state folder. */
export interface HistoryLog {
  readonly state: Store<History>;
  addPlace(profile: string, place: string): void;
  dropPlace(profile: string, place: string): void;
  addFilter(list: string, text: string): void;
  addFile(path: string): void;
  addAction(id: string): void;
  setTour(step: number | null): void;
  /** Removes the places that were opened with a profile. */
  forgetPlaces(profile: string): void;
  /** Saves at once what was added. */
  flush(): void;
}

/** Reads the history, and saves what is added to it. */
export function createHistory(options: {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly notices: Notices;
}): HistoryLog {
  const { stateDir, clock, notices } = options;
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
  const history: HistoryLog = {
    state,
    addPlace: (profile, place) =>
      add((now) => ({ ...now, places: withFirst(now.places, profile, place) })),
    dropPlace: (profile, place) =>
      add((now) => ({ ...now, places: without(now.places, profile, place) })),
    addFilter: (list, text) => {
      if (text.trim() !== "")
        add((now) => ({ ...now, filters: withFirst(now.filters, list, text) }));
    },
    addFile: (path) => add((now) => ({ ...now, files: first(now.files, path) })),
    addAction: (id) => add((now) => ({ ...now, actions: first(now.actions, id) })),
    setTour: (tour) => add((now) => ({ ...now, tour })),
    forgetPlaces: (profile) => add((now) => withoutPlaces(now, profile)),
    flush: keep,
  };
  attempt(() => state.set(file.read()));
  return history;
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
