/** Finds the subjects to watch in places, typed text and rows, opens them, and watches them. */
import type { RunRow } from "../bulk/run-record.ts";
import { count } from "../text/numbers.ts";
import { maxWatched } from "../watch/record.ts";
import type { WatchSubject } from "../watch/timeline.ts";
import type { Added, WatchList } from "../watch/watch-list.ts";
import type { App, Here } from "./app.ts";
import { parsePlace } from "./place-words.ts";
import type { Place } from "./places.ts";

/** Returns the subject to watch at a place, or null if there is none. */
export function subjectOf(place: Place | null): WatchSubject | null {
  if (place?.kind === "account")
    return { kind: "account", supplier: place.supplier, number: place.account };
  if (place?.kind === "supply-point")
    return { kind: "supply-point", supplier: place.supplier, number: place.identifier };
  return null;
}

/** Opens a watched subject. For a cohort, opens the supplier's list with its accounts. */
export function openSubject(
  { app, session }: Here,
  { kind, supplier, number }: WatchSubject,
): void {
  if (kind === "cohort") session.list(supplier, "all").setFilter(`cohort:${number}`);
  app.navigation.push(
    kind === "account"
      ? { kind, supplier, account: number }
      : kind === "supply-point"
        ? { kind, supplier, identifier: number }
        : { kind: "accounts", supplier, tab: "all" },
  );
}

export function subjectName({ kind, supplier, number }: WatchSubject): string {
  return kind === "cohort" ? `cohort ${number} of ${supplier}` : number;
}

/**
 * Reads the subjects to watch from one line that is typed or pasted, such as `ACME/EXT-1, sp
 * ACME/SP-1`. Returns null if the line has another format. A number can contain spaces, commas and
 * slashes, so the next subject begins only at one of the `suppliers` or at the supplier of the
 * first subject.
 */
export function subjectsIn(
  text: string,
  suppliers: readonly string[],
): readonly WatchSubject[] | null {
  const first = subjectOf(parsePlace(text));
  if (first === null) return null;
  const known = new Set([...suppliers, first.supplier]);
  const subjects: WatchSubject[] = [];
  let from = 0;
  const addSubject = (to: number) => {
    const subject = subjectOf(parsePlace(text.slice(from, to)));
    if (subject !== null) subjects.push(subject);
    return subject !== null;
  };
  for (const { 0: gap, 1: supplier = "", index } of text.matchAll(
    /[\s,;]+(?=(?:sp\s+)?([^\s/,;]+)\/)/gu,
  )) {
    const isAfterKind = /(?:^|[\s,;])sp$/u.test(text.slice(from, index));
    if (!known.has(supplier) || isAfterKind) continue;
    if (!addSubject(index)) return null;
    from = index + gap.length;
  }
  return addSubject(text.length) ? subjects : null;
}

export function accountOf(row: RunRow): WatchSubject | null {
  const { importSupplier: supplier, externalAccountNumber: number } = row;
  return number === null ? null : { kind: "account", supplier, number };
}

export function watchAll(
  { app, session: { watch } }: Here,
  subjects: readonly WatchSubject[],
): void {
  const added = watch.add(subjects);
  const isComplete = added.beyond === 0 && watch.snapshot().saveProblem === null;
  const words = addedWords(soleName(subjects), added, app);
  app.notices.show(`${words}${savedWords(watch)}`, isComplete ? "ok" : "waiting");
}

export function toggleWatched(here: Here, subjects: readonly WatchSubject[]): void {
  const { watch } = here.session;
  if (!subjects.every((subject) => watch.has(subject))) {
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

/** Returns a sentence if the list could not be saved, or an empty text if it was saved. */
export function savedWords(watch: WatchList): string {
  const { saveProblem } = watch.snapshot();
  if (saveProblem === null) return "";
  return ` For this session only: ${saveProblem instanceof Error ? saveProblem.message : "it could not be saved"}`;
}
