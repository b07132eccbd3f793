/** Counts the open work of a service that this machine has stored, for the console. */
import type { Clock } from "../api/clock.ts";
import { whole } from "../sqlite/rows.ts";
import { countCohort } from "../triage/cohorts/cohort-history.ts";
import type { Cohort, Cohorts } from "../triage/cohorts/cohorts.ts";
import type { Observations } from "../triage/observations/observations.ts";
import type { OpenCohort } from "../triage/open/open.ts";
import { type JournalWork, noWork } from "../triage/open/work-counts.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { Writes } from "../writes/open-writes.ts";
import { createStore, type ReadStore, type Store, whileSubscribed } from "./store.ts";
import { runningIds, type Task } from "./tasks.ts";

const firstCountAfterMs = 250;
const countEveryMs = 5_000;
/** The pause after a count, as a multiple of its duration. The pause is at most `countEveryMs`. */
const pausePerCount = 20;

export type JournalOpen =
  | { readonly kind: "counting" }
  | { readonly kind: "known"; readonly work: JournalWork }
  | { readonly kind: "failed"; readonly error: unknown };

export interface StoredOpen {
  readonly journal: JournalOpen;
  /** The cohorts with their accounts on no list, or null if they cannot be read. */
  readonly cohorts: readonly OpenCohort[] | null;
}

export const countingOpen: StoredOpen = { journal: { kind: "counting" }, cohorts: [] };

export function versionOf(journal: Journal): string {
  return journal.read((rows) => {
    const others = rows.get("PRAGMA data_version");
    const own = rows.get("SELECT total_changes() AS n");
    return `${journal.connection} ${whole(others ?? {}, "data_version")} ${whole(own ?? {}, "n")}`;
  });
}

/**
 * Returns a store with the open work of a service, which is counted while the store has a
 * subscriber: soon after the progress of an entry, after the start and the end of a run, and every few
 * seconds for cohorts and other processes. Counting creates no journal.
 */
export function followOpenWork(options: {
  readonly baseUrl: string;
  readonly existingWrites: (signal: AbortSignal) => Promise<Pick<Writes, "context"> | null>;
  /** Counts the cohorts. Returns the same array if nothing has changed. */
  readonly countCohorts: (signal: AbortSignal) => Promise<readonly OpenCohort[]>;
  readonly progress: Pick<Store<unknown>, "subscribe">;
  /** The runs of the session, by ID. */
  readonly runs: ReadStore<ReadonlyMap<string, Task<unknown, unknown>>>;
  readonly clock: Clock;
}): ReadStore<StoredOpen> {
  const { baseUrl, existingWrites, countCohorts, progress, runs, clock } = options;
  const store = createStore(countingOpen);
  /** The key of the last count, or null if there is no journal. */
  let lastKey: string | null = null;
  const count = async (signal: AbortSignal): Promise<void> => {
    const before = store.get();
    const cohorts = await countCohorts(signal).catch(() => null);
    const journal = await readJournal(signal).catch((error: unknown): JournalOpen => {
      signal.throwIfAborted();
      return { kind: "failed", error };
    });
    if (signal.aborted || (cohorts === before.cohorts && journal === before.journal)) return;
    store.set({ cohorts, journal });
  };
  /** Reads the open work of the journal. Returns the same object if nothing has changed. */
  const readJournal = async (signal: AbortSignal): Promise<JournalOpen> => {
    const before = store.get().journal;
    const writes = await existingWrites(signal);
    signal.throwIfAborted();
    if (writes === null) {
      lastKey = null;
      return nothingOpen;
    }
    const { context } = writes;
    // Imported on first use, so that no frame waits for the import.
    const { journalWork } = await import("../triage/open/journal-work.ts");
    const version = versionOf(context.journal);
    const known = before.kind === "known" ? lastKey : null;
    const running = new Set(runningIds(runs.get()));
    const counted = await journalWork(context, { baseUrl, version, known, running }, signal);
    if (counted === null) return before;
    lastKey = counted.key;
    return { kind: "known", work: counted.work };
  };
  const follow = async (signal: AbortSignal, nextProgress: () => AbortSignal): Promise<void> => {
    await clock.sleep(firstCountAfterMs, signal);
    while (!signal.aborted) {
      const progressed = nextProgress();
      const startedAt = performance.now();
      await count(signal).catch(() => {});
      const tookMs = performance.now() - startedAt;
      await clock.sleep(countEveryMs, AbortSignal.any([signal, progressed])).catch(() => {});
      await clock.sleep(
        Math.min(Math.max(firstCountAfterMs, tookMs * pausePerCount), countEveryMs),
        signal,
      );
    }
  };
  return whileSubscribed(store, () => {
    const end = new AbortController();
    let progressed = new AbortController();
    let running = runningIds(runs.get()).join();
    const unsubscribes = [
      progress.subscribe(() => progressed.abort()),
      runs.subscribe(() => {
        const before = running;
        running = runningIds(runs.get()).join();
        if (running !== before) progressed.abort();
      }),
    ];
    follow(end.signal, () => {
      progressed = new AbortController();
      return progressed.signal;
    }).catch(() => {});
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      end.abort();
    };
  });
}

const nothingOpen: JournalOpen = { kind: "known", work: noWork };

interface Counted {
  readonly key: string;
  readonly open: OpenCohort;
}

/**
 * Returns a function that counts, for each cohort of the given suppliers, the accounts on no list.
 * It counts a cohort again only if its stored list or the last observation of its supplier has
 * changed. It returns the same array if no count has changed. It rejects with the signal's reason.
 */
export function createCohortCounter(options: {
  readonly cohorts: Pick<Cohorts, "list" | "read">;
  readonly observations: Observations;
  readonly now: () => number;
}) {
  const { cohorts, observations, now } = options;
  let known = new Map<string, Counted>();
  let last: readonly OpenCohort[] = [];

  const countOf = async (cohort: Cohort, signal: AbortSignal): Promise<Counted> => {
    const { name, supplier, sha256 } = cohort;
    const summary = await observations.summary(supplier, now());
    const isTrusted = summary !== null && summary.heldBack === null;
    const key = JSON.stringify([supplier, sha256, isTrusted ? summary.at : null]);
    const before = known.get(name);
    if (before?.key === key) return before;
    const ages = isTrusted ? await observations.ages(supplier, signal) : null;
    if (ages === null) return { key, open: { name, supplier, unlisted: null } };
    const { numbers } = await cohorts.read(name, supplier);
    const { imported, pending } = await countCohort(numbers, ages, signal);
    return { key, open: { name, supplier, unlisted: numbers.size - imported - pending } };
  };

  return async (suppliers: readonly string[], signal: AbortSignal) => {
    const counted = new Map<string, Counted>();
    for (const cohort of await cohorts.list()) {
      if (!suppliers.includes(cohort.supplier)) continue;
      const { name, supplier } = cohort;
      const next = await countOf(cohort, signal).catch((error: unknown): Counted => {
        signal.throwIfAborted();
        return { key: String(error), open: { name, supplier, unlisted: null } };
      });
      counted.set(name, next);
    }
    const isSame =
      counted.size === known.size &&
      [...counted].every(([name, { open }]) => known.get(name)?.open.unlisted === open.unlisted);
    known = counted;
    if (!isSame) last = [...counted.values()].map(({ open }) => open);
    return last;
  };
}
