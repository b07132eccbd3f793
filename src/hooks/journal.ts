import { useCallback, useEffect, useRef, useState } from "react";
import { writesIfAny } from "../session/unfinished-work.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { whole } from "../writes/journal/rows.ts";
import type { Writes } from "../writes/open-writes.ts";
import { useConsole } from "./console.tsx";
import { useSession } from "./session.tsx";
import { useStore } from "./store.ts";
import { useActive } from "./window.tsx";

/** Looking at a journal costs little, and other processes write to it too. Milliseconds. */
const lookEveryMs = 1_000;

/** What could be read from the journal. */
export type JournalView<T> =
  | { readonly kind: "opening" }
  /** No journal has been made yet: nothing was ever sent from this machine. */
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown };

/** A view of the journal, and the way to look again at once. */
export interface JournalRead<T> {
  readonly view: JournalView<T>;
  look(): void;
}

/** Changes whenever this connection or another one has committed something. */
function versionOf(journal: Journal): string {
  return journal.read((rows) => {
    const others = rows.get("PRAGMA data_version");
    const own = rows.get("SELECT total_changes() AS n");
    return `${whole(others ?? {}, "data_version")} ${whole(own ?? {}, "n")}`;
  });
}

/**
 * Reads from the journal while the screen is on top, and again when the journal has changed; a
 * journal that cannot be read is tried again all the while. `read` must be the same function as long
 * as it reads the same.
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
      const writes = await writesIfAny(session, stop.signal);
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
