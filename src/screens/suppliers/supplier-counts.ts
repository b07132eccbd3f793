import { useCallback, useEffect, useRef, useState } from "react";
import { readAccountList } from "../../accounts/ingest/read-list.ts";
import { isServiceError } from "../../api/errors.ts";
import type { ListState, Service } from "../../api/service.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useCancellable } from "../../hooks/in-flight.tsx";
import { useSession } from "../../hooks/session.tsx";
import { useActive } from "../../hooks/window.tsx";

/** How many rows a list has, as far as is known. */
export type Count =
  | { readonly kind: "waiting" }
  | { readonly kind: "counting"; readonly rows: number }
  | { readonly kind: "counted"; readonly rows: number }
  | { readonly kind: "failed"; readonly error: unknown };

/** Pending and imported accounts of one supplier (INTERFACE 4.10, 4.11). */
export interface SupplierCounts {
  readonly pending: Count;
  readonly imported: Count;
  /** Epoch milliseconds when both had been counted. */
  readonly at: number | null;
}

const waiting: SupplierCounts = {
  pending: { kind: "waiting" },
  imported: { kind: "waiting" },
  at: null,
};

export interface CountsFeed {
  of(supplier: string): SupplierCounts;
  readonly running: boolean;
  refresh(): void;
}

/** While a list is counted, progress is reported every this many rows. */
const reportEvery = 20_000;

/** Counts every supplier's rows one after another, behind the screen, while it is on top. */
export function useSupplierCounts(suppliers: readonly string[]): CountsFeed {
  const { service, report } = useSession();
  const { clock } = useConsole();
  const active = useActive();
  const [counts, setCounts] = useState<ReadonlyMap<string, SupplierCounts>>(new Map());
  const [refreshCount, setRefreshCount] = useState(0);
  const [running, setRunning] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const done = useRef(new Set<string>());
  const key = JSON.stringify(suppliers);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refresh counts again
  useEffect(() => {
    if (!active) return;
    const mine = new AbortController();
    stop.current = mine;
    const put = (supplier: string, patch: Partial<SupplierCounts>) => {
      if (mine.signal.aborted) return;
      setCounts((before) =>
        new Map(before).set(supplier, { ...(before.get(supplier) ?? waiting), ...patch }),
      );
    };
    const run = async () => {
      setRunning(true);
      for (const supplier of JSON.parse(key) as string[]) {
        if (mine.signal.aborted || done.current.has(supplier)) continue;
        const ended = await Promise.all(
          (["pending", "imported"] as const).map(async (state) => {
            const count = await countRows(service, supplier, state, mine.signal, (rows) =>
              put(supplier, { [state]: { kind: "counting", rows } }),
            );
            report(count.kind === "failed" ? count.error : null);
            return count;
          }),
        );
        const [pending, imported] = ended;
        if (!pending || !imported || mine.signal.aborted) continue;
        put(supplier, {
          pending,
          imported: importedBeside(pending, imported),
          at: clock.now(),
        });
        if (ended.every((count) => count.kind === "counted")) done.current.add(supplier);
      }
    };
    void run().finally(() => {
      if (stop.current === mine) setRunning(false);
    });
    return () => mine.abort();
  }, [service, report, clock, active, key, refreshCount]);
  const cancel = useCallback(() => stop.current?.abort(), []);
  useCancellable(running && active, cancel);
  return {
    of: (supplier) => counts.get(supplier) ?? waiting,
    running,
    refresh: () => {
      done.current.clear();
      setRefreshCount((count) => count + 1);
    },
  };
}

/** 4.11 promises an answer only when something is imported: its 404 beside a 4.10 that answers is 0. */
function importedBeside(pending: Count, imported: Count): Count {
  const nothing = imported.kind === "failed" && isServiceError(imported.error, "not-found");
  return nothing && pending.kind === "counted" ? { kind: "counted", rows: 0 } : imported;
}

async function countRows(
  service: Service,
  supplier: string,
  state: ListState,
  signal: AbortSignal,
  report: (rows: number) => void,
): Promise<Count> {
  let rows = 0;
  let reported = 0;
  try {
    for await (const batch of readAccountList(service, supplier, state, { signal })) {
      rows += batch.count;
      if (reported === 0 || rows - reported >= reportEvery) {
        reported = rows;
        report(rows);
      }
    }
    return { kind: "counted", rows };
  } catch (error) {
    return { kind: "failed", error };
  }
}
