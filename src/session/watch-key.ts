import { count } from "../text/numbers.ts";
import { mostWatched } from "../watch/recording.ts";
import type { WatchSubject } from "../watch/subject.ts";
import type { Added, WatchList } from "../watch/watch-list.ts";
import type { App, Here } from "./app.ts";

/** Adds these to the watch list; those that are on it stay. `more` were not found. */
export function watchAll(
  { app, session: { watch } }: Here,
  subjects: readonly WatchSubject[],
  more = 0,
): void {
  const [only, second] = subjects;
  const { left, ...added } = watch.add(subjects);
  const outcome = { ...added, left: left + more };
  const name = only && !second ? only.number : null;
  const well = outcome.left === 0 && watch.snapshot().unkept === null;
  const words = addedWords(name, outcome, app);
  app.notices.show(`${words}${savedWords(watch)}`, well ? "ok" : "waiting");
}

/** Adds them to the watch list, or removes them if all are on it; `more` were not found. */
export function toggleWatched(here: Here, subjects: readonly WatchSubject[], more: number): void {
  const { watch } = here.session;
  const [only, second] = subjects;
  if (more > 0 || !subjects.every((one) => watch.has(one))) {
    watchAll(here, subjects, more);
    return;
  }
  const removed = watch.remove(subjects);
  const name = only && !second ? only.number : count(removed);
  here.app.notices.show(`${name} no longer watched.${savedWords(watch)}`);
}

function addedWords(name: string | null, { added, known, left }: Added, { key }: App): string {
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
