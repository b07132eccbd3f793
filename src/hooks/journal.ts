import { useCallback, useEffect, useRef, useState } from "react";
import type { Session } from "../session/open-session.ts";
import type { UnfinishedWork } from "../session/unfinished-work.ts";
import { whole } from "../sqlite/rows.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import type { Writes } from "../writes/open-writes.ts";
import { useConsole } from "./console.tsx";
import { useSession } from "./session.tsx";
import { useStore } from "./store.ts";
import { useActive } from "./window.tsx";

/** How often the journal is checked for changes, also by other processes, in milliseconds. */
const lookEveryMs = 1_000;

/** What was read from the journal. */
export type JournalView<T> =
  | { readonly kind: "opening" }
  /** No journal exists yet: nothing was ever sent from this machine. */
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown };

/** A view of the journal, and the way to read it again at once. */
export interface JournalRead<T> {
  readonly view: JournalView<T>;
  look(): void;
}

/** Changes when this connection or another one has committed something. */
export function versionOf(journal: Journal): string {
  return journal.read((rows) => {
    const others = rows.get("PRAGMA data_version");
    const own = rows.get("SELECT total_changes() AS n");
    return `${whole(others ?? {}, "data_version")} ${whole(own ?? {}, "n")}`;
  });
}

/**
 * Reads from the journal while the screen is on top, and again when it has changed; a journal that
 * cannot be read is retried. Pass the same `read` function as long as it reads the same.
 */
export function useJournalRead<T>(read: (writes: Writes) => T): JournalRead<T> {
  const session = useSession();
  const { clock } = useConsole();
  const active = useActive();
  const [view, setView] = useState<JournalView<T>>({ kind: "opening" });
  const [refreshCount, setRefreshCount] = useState(0);
  const seen = useRef<{ readonly read: unknown; readonly version: string } | null>(null);
  const entries = useStore(session.tasks.entries.all);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refresh, or the progress of an entry, reads again
  useEffect(() => {
    if (!active) return;
    const stop = new AbortController();
    const look = async () => {
      const writes = await session.existingWrites(stop.signal);
      if (stop.signal.aborted) return;
      if (writes === null) {
        setView({ kind: "none" });
        return;
      }
      const version = versionOf(writes.context.journal);
      if (seen.current?.read === read && seen.current.version === version) return;
      setView({ kind: "read", value: read(writes) });
      seen.current = { read, version };
    };
    const keepLooking = async () => {
      while (!stop.signal.aborted) {
        await look().catch((error: unknown) => {
          seen.current = null;
          if (!stop.signal.aborted) setView({ kind: "failed", error });
        });
        await clock.sleep(lookEveryMs, stop.signal);
      }
    };
    keepLooking().catch(() => {});
    return () => stop.abort();
  }, [session, clock, active, read, refreshCount, entries]);
  const look = useCallback(() => setRefreshCount((count) => count + 1), []);
  return { view, look };
}

/** The count waits for the first frame, in milliseconds; then it is repeated. */
const afterMs = 250;
const againMs = 5_000;

/** What there is before the first count. */
export const uncounted: UnfinishedWork = { unknown: 0, runs: 0 };

/**
 * Counts the unfinished work of a profile: soon after the progress of an entry, and every few
 * seconds for runs and other processes. It creates no journal; the Activity screen reports one that
 * cannot be opened.
 */
export function useUnfinishedWork(session: Session | null): UnfinishedWork {
  const { clock } = useConsole();
  const [work, setWork] = useState(uncounted);
  useEffect(() => {
    setWork(uncounted);
    if (session === null) return;
    const stop = new AbortController();
    let rest = new AbortController();
    const unsubscribe = session.tasks.entries.all.subscribe(() => rest.abort());
    const keepCounting = async () => {
      await clock.sleep(afterMs, stop.signal);
      const { countUnfinishedWork } = await import("../session/unfinished-work.ts");
      while (!stop.signal.aborted) {
        rest = new AbortController();
        const left = await countUnfinishedWork(session, stop.signal).catch(() => uncounted);
        if (stop.signal.aborted) return;
        setWork((before) =>
          before !== uncounted && before.unknown === left.unknown && before.runs === left.runs
            ? before
            : left,
        );
        await clock.sleep(againMs, AbortSignal.any([stop.signal, rest.signal])).catch(() => {});
        await clock.sleep(afterMs, stop.signal);
      }
    };
    keepCounting().catch(() => {});
    return () => {
      unsubscribe();
      stop.abort();
    };
  }, [session, clock]);
  return work;
}
