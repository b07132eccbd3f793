/** React hooks that read the watch list and define the key that watches or stops watching. */
import { useSyncExternalStore } from "react";
import type { Action } from "../keys/scopes.ts";
import { toggleWatched } from "../session/watch-subjects.ts";
import { maxWatched } from "../watch/record.ts";
import type { WatchSubject } from "../watch/timeline.ts";
import type { WatchSnapshot } from "../watch/watch-list.ts";
import { useHere, useSession } from "./app.tsx";

export function useWatched(): WatchSnapshot {
  const { watch } = useSession();
  return useSyncExternalStore(watch.subscribe, watch.snapshot);
}

type FindSubjects = (most: number) => readonly WatchSubject[];

export function useWatchAction(chosen: WatchSubject | FindSubjects): Action {
  const here = useHere();
  useWatched();
  if (typeof chosen !== "function")
    return {
      label: here.session.watch.has(chosen) ? "unwatch" : "watch",
      run: () => toggleWatched(here, [chosen]),
    };
  return {
    label: "watch marked",
    // If there is one subject above the maximum, none is added, so no further ones are needed.
    run: () => toggleWatched(here, chosen(maxWatched + 1)),
  };
}

interface Rows<Row> {
  readonly marks: { readonly count: number };
  marked(most?: number): readonly Row[];
  chosen(): readonly Row[];
}

/**
 * Returns the action that watches the marked rows of a list, or without marks the row under the
 * cursor. `subjectOf` returns null for a row that cannot be watched.
 */
export function useWatchRows<Row>(
  { marks, marked, chosen }: Rows<Row>,
  subjectOf: (row: Row) => WatchSubject | null,
): Action {
  const find: FindSubjects = (most) =>
    (marks.count > 0 ? marked(most) : chosen().slice(0, most)).flatMap(
      (row) => subjectOf(row) ?? [],
    );
  const [only, second] = find(2);
  const total = marks.count || chosen().length;
  const isOne = only !== undefined && second === undefined && total === 1;
  const action = useWatchAction(isOne ? only : find);
  return { ...action, disabled: only === undefined ? "It is not an account." : null };
}
