import { useSyncExternalStore } from "react";
import type { KeyWords } from "../keys/keymap.ts";
import type { Action } from "../keys/scopes.ts";
import { count } from "../text/numbers.ts";
import { mostWatched } from "../watch/recording.ts";
import type { WatchSubject } from "../watch/subject.ts";
import type { Added, WatchList, WatchSnapshot } from "../watch/watch-list.ts";
import { useKeyWords } from "./keys.tsx";
import { useNotices } from "./notices.tsx";
import { useSession } from "./session.tsx";

/** What is watched now, rendered again when something worth drawing has changed. */
export function useWatched(): WatchSnapshot {
  const { watch } = useSession();
  return useSyncExternalStore(watch.subscribe, watch.snapshot);
}

/** What the watch key is about: one subject, or many that are found when it is pressed. */
type WatchChoice =
  | { readonly kind: "one"; readonly subject: WatchSubject }
  | {
      readonly kind: "many";
      /** No more than could be of use are asked for. */
      readonly find: (most: number) => readonly WatchSubject[];
      readonly total: number;
    };

/** The key that watches, and ends watching where all of them are watched already. */
export function useWatchAction(choice: WatchChoice): Action {
  const { watch } = useSession();
  const notices = useNotices();
  const key = useKeyWords();
  useWatched();
  if (choice.kind === "one") {
    const { subject } = choice;
    return {
      label: watch.has(subject) ? "unwatch" : "watch",
      run: () => toggle(watch, notices, key, [subject], 0),
    };
  }
  return {
    label: "watch marked",
    run: () => {
      const subjects = choice.find(mostWatched * 2);
      toggle(watch, notices, key, subjects, choice.total - subjects.length);
    },
  };
}

/** Puts these on the list; those that are on it already stay. */
export function watchAll(
  watch: WatchList,
  notices: ReturnType<typeof useNotices>,
  key: KeyWords,
  subjects: readonly WatchSubject[],
): void {
  const outcome = watch.add(subjects);
  const well = outcome.left === 0 && watch.snapshot().unkept === null;
  notices.show(`${addedWords(null, outcome, key)}${keptWords(watch)}`, well ? "ok" : "waiting");
}

/** Puts them on the list, or takes them off where all of them are on it; `more` were not named. */
function toggle(
  watch: WatchList,
  notices: ReturnType<typeof useNotices>,
  key: KeyWords,
  subjects: readonly WatchSubject[],
  more: number,
): void {
  const [only, second] = subjects;
  const name = only && !second ? only.number : null;
  if (more === 0 && subjects.every((one) => watch.has(one))) {
    const gone = watch.remove(subjects);
    notices.show(`${name ?? count(gone)} not watched any more.${keptWords(watch)}`);
    return;
  }
  const outcome = watch.add(subjects);
  const left = outcome.left + more;
  const well = left === 0 && watch.snapshot().unkept === null;
  notices.show(
    `${addedWords(name, { ...outcome, left }, key)}${keptWords(watch)}`,
    well ? "ok" : "waiting",
  );
}

function addedWords(name: string | null, { added, known, left }: Added, key: KeyWords): string {
  const parts: string[] = [];
  if (added > 0)
    parts.push(`Watching ${name ?? `${count(added)} more`}; ${key("watch-list")} shows the list.`);
  if (known > 0) parts.push(`${count(known)} on it already.`);
  if (left > 0) parts.push(`${count(left)} left out: at most ${mostWatched} can be watched.`);
  return parts.join(" ");
}

/** Says so when the list will not be the same the next time. */
export function keptWords(watch: WatchList): string {
  const { unkept } = watch.snapshot();
  if (unkept === null) return "";
  return ` For this session only: ${unkept instanceof Error ? unkept.message : "it could not be kept"}`;
}
