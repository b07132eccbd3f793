/** The views that members read of a ledger in memory, computed from its entries. */
import { type ActivityOutcome, outcomeOf } from "../../../src/writes/activity.ts";
import type { State, TookEffect } from "../../../src/writes/journal/entry.ts";
import type { ListedEntry } from "../../../src/writes/team/ledger.ts";
import type {
  Author,
  DoneFilter,
  DoneOfPerson,
  OpenOfPerson,
  TeamRun,
} from "../../../src/writes/team/ledger-views.ts";

/** An entry of another folder. */
export interface SeenEntry extends ListedEntry {
  readonly runRequests: number | null;
  readonly items: readonly { readonly state: State | null }[];
}

/** Puts entries that are equal by a key into one group each, with the first entry apart. */
function groupsOf<T>(entries: readonly T[], keyOf: (entry: T) => unknown) {
  const groups = Map.groupBy(entries, (entry) => JSON.stringify(keyOf(entry)));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ first, group }];
  });
}

export function runsOf(entries: readonly SeenEntry[]): readonly TeamRun[] {
  const ofRuns = entries.filter(({ run }) => run !== null);
  return groupsOf(ofRuns, ({ run, journal }) => [run, journal])
    .map(({ first, group }): TeamRun => {
      const { journal, profile, operation } = first;
      const counts = Object.fromEntries(
        [...Map.groupBy(group, seenOutcome)].map(([one, all]) => [one, all.length]),
      );
      const times = group.map(({ at }) => at);
      return {
        ...authorOf(first),
        ...{ journal, run: first.run ?? "", profile, operation, counts },
        requests: group.at(-1)?.runRequests ?? null,
        firstAt: Math.min(...times),
        lastAt: Math.max(...times),
      };
    })
    .toSorted((one, other) => other.lastAt - one.lastAt);
}

export function openWorkOf(entries: readonly SeenEntry[]): readonly OpenOfPerson[] {
  const open = entries.filter((one) => ["unknown", "retryable"].includes(seenOutcome(one)));
  return groupsOf(open, (one) => [authorOf(one), one.importSupplier]).map(({ first, group }) => {
    const count = (outcome: ActivityOutcome) =>
      group.filter((one) => seenOutcome(one) === outcome).length;
    return {
      ...authorOf(first),
      importSupplier: first.importSupplier ?? "",
      unknown: count("unknown"),
      retryable: count("retryable"),
    };
  });
}

export function doneOf(entries: readonly SeenEntry[], filter: DoneFilter): readonly DoneOfPerson[] {
  const rows = entries
    .filter(
      (entry) =>
        (filter.importSupplier ?? entry.importSupplier) === entry.importSupplier &&
        (filter.run ?? entry.run) === entry.run &&
        (filter.profile ?? entry.profile) === entry.profile &&
        entry.at >= (filter.since ?? entry.at) &&
        entry.at < (filter.before ?? Number.POSITIVE_INFINITY) &&
        !entry.isRemoved,
    )
    .flatMap((entry) => entry.items.map(({ state }) => ({ entry, state })));
  return groupsOf(rows, factsOf).map(({ first, group }) => ({
    ...factsOf(first),
    entries: new Set(group.map(({ entry }) => entry.id)).size,
    rows: group.length,
  }));
}

function factsOf({ entry, state }: { readonly entry: SeenEntry; readonly state: State | null }) {
  const tookEffect: TookEffect = state === "confirmed" ? "yes" : state === null ? "no" : "unknown";
  const { operation, importSupplier } = entry;
  const outcome = itemOutcome(entry, state);
  return {
    ...authorOf(entry),
    ...{ operation, importSupplier: importSupplier ?? "", outcome, tookEffect },
  };
}

function itemOutcome(entry: SeenEntry, state: State | null): ActivityOutcome {
  if (entry.state === "closed") return "closed";
  if (state === "confirmed") return "confirmed";
  return entry.state === "confirmed" ? "rejected" : seenOutcome(entry);
}

/** Returns the outcome of an entry as colleagues see it. */
function seenOutcome({ state, isLeaseOver }: SeenEntry): ActivityOutcome {
  return state === "sending" && isLeaseOver ? "unknown" : outcomeOf(state);
}

function authorOf({ person, machine, login }: Author): Author {
  return { person, machine, login };
}
