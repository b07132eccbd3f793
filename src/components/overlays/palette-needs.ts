/** Creates the palette entries for the counts of the open work, for a search and for profiles. */

import { pendingLongerThan } from "../../accounts/filter-words.ts";
import { placeOfNeed } from "../../session/open-places.ts";
import { isSamePlace } from "../../session/place-words.ts";
import { type Place, supplierOf } from "../../session/places.ts";
import { count } from "../../text/numbers.ts";
import type { GoneCount } from "../../triage/figures/gone.ts";
import { amountWords, type Need, type NeedKind, needSum } from "../../triage/open/needs.ts";
import { type PaletteEntry, type PaletteKnown, placeEntry } from "./palette-places.ts";

const placeNames = {
  unknown: "unknown",
  "team-unknown": "unknown",
  "watched-failed": "watching",
  "watched-unchecked": "watching",
  gone: "gone",
  unlisted: "unlisted",
  "held-back": "held back",
  rejected: "rejected",
  "rejected-rows": "rejected",
  runs: "stopped",
  retryable: "retryable",
  "team-retryable": "retryable",
  unsent: "unsent",
} as const satisfies Readonly<Record<NeedKind, string>>;

export type CountedPlace = (typeof placeNames)[NeedKind] | "stuck";

const countedPlaces: readonly CountedPlace[] = [
  ...new Set<CountedPlace>(["gone", "stuck", ...Object.values(placeNames)]),
];

export function countEntries(known: PaletteKnown): readonly PaletteEntry[] {
  const supplier = known.here === null ? null : supplierOf(known.here);
  const at = supplier === null ? "" : ` at ${supplier}`;
  const counted = (kinds: readonly NeedKind[]) =>
    known.needs.filter(
      (need) => kinds.includes(need.kind) && (supplier === null || need.supplier === supplier),
    );
  const entries = (outcome: "unknown" | "rejected" | "retryable", remark: string) =>
    namedEntry(
      known,
      outcome,
      { kind: "activity", supplier, account: null, tab: outcome },
      remark === "" ? `No entry is ${outcome}${at}` : remark + at,
    );
  const sumWords = (kinds: readonly NeedKind[], words: string) => {
    const sum = needSum(counted(kinds));
    return sum.count === 0 ? "" : `${amountWords(sum)} ${words}`;
  };
  const rejected = [
    sumWords(["rejected"], "rejected"),
    sumWords(["rejected-rows"], "rows rejected"),
  ];
  const entryOf: Readonly<Record<CountedPlace, () => PaletteEntry>> = {
    gone: () => goneEntry(known, supplier, counted(["gone"])),
    stuck: () => stuckEntry(known, supplier),
    unknown: () => entries("unknown", sumWords(["unknown", "team-unknown"], "unknown")),
    rejected: () => entries("rejected", rejected.filter((words) => words !== "").join(", ")),
    retryable: () => entries("retryable", sumWords(["retryable", "team-retryable"], "retryable")),
    unsent: () =>
      needEntry(known, "unsent", counted(["unsent"]), {
        title: "Unsent entries of which supplier?",
        remark: "Entries that were not sent",
        none: `No entry is unsent${at}.`,
      }),
    unlisted: () =>
      needEntry(known, "unlisted", counted(["unlisted"]), {
        title: "Accounts on no list of which cohort?",
        remark: "Accounts of cohorts that are on no list",
        none: `No account of a cohort is known to be on no list${at}.`,
      }),
    "held back": () =>
      needEntry(known, "held back", counted(["held-back"]), {
        title: "Which list that is held back?",
        remark: "Lists that are not recorded before you confirm them",
        none: `No list is held back${at}.`,
      }),
    stopped: () =>
      needEntry(
        known,
        "stopped",
        known.needs.filter(({ kind }) => kind === "runs"),
        {
          title: "Which stopped run?",
          remark: "Runs that have stopped with rows left",
          none: "No run has stopped with rows left.",
        },
      ),
    watching: () => namedEntry(known, "watching", { kind: "watch" }, "The watch list"),
  };
  return countedPlaces.map((name) => entryOf[name]());
}

function needEntry(
  known: PaletteKnown,
  name: CountedPlace,
  counted: readonly Need[],
  words: { readonly title: string; readonly remark: string; readonly none: string },
): PaletteEntry {
  const choices = counted
    .map((need) => ({
      place: placeOfNeed(need),
      label: need.name ?? need.supplier ?? name,
      hint: need.words,
    }))
    .filter(({ place }, at, all) => all.findIndex((one) => isSamePlace(one.place, place)) === at);
  const [first, another] = choices;
  return first !== undefined && another === undefined
    ? namedEntry(known, name, first.place, counted.map((need) => need.words).join(", "))
    : askingEntry(known, { ...words, name, choices });
}

function namedEntry(
  known: PaletteKnown,
  name: CountedPlace,
  place: Place,
  remark: string,
): PaletteEntry {
  return placeEntry(known, place, name, remark);
}

function goneWords(sum: GoneCount, supplier: string): string {
  return sum.count === 0
    ? `Gone accounts of ${supplier}`
    : `${amountWords(sum)} gone at ${supplier}`;
}

function goneEntry(
  known: PaletteKnown,
  here: string | null,
  counted: readonly Need[],
): PaletteEntry {
  const [first, another] = counted;
  const supplier = here ?? (another === undefined ? (first?.supplier ?? null) : null);
  if (supplier !== null) {
    const place: Place = { kind: "accounts", supplier, tab: "gone" };
    return namedEntry(known, "gone", place, goneWords(needSum(counted), supplier));
  }
  const listed = counted.map(({ supplier: code }) => code);
  const others = known.suppliers.filter((code) => !listed.includes(code));
  return askingEntry(known, {
    name: "gone",
    title: "Gone accounts of which supplier?",
    remark:
      counted.length === 0
        ? "Gone accounts of a supplier"
        : `${amountWords(needSum(counted))} gone at ${count(counted.length)} suppliers`,
    none: "Add a supplier first.",
    choices: [
      ...counted.map((need) => ({
        place: placeOfNeed(need),
        label: need.supplier ?? "",
        hint: need.words,
      })),
      ...others.map((code) => ({
        place: { kind: "accounts", supplier: code, tab: "gone" } as const,
        label: code,
        hint: "",
      })),
    ],
  });
}

function stuckEntry(known: PaletteKnown, here: string | null): PaletteEntry {
  const judged = known.stuck.filter(({ supplier }) => here === null || supplier === here);
  const choices = judged
    .filter(({ count: n }) => n > 0)
    .toSorted((one, other) => other.count - one.count)
    .map(({ supplier, count: n, stuckMs }) => ({
      place: {
        kind: "accounts",
        supplier,
        tab: "pending",
        filter: pendingLongerThan(stuckMs),
      } as const,
      label: supplier,
      hint: `${count(n)} stuck at ${supplier}`,
    }));
  const [first, another] = choices;
  if (first !== undefined && another === undefined)
    return namedEntry(known, "stuck", first.place, first.hint);
  const at = here === null ? "" : ` at ${here}`;
  return askingEntry(known, {
    name: "stuck",
    title: "Stuck accounts of which supplier?",
    remark: "Accounts that are pending for much longer than others",
    none:
      judged.length === 0
        ? `The usual time until an import is not known${at} yet.`
        : `No account is stuck${at === "" ? " as far as is known" : at}.`,
    choices,
  });
}

function askingEntry(
  known: PaletteKnown,
  asked: {
    readonly name: CountedPlace;
    readonly title: string;
    readonly remark: string;
    readonly none: string;
    readonly choices: readonly {
      readonly place: Place;
      readonly label: string;
      readonly hint: string;
    }[];
  },
): PaletteEntry {
  const { name, title, remark, none, choices } = asked;
  return {
    id: `place ${name}`,
    label: name,
    remark,
    names: [name],
    action: null,
    disabled: choices.length === 0 ? none : null,
    run: () =>
      known.choose(
        title,
        choices.map(({ place, label, hint }) => ({ label, hint, run: () => known.go(place) })),
      ),
  };
}

export function findEntry(known: PaletteKnown): PaletteEntry {
  return {
    id: "place find",
    label: "find",
    remark: "Search a number, or a part of it, at every supplier",
    names: ["find"],
    action: null,
    disabled: known.suppliers.length === 0 ? "Add a supplier first." : null,
    run: known.askNumber,
  };
}

export function spelledSearch(wanted: string, known: PaletteKnown): readonly PaletteEntry[] {
  const text = /^find\s+(.+)$/u.exec(wanted)?.[1];
  return text === undefined
    ? []
    : [placeEntry(known, { kind: "find", text }, `find ${text}`, "every supplier of this profile")];
}

export function profileEntries(known: PaletteKnown): readonly PaletteEntry[] {
  return known.profiles.map(({ name, environment, isOpen, open }) => ({
    id: `profile ${name}`,
    label: `profile ${name}`,
    remark: isOpen ? `${environment}: this profile is open` : `${environment}: opens it`,
    names: [`profile ${name}`, name],
    action: null,
    disabled: null,
    run: open,
  }));
}
