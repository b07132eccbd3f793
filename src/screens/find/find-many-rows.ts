/** The rows of a search for several numbers, and their figures. */
import type { Sliced } from "../../accounts/slices.ts";
import { count, plural } from "../../text/numbers.ts";
import type { FoundNumber } from "../../triage/find/found.ts";
import {
  canBeAsked,
  conclusionOf,
  errorsOf,
  isListed,
  isUnsearched,
  supplierNames,
} from "../../triage/find/found.ts";
import type { Search } from "../../triage/find/search.ts";
import type { FailedSupplier, FindRow } from "./find-rows.ts";

const numbersPerStep = 256;
const maxNamed = 3;

export interface FoundMany {
  readonly rows: readonly FindRow[];
  readonly numbers: number;
  readonly at: ReadonlyMap<string, number>;
  readonly atSeveral: number;
  readonly nowhere: number;
  readonly unsearched: number;
  readonly failed: readonly FailedSupplier[];
  readonly unlisted: number;
  readonly notAsked: readonly string[];
}

export function* foundMany(search: Search): Sliced<FoundMany> {
  const rows: FindRow[] = [];
  const at = new Map<string, number>();
  const notAsked = new Set<string>();
  let atSeveral = 0;
  const failed = new Map<string, FailedSupplier>();
  let nowhere = 0;
  let unsearched = 0;
  let unlisted = 0;
  for (const index of search.wanted.keys()) {
    const found = search.found(index);
    const conclusion = conclusionOf(found, "status");
    if (conclusion.kind === "found") {
      const { hits } = conclusion;
      for (const hit of hits) rows.push({ kind: "hit", hit, isNear: false });
      const [only, second] = hits;
      if (second !== undefined) atSeveral += 1;
      else if (only !== undefined) at.set(only.supplier, (at.get(only.supplier) ?? 0) + 1);
    } else {
      rows.push({ kind: "nowhere", found });
      if (isUnsearched(found)) unsearched += 1;
      else nowhere += 1;
    }
    for (const place of found.places) {
      const [error] = errorsOf(place);
      if (error !== undefined) failed.set(place.supplier, { supplier: place.supplier, error });
    }
    if (isUnlisted(found)) {
      unlisted += 1;
      for (const place of found.places) if (canBeAsked(place)) notAsked.add(place.supplier);
    }
    if (index % numbersPerStep === 0) yield;
  }
  const numbers = search.wanted.length;
  return {
    rows,
    numbers,
    at,
    atSeveral,
    nowhere,
    unsearched,
    failed: [...failed.values()],
    unlisted,
    notAsked: [...notAsked],
  };
}

function isUnlisted({ places }: FoundNumber): boolean {
  return places.every(({ hit }) => hit === null || !isListed(hit));
}

export function manyWords(found: FoundMany): string {
  const { numbers, at, atSeveral, nowhere, unsearched } = found;
  const bySupplier = [...at].toSorted(([, a], [, b]) => b - a);
  const others = bySupplier.slice(maxNamed);
  const rest = others.reduce((sum, [, n]) => sum + n, 0);
  const parts = [
    ...bySupplier.slice(0, maxNamed).map(([supplier, n]) => `${count(n)} at ${supplier}`),
    ...(rest === 0 ? [] : [`${count(rest)} at ${plural(others.length, "other supplier")}`]),
    ...(atSeveral === 0 ? [] : [`${count(atSeveral)} at several suppliers`]),
    ...(nowhere === 0 ? [] : [`${count(nowhere)} nowhere`]),
    ...(unsearched === 0 ? [] : [`${count(unsearched)} not known: no list searched yet`]),
  ];
  return `${plural(numbers, "pasted number")}: ${parts.join(", ")}.`;
}

export function askWords({ notAsked, unlisted }: FoundMany, ask: string): string | null {
  if (notAsked.length === 0 || unlisted === 0) return null;
  const names =
    notAsked.length > maxNamed
      ? plural(notAsked.length, "supplier")
      : supplierNames(notAsked.map((supplier) => ({ supplier })));
  return `${ask} asks ${names} for ${unlisted === 1 ? "the number" : `the ${count(unlisted)} numbers`} on no list.`;
}
