/** Reads and saves the places, filters, files and actions that the user used last. */
import type { Clock } from "../api/clock.ts";
import { errorMessage } from "../api/errors.ts";
import type { Rows } from "../sqlite/rows.ts";
import type { State } from "../state/state.ts";
import {
  belongsToProfile,
  dropPlaces,
  dropUse,
  readUses,
  storeUse,
  type Use,
  withoutUse,
} from "../state/used.ts";
import type { Notices } from "./notices.ts";
import { createStore } from "./store.ts";

const quietMs = 3_000;

/**
 * Reads the history from the state file, and saves changes in it. After a first error the history
 * is in memory only.
 */
export function createHistory(options: {
  readonly state: State;
  readonly clock: Clock;
  readonly notices: Notices;
}) {
  const { state: file, clock, notices } = options;
  const state = createStore<readonly Use[]>([]);
  let unsaved: ((rows: Rows) => void)[] = [];
  let stop: AbortController | null = null;
  let isUsable = true;
  const attempt = (access: () => void) => {
    if (!isUsable) return;
    try {
      access();
    } catch (error) {
      isUsable = false;
      // Another notice already reports that the state file cannot be used.
      if (error === file.problem) return;
      notices.announce(`The history is not saved: ${errorMessage(error)}`, "waiting");
    }
  };
  const save = () => {
    stop?.abort();
    if (unsaved.length === 0) return;
    const changes = unsaved;
    unsaved = [];
    attempt(() =>
      file.commit((rows) => {
        for (const change of changes) change(rows);
      }),
    );
  };
  const changeTo = (next: readonly Use[], store: (rows: Rows) => void) => {
    state.set(next);
    unsaved.push(store);
    stop?.abort();
    stop = new AbortController();
    clock.sleep(quietMs, stop.signal).then(save, () => {});
  };
  const add = (use: Use) =>
    changeTo([use, ...withoutUse(state.get(), use)], (rows) => storeUse(rows, use));
  const drop = (use: Use) => changeTo(withoutUse(state.get(), use), (rows) => dropUse(rows, use));
  attempt(() => state.set(readUses(file)));
  return {
    state,
    /** Adds a place of a profile at a service. `owner` is their `profileKey`. */
    addPlace: (owner: string, value: string) => add({ list: "place", owner, value }),
    dropPlace: (owner: string, value: string) => drop({ list: "place", owner, value }),
    addFilter: (owner: string, value: string) => {
      if (value.trim() !== "") add({ list: "filter", owner, value });
    },
    addFile: (value: string) => add({ list: "file", owner: "", value }),
    addAction: (value: string) => add({ list: "action", owner: "", value }),
    /** Saves the step at which the tour resumes, from 0. */
    setTour: (step: number) => add({ list: "tour", owner: "", value: String(step) }),
    forgetPlaces(profile: string) {
      const isOther = ({ list, owner }: Use) =>
        list !== "place" || !belongsToProfile(owner, profile);
      changeTo(state.get().filter(isOther), (rows) => void dropPlaces(rows, profile));
    },
    flush: save,
  };
}

export type HistoryLog = ReturnType<typeof createHistory>;
