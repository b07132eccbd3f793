/** Counts the open work of a service that this machine has stored, for the console. */
import type { Clock } from "../api/clock.ts";
import { whole } from "../sqlite/rows.ts";
import type { OpenCohort } from "../triage/open/open.ts";
import { type JournalWork, noWork } from "../triage/open/work-counts.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { Writes } from "../writes/open-writes.ts";
import { createStore, type Store } from "./store.ts";

/**
 * Milliseconds before the first count, so that the first frame comes first. `againMs` is the time
 * between counts.
 */
const afterMs = 250;
const againMs = 5_000;
/** The pause after a count, as a multiple of its duration. It is at most `againMs`. */
const restPerCount = 20;

/** The open work of the journal, as far as it is known. */
export type JournalOpen =
  | { readonly kind: "counting" }
  | { readonly kind: "known"; readonly work: JournalWork }
  /** The journal cannot be read. */
  | { readonly kind: "failed"; readonly error: unknown };

/** The open work that this machine has stored. */
export interface StoredOpen {
  readonly journal: JournalOpen;
  /** The cohorts with their accounts on no list, or null if they cannot be read. */
  readonly cohorts: readonly OpenCohort[] | null;
}

export const countingOpen: StoredOpen = { journal: { kind: "counting" }, cohorts: [] };

/** Returns a text that changes when this connection or another one commits a change. */
export function versionOf(journal: Journal): string {
  return journal.read((rows) => {
    const others = rows.get("PRAGMA data_version");
    const own = rows.get("SELECT total_changes() AS n");
    return `${whole(others ?? {}, "data_version")} ${whole(own ?? {}, "n")}`;
  });
}

/**
 * Counts the open work of a service while the store has a subscriber: soon after the progress of an
 * entry, and every few seconds for runs, cohorts and other processes. It creates no journal.
 */
export function followOpenWork(options: {
  readonly baseUrl: string;
  readonly existingWrites: (signal: AbortSignal) => Promise<Writes | null>;
  /** Counts the cohorts. Returns the same array if nothing has changed. */
  readonly countCohorts: (signal: AbortSignal) => Promise<readonly OpenCohort[]>;
  /** A store that changes with the progress of an entry. */
  readonly progress: Pick<Store<unknown>, "subscribe">;
  readonly clock: Clock;
}): Pick<Store<StoredOpen>, "get" | "subscribe"> {
  const { baseUrl, existingWrites, countCohorts, progress, clock } = options;
  const store = createStore(countingOpen);
  let seen: string | null = null;
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
      seen = null;
      return none;
    }
    const { context } = writes;
    // Imported only here, so that no frame waits for it.
    const { journalWork } = await import("../triage/open/journal-work.ts");
    const version = versionOf(context.journal);
    const known = before.kind === "known" ? seen : null;
    const found = await journalWork(context, { baseUrl, version, known }, signal);
    if (found === null) return before;
    seen = found.key;
    return { kind: "known", work: found.work };
  };
  const follow = async (signal: AbortSignal, rested: () => AbortSignal): Promise<void> => {
    await clock.sleep(afterMs, signal);
    while (!signal.aborted) {
      const rest = rested();
      const startedAt = performance.now();
      await count(signal).catch(() => {});
      const tookMs = performance.now() - startedAt;
      await clock.sleep(againMs, AbortSignal.any([signal, rest])).catch(() => {});
      await clock.sleep(Math.min(Math.max(afterMs, tookMs * restPerCount), againMs), signal);
    }
  };
  let subscribers = 0;
  let stop = () => {};
  const start = () => {
    const end = new AbortController();
    let rest = new AbortController();
    const unsubscribe = progress.subscribe(() => rest.abort());
    follow(end.signal, () => {
      rest = new AbortController();
      return rest.signal;
    }).catch(() => {});
    stop = () => {
      unsubscribe();
      end.abort();
    };
  };
  return {
    get: store.get,
    subscribe(listener) {
      const unsubscribe = store.subscribe(listener);
      subscribers += 1;
      if (subscribers === 1) start();
      return () => {
        unsubscribe();
        subscribers -= 1;
        if (subscribers === 0) stop();
      };
    },
  };
}

const none: JournalOpen = { kind: "known", work: noWork };
