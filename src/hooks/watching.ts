import { useSyncExternalStore } from "react";
import type { Action } from "../keys/scopes.ts";
import { toggleWatched } from "../session/watch-key.ts";
import { maxWatched } from "../watch/record.ts";
import type { WatchSubject } from "../watch/subject.ts";
import type { WatchSnapshot } from "../watch/watch-list.ts";
import { useHere, useSession } from "./app.tsx";

/** The watch list, rendered again when something visible has changed. */
export function useWatched(): WatchSnapshot {
  const { watch } = useSession();
  return useSyncExternalStore(watch.subscribe, watch.snapshot);
}

/** Finds at most this many subjects, when the key is pressed. */
type FindSubjects = (most: number) => readonly WatchSubject[];

/** Returns the action of the watch key. It stops watching if all subjects are watched. */
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
    // One more than can be watched is refused as well as all.
    run: () => toggleWatched(here, chosen(maxWatched + 1)),
  };
}

/** Rows of a list, as far as the key of the marked ones needs them. */
interface Rows<Row> {
  readonly marks: { readonly count: number };
  marked(most?: number): readonly Row[];
  chosen(): readonly Row[];
}

/**
 * Returns the action that watches the marked rows of a list, or the row under the cursor without
 * marks. `subjectOf` returns null for a row that cannot be watched.
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
