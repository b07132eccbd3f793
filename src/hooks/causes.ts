import { useEffect, useState } from "react";
import { causesOfRun } from "../bulk/run-causes.ts";
import type { RunRecord } from "../bulk/run-record.ts";
import type { ActivityFilter } from "../writes/activity.ts";
import type { Cause } from "../writes/causes.ts";
import { causesOfEntries } from "../writes/failed-entries.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { useConsole } from "./console.tsx";
import { type JournalView, versionOf } from "./journal.ts";
import { useSession } from "./session.tsx";
import { useActive } from "./window.tsx";

/** The failures that are grouped: rows of a run, or entries of the journal. */
export type CauseScope =
  | { readonly kind: "run"; readonly run: Pick<RunRecord, "id" | "kind"> }
  | { readonly kind: "entries"; readonly filter: ActivityFilter };

/** The failures of the journal, of a supplier, or of one account or supply point of a service. */
export function entriesScope(
  supplier: string | null,
  number: string | null,
  baseUrl: string,
): CauseScope {
  return {
    kind: "entries",
    filter: {
      ...(supplier === null ? {} : { importSupplier: supplier }),
      ...(number === null ? {} : { number, baseUrl }),
    },
  };
}

/** Between two looks at the journal, in milliseconds. */
const lookEveryMs = 1_000;

/**
 * The causes of failures, with all of their lines or entries as samples: read in the background
 * while the screen is on top, and again when the journal has changed. Pass the same scope as long as
 * it is the same; null reads nothing.
 */
export function useCauses(scope: CauseScope | null): JournalView<readonly Cause[]> {
  const session = useSession();
  const { clock } = useConsole();
  const active = useActive();
  const [view, setView] = useState<JournalView<readonly Cause[]>>({ kind: "opening" });
  useEffect(() => {
    if (!active || scope === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const show = (next: JournalView<readonly Cause[]>) => {
      if (!signal.aborted) setView(next);
    };
    let seen: string | null = null;
    const look = async () => {
      const writes = await session.existingWrites(signal);
      if (signal.aborted) return;
      if (writes === null) return show({ kind: "none" });
      const { journal } = writes.context;
      const version = versionOf(journal);
      if (version === seen) return;
      show({ kind: "read", value: await causesIn(journal, scope, signal) });
      seen = version;
    };
    const keepLooking = async () => {
      while (!signal.aborted) {
        await look().catch((error: unknown) => {
          seen = null;
          show({ kind: "failed", error });
        });
        await clock.sleep(lookEveryMs, signal);
      }
    };
    keepLooking().catch(() => {});
    return () => stop.abort();
  }, [session, clock, active, scope]);
  return view;
}

function causesIn(
  journal: Journal,
  scope: CauseScope,
  signal: AbortSignal,
): Promise<readonly Cause[]> {
  const wanted = { signal, most: Number.POSITIVE_INFINITY };
  switch (scope.kind) {
    case "run":
      return causesOfRun(journal, scope.run, wanted);
    case "entries":
      return causesOfEntries(journal, scope.filter, wanted);
  }
}
