import { useSyncExternalStore } from "react";
import type { KeyWords } from "../keys/keymap.ts";
import type { Action } from "../keys/scopes.ts";
import type { Notices } from "../session/notices.ts";
import { count } from "../text/numbers.ts";
import { mostWatched } from "../watch/recording.ts";
import type { WatchSubject } from "../watch/subject.ts";
import type { Added, WatchList, WatchSnapshot } from "../watch/watch-list.ts";
import { useApp, useSession } from "./app.tsx";

/** The watch list, rendered again when something visible has changed. */
export function useWatched(): WatchSnapshot {
  const { watch } = useSession();
  return useSyncExternalStore(watch.subscribe, watch.snapshot);
}

/** What the watch key watches: one subject, or many that are found when it is pressed. */
type WatchChoice =
  | { readonly kind: "one"; readonly subject: WatchSubject }
  | {
      readonly kind: "many";
      /** Returns at most this many. */
      readonly find: (most: number) => readonly WatchSubject[];
      readonly total: number;
    };

/** The key that watches, or stops watching where all are watched. */
export function useWatchAction(choice: WatchChoice): Action {
  const { watch } = useSession();
  const { notices, key } = useApp();
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

/** Adds these to the list; those that are on it stay. */
export function watchAll(
  watch: WatchList,
  notices: Notices,
  key: KeyWords,
  subjects: readonly WatchSubject[],
): void {
  const outcome = watch.add(subjects);
  const well = outcome.left === 0 && watch.snapshot().unkept === null;
  notices.show(`${addedWords(null, outcome, key)}${savedWords(watch)}`, well ? "ok" : "waiting");
}

/** Adds them to the list, or removes them where all are on it; `more` were not found. */
function toggle(
  watch: WatchList,
  notices: Notices,
  key: KeyWords,
  subjects: readonly WatchSubject[],
  more: number,
): void {
  const [only, second] = subjects;
  const name = only && !second ? only.number : null;
  if (more === 0 && subjects.every((one) => watch.has(one))) {
    const removed = watch.remove(subjects);
    notices.show(`${name ?? count(removed)} no longer watched.${savedWords(watch)}`);
    return;
  }
  const outcome = watch.add(subjects);
  const left = outcome.left + more;
  const well = left === 0 && watch.snapshot().unkept === null;
  notices.show(
    `${addedWords(name, { ...outcome, left }, key)}${savedWords(watch)}`,
    well ? "ok" : "waiting",
  );
}

function addedWords(name: string | null, { added, known, left }: Added, key: KeyWords): string {
  const parts: string[] = [];
  if (added > 0)
    parts.push(`Watching ${name ?? `${count(added)} more`}; ${key("watch-list")} shows the list.`);
  if (known > 0) parts.push(`${count(known)} already on it.`);
  if (left > 0) parts.push(`${count(left)} left out: at most ${mostWatched} can be watched.`);
  return parts.join(" ");
}

/** Says when the list could not be saved; else empty. */
export function savedWords(watch: WatchList): string {
  const { unkept } = watch.snapshot();
  if (unkept === null) return "";
  return ` For this session only: ${unkept instanceof Error ? unkept.message : "it could not be saved"}`;
}
