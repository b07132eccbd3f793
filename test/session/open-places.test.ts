import { type NextNeed, nextNeed, placeOfNeed } from "../../src/session/open-places.ts";
import type { Place } from "../../src/session/places.ts";
import { needsOf } from "../../src/triage/open/needs.ts";
import { needCount, type OpenSources, openOf, openParts } from "../../src/triage/open/open.ts";

const gone = (supplier: string, count: number) => ({
  supplier,
  gone: { count, atLeast: false },
  isHeldBack: false,
  hasFailed: false,
});
const sources: OpenSources = {
  work: {
    entries: new Map([
      ["NORTH", { unknown: 2, rejected: 1, retryable: 0, unsent: 0 }],
      ["ACME", { unknown: 5, rejected: 0, retryable: 1, unsent: 3 }],
    ]),
    rejectedRows: [{ run: "rxsuhj", profile: "ad-hoc", supplier: "ACME", rows: 22 }],
    runs: [{ id: "r8x2ab" } as never],
  },
  watched: [
    { finality: "ended", state: null },
    { finality: "open", state: null, trouble: new Error("no answer") },
  ],
  lists: [gone("ACME", 2), gone("NORTH", 4), { ...gone("SOUTH", 0), isHeldBack: true }],
  cohorts: [{ name: "wave-3", supplier: "ACME", unlisted: 11 }],
};
const needs = needsOf(sources);
const board: Place = { kind: "suppliers" };

/** Presses the key until it is back at its first place. */
function walk(): readonly { readonly place: Place; readonly words: string }[] {
  const steps: NextNeed[] = [];
  let places: readonly Place[] = [board];
  for (;;) {
    const next = nextNeed(needs, places);
    if (next === null) return steps;
    if (steps.some(({ place }) => JSON.stringify(place) === JSON.stringify(next.place)))
      return steps;
    steps.push(next);
    places = [...(next.replacesTop ? places.slice(0, -1) : places), next.place];
    expect(places.length).toBe(2);
  }
}

describe("the next thing that needs someone", () => {
  test("is each place once, from the most serious on, and then the first again", () => {
    const shown = walk().map(({ place }) => place);
    expect(shown.slice(0, 4)).toEqual([
      { kind: "activity", supplier: "ACME", account: null, tab: "unknown" },
      { kind: "activity", supplier: "NORTH", account: null, tab: "unknown" },
      { kind: "watch" },
      { kind: "accounts", supplier: "NORTH", tab: "gone" },
    ]);
    const all = needs.map((need) => JSON.stringify(placeOfNeed(need)));
    expect(shown.map((place) => JSON.stringify(place))).toEqual([...new Set(all)]);
  });

  test("names how many others need someone", () => {
    const total = needCount(openParts(openOf(sources))).count;
    const [first] = walk();
    expect(first?.words).toContain("5 entries unknown at ACME");
    expect(first?.words).toContain(`${total - 5} more need you`);
  });

  test("continues from the list below an account that was opened from it", () => {
    const list: Place = { kind: "accounts", supplier: "NORTH", tab: "gone" };
    const account: Place = { kind: "account", supplier: "NORTH", account: "N-1" };
    const next = nextNeed(needs, [board, list, account]);
    expect(next).toMatchObject({
      place: { kind: "accounts", supplier: "ACME", tab: "gone" },
      replacesTop: false,
    });
  });

  test("is the only one again if nothing else needs someone", () => {
    const one = needsOf({
      ...sources,
      work: null,
      watched: [],
      cohorts: [],
      lists: [gone("A", 1)],
    });
    const place: Place = { kind: "accounts", supplier: "A", tab: "gone" };
    expect(nextNeed(one, [board, place])).toMatchObject({ place });
    expect(nextNeed(one, [board, place])?.words).toContain("Nothing else");
    expect(nextNeed([], [board])).toBeNull();
  });
});
