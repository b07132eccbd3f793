/** Splits the open work into parts that one screen shows, in the order of their gravity. */
import { count } from "../../text/numbers.ts";
import type { GoneCount } from "../figures/gone.ts";
import {
  goneSum,
  type KnownKind,
  type Open,
  type OpenSources,
  openOf,
  openParts,
  openTones,
} from "./open.ts";
import { isAmong } from "./work-counts.ts";

/** A kind of open work that needs someone. Accounts that are only watched need no one. */
export type NeedKind = Exclude<KnownKind, "watched">;

export interface Need {
  readonly kind: NeedKind;
  readonly count: GoneCount;
  /** The supplier, or null for the watch list and for a run. */
  readonly supplier: string | null;
  /** The cohort, the run or the colleague, or null if the work belongs to none of them. */
  readonly name: string | null;
  readonly words: string;
}

interface Part {
  readonly open: Open;
  readonly supplier: string | null;
  readonly name: string | null;
  readonly where: string;
}

const nothing: Open = {
  entries: null,
  rejectedRows: null,
  runs: null,
  watched: null,
  lists: [],
  cohorts: null,
};

/**
 * Returns everything that needs someone, most serious first. Within a kind, the largest number
 * comes first. The counts add up to `needCount` of the same sources.
 */
export function needsOf(sources: OpenSources): readonly Need[] {
  const gravity = Object.keys(openTones);
  return partsOf(sources)
    .flatMap(({ open, supplier, name, where }) =>
      openParts(open).flatMap(({ kind, count, words }): readonly Need[] =>
        isNeed(kind) ? [{ kind, count, supplier, name, words: words + where }] : [],
      ),
    )
    .sort(
      (one, other) =>
        gravity.indexOf(one.kind) - gravity.indexOf(other.kind) ||
        other.count.count - one.count.count,
    );
}

function isNeed(kind: KnownKind): kind is NeedKind {
  return kind !== "watched";
}

function partsOf(sources: OpenSources): Part[] {
  const { work, watched, lists, cohorts, team = [], suppliers = null } = sources;
  const isIncluded = (supplier: string) => isAmong(suppliers, supplier);
  const entries = [...(work?.entries ?? [])].filter(([supplier]) => isIncluded(supplier));
  const rows = (work?.rejectedRows ?? []).filter(({ supplier }) => isIncluded(supplier));
  return [
    ...entries.map(([supplier, counts]) => ({
      open: { ...nothing, entries: counts },
      supplier,
      name: null,
      where: ` at ${supplier}`,
    })),
    ...team
      .filter(({ importSupplier }) => isIncluded(importSupplier))
      .map((one) => ({
        open: { ...nothing, team: [one] },
        supplier: one.importSupplier,
        name: one.person,
        where: ` at ${one.importSupplier}`,
      })),
    ...rows.map(({ run, supplier, rows: rejectedRows }) => ({
      open: { ...nothing, rejectedRows },
      supplier,
      name: run,
      where: ` of run ${run}`,
    })),
    ...(work?.runs ?? []).map(({ id }) => ({
      open: { ...nothing, runs: 1 },
      supplier: null,
      name: id,
      where: `: ${id}`,
    })),
    {
      open: openOf({ work: null, watched, lists: [], cohorts: null }),
      supplier: null,
      name: null,
      where: "",
    },
    ...lists.map((list) => ({
      open: { ...nothing, lists: [list] },
      supplier: list.supplier,
      name: null,
      where: "",
    })),
    ...(cohorts ?? []).map((cohort) => ({
      open: { ...nothing, cohorts: [cohort] },
      supplier: cohort.supplier,
      name: cohort.name,
      where: "",
    })),
  ];
}

export function needSum(needs: readonly Need[]): GoneCount {
  return goneSum(needs.map(({ count }) => count));
}

export function amountWords({ count: n, atLeast }: GoneCount): string {
  return `${atLeast ? "≥ " : ""}${count(n)}`;
}
