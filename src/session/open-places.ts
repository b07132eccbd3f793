/** Finds the places that show what needs someone, by kind and in the order of their gravity. */

import { type Need, type NeedKind, needSum } from "../triage/open/needs.ts";
import { needWords } from "../triage/open/open.ts";
import type { Navigation } from "./navigation.ts";
import { isSamePlace } from "./place-words.ts";
import type { Place } from "./places.ts";

const placeOfKind: Readonly<Record<NeedKind, (need: Need) => Place>> = {
  unknown: (need) => entriesOf(need, "unknown"),
  "team-unknown": (need) => entriesOf(need, "unknown"),
  "watched-failed": () => ({ kind: "watch" }),
  "watched-unchecked": () => ({ kind: "watch" }),
  gone: ({ supplier }) =>
    supplier === null ? { kind: "suppliers" } : { kind: "accounts", supplier, tab: "gone" },
  unlisted: ({ supplier, name }) =>
    supplier === null || name === null
      ? { kind: "cohorts" }
      : { kind: "cohort", supplier, cohort: name },
  "held-back": ({ supplier }) =>
    supplier === null ? { kind: "suppliers" } : { kind: "overview", supplier },
  rejected: (need) => entriesOf(need, "rejected"),
  "rejected-rows": ({ name }) =>
    name === null ? { kind: "runs" } : { kind: "run", id: name, tab: "rejected" },
  runs: ({ name }) => (name === null ? { kind: "runs" } : { kind: "run", id: name }),
  retryable: (need) => entriesOf(need, "retryable"),
  "team-retryable": (need) => entriesOf(need, "retryable"),
  unsent: (need) => entriesOf(need, "all"),
};

function entriesOf({ supplier }: Need, tab: "all" | "unknown" | "rejected" | "retryable"): Place {
  return { kind: "activity", supplier, account: null, tab };
}

export function placeOfNeed(need: Need): Place {
  return placeOfKind[need.kind](need);
}

function isSameView(one: Place, other: Place): boolean {
  return isSamePlace(one, other) && tabOf(one) === tabOf(other);
}

export function tabOf(place: Place): string | null {
  if (place.kind === "activity") return place.tab ?? "all";
  return "tab" in place ? (place.tab ?? null) : null;
}

export interface NextNeed {
  readonly place: Place;
  readonly replacesTop: boolean;
  readonly words: string;
}

/**
 * Returns the need after the one that the open places (outermost first) show, or the first one.
 * After the last, the first follows. Returns null if nothing needs someone.
 */
export function nextNeed(needs: readonly Need[], places: readonly Place[]): NextNeed | null {
  const indexOf = (place: Place) => needs.findIndex((need) => isSameView(placeOfNeed(need), place));
  const shown = places.map(indexOf).findLast((index) => index >= 0) ?? -1;
  const top = places.at(-1);
  const replacesTop = places.length > 1 && top !== undefined && indexOf(top) >= 0;
  const need = nextOf(needs, shown);
  if (need === undefined) return null;
  const place = placeOfNeed(need);
  const isShown = (other: Need) => isSameView(placeOfNeed(other), place);
  const here = needs.filter(isShown);
  const others = needSum(needs.filter((other) => !isShown(other)));
  const what = here.map(({ words }) => words).join(", ");
  const left = others.count === 0 ? "Nothing else needs you." : `${needWords(others, " more")}.`;
  return { place, replacesTop, words: `${what}. ${left}` };
}

function nextOf(needs: readonly Need[], shown: number): Need | undefined {
  const before = needs[shown];
  if (before === undefined) return needs[0];
  const place = placeOfNeed(before);
  const later = [...needs.slice(shown + 1), ...needs];
  return later.find((need) => !isSameView(placeOfNeed(need), place)) ?? before;
}

export function openNextNeed(
  navigation: Pick<Navigation, "back" | "push" | "replace">,
  { place, replacesTop }: NextNeed,
): void {
  if (replacesTop) navigation.back();
  navigation.push(place);
}
