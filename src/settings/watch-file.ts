import { isRecord } from "../json/exact.ts";
import { type JsonFileContent, jsonFile } from "./json-file.ts";
import { belongsToProfile, profileKey } from "./profile-key.ts";

/** A watched subject and its observations. Times are epoch milliseconds. */
export interface StoredWatchState {
  readonly kind: "account" | "supply-point" | "cohort";
  readonly supplier: string;
  readonly number: string;
  readonly addedAt: number;
  readonly timeline: readonly {
    readonly state: string;
    readonly firstSeenAt: number;
    readonly lastSeenAt: number;
  }[];
}

/** The watch list of one profile at one service. */
interface WatchFile {
  readonly path: string;
  /** Throws a settings error `exposed` and `corrupt`. */
  read(): readonly StoredWatchState[];
  /**
   * Replaces the current list by the result of `patch`, and returns that. Writes nothing if `patch`
   * returns its argument. Throws the errors of `read`, and `unwritable`. The file is then
   * unchanged.
   */
  change(
    patch: (kept: readonly StoredWatchState[]) => readonly StoredWatchState[],
  ): readonly StoredWatchState[];
}

/**
 * Opens the watch lists in `watch.json` in the state folder, which only its owner can read. A
 * profile has a separate list for each service, because a number has no meaning at another one.
 * Entries that cannot be read are left out, and stay in the file.
 */
export function openWatchFile(options: {
  readonly stateDir: string;
  readonly profile: string;
  /** Distinguishes the services that one profile might have had. */
  readonly service: string;
}): WatchFile {
  const file = jsonFile(options.stateDir, "watch");
  const key = profileKey(options.profile, options.service);
  const listIn = (kept: JsonFileContent): readonly unknown[] => {
    const { lists } = kept;
    const list = isRecord(lists) ? lists[key] : undefined;
    return Array.isArray(list) ? list : [];
  };
  return {
    path: file.path,
    read: () => readable(listIn(file.read())),
    change(patch) {
      let after: readonly StoredWatchState[] = [];
      file.change((kept) => {
        const all = listIn(kept);
        const before = readable(all);
        after = patch(before);
        if (after === before) return kept;
        const others = all.filter((one) => !isKeptWatched(one));
        const lists = isRecord(kept.lists) ? kept.lists : {};
        const { [key]: _, ...rest } = lists;
        const list = [...after, ...others];
        return { ...kept, lists: list.length === 0 ? rest : { ...rest, [key]: list } };
      });
      return after;
    },
  };
}

/**
 * Deletes the watch lists of a profile at all services, and returns the number of watched subjects.
 * Throws the errors of reading, and `unwritable`.
 */
export function dropWatchLists(stateDir: string, profile: string): number {
  const file = jsonFile(stateDir, "watch");
  const mine = ({ lists }: JsonFileContent) =>
    Object.entries(isRecord(lists) ? lists : {}).filter(([key]) => belongsToProfile(key, profile));
  const found = mine(file.read());
  if (found.length === 0) return 0;
  file.change((kept) => {
    const gone = new Set(mine(kept).map(([key]) => key));
    const lists = isRecord(kept.lists) ? kept.lists : {};
    const left = Object.entries(lists).filter(([key]) => !gone.has(key));
    return { ...kept, lists: Object.fromEntries(left) };
  });
  return found.reduce((sum, [, list]) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

function readable(list: readonly unknown[]): readonly StoredWatchState[] {
  return list.filter(isKeptWatched);
}

// By hand: the list is read before the first frame, and a schema would bring its whole library along.
function isKeptWatched(value: unknown): value is StoredWatchState {
  return (
    isRecord(value) &&
    (value.kind === "account" || value.kind === "supply-point" || value.kind === "cohort") &&
    isName(value.supplier) &&
    isName(value.number) &&
    // 1e999 would be null when it is written again.
    Number.isFinite(value.addedAt) &&
    Array.isArray(value.timeline) &&
    value.timeline.every(
      (seen) =>
        isRecord(seen) &&
        typeof seen.state === "string" &&
        Number.isFinite(seen.firstSeenAt) &&
        Number.isFinite(seen.lastSeenAt),
    )
  );
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
