/** Adds accounts, supply points and cohorts to the watch list or removes them, with a notice. */
import { count } from "../text/numbers.ts";
import { maxWatched } from "../watch/record.ts";
import type { WatchSubject } from "../watch/subject.ts";
import type { Added, WatchList } from "../watch/watch-list.ts";
import type { App, Here } from "./app.ts";
import { subjectName } from "./watch-subjects.ts";

/** Adds subjects to the watch list. Subjects that are already on it stay. */
export function watchAll(
  { app, session: { watch } }: Here,
  subjects: readonly WatchSubject[],
): void {
  const added = watch.add(subjects);
  const well = added.beyond === 0 && watch.snapshot().saveProblem === null;
  const words = addedWords(soleName(subjects), added, app);
  app.notices.show(`${words}${savedWords(watch)}`, well ? "ok" : "waiting");
}

/** Adds subjects to the watch list, or removes them if all are on it. */
export function toggleWatched(here: Here, subjects: readonly WatchSubject[]): void {
  const { watch } = here.session;
  if (!subjects.every((one) => watch.has(one))) {
    watchAll(here, subjects);
    return;
  }
  const removed = watch.remove(subjects);
  const name = soleName(subjects) ?? count(removed);
  here.app.notices.show(`${name} no longer watched.${savedWords(watch)}`);
}

function soleName([only, second]: readonly WatchSubject[]): string | null {
  return only && !second ? subjectName(only) : null;
}

function addedWords(name: string | null, { added, known, beyond }: Added, { key }: App): string {
  if (beyond > 0)
    return `None was added: at most ${maxWatched} can be watched one by one. A cohort has no such limit; ${key("cohorts")} adds one.`;
  const parts: string[] = [];
  if (added > 0)
    parts.push(`Watching ${name ?? `${count(added)} more`}; ${key("watch-list")} shows the list.`);
  if (known > 0) parts.push(`${count(known)} already on it.`);
  return parts.join(" ");
}

/**
 * Returns a sentence that reports that the list could not be saved, or an empty text if it was
 * saved.
 */
export function savedWords(watch: WatchList): string {
  const { saveProblem } = watch.snapshot();
  if (saveProblem === null) return "";
  return ` For this session only: ${saveProblem instanceof Error ? saveProblem.message : "it could not be saved"}`;
}
