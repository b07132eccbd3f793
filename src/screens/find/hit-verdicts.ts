/** A React hook for the verdicts on the accounts of a search. */
import { useCallback, useMemo } from "react";
import { usePaces, useTimelines } from "../../hooks/verdict.ts";
import type { Hit } from "../../triage/find/found.ts";
import { hitVerdict } from "../../triage/find/hit-verdict.ts";
import type { Verdict } from "../../triage/verdict.ts";
import type { WatchSubject } from "../../watch/timeline.ts";
import type { FindRow } from "./find-rows.ts";

const maxRecalled = 100;

export function useHitVerdicts(rows: readonly FindRow[], now: number): (hit: Hit) => Verdict {
  const suppliers = useMemo(
    () => [...new Set(rows.flatMap((row) => (row.kind === "hit" ? row.hit.supplier : [])))],
    [rows],
  );
  const paceOf = usePaces(suppliers);
  const recalled = useMemo(
    () =>
      rows
        .slice(0, maxRecalled)
        .flatMap((row): WatchSubject[] =>
          row.kind === "hit"
            ? [{ kind: "account", supplier: row.hit.supplier, number: row.hit.number }]
            : [],
        ),
    [rows],
  );
  const timelineOf = useTimelines(recalled);
  return useCallback(
    (hit) => {
      const { supplier, number } = hit;
      const timeline = timelineOf({ kind: "account", supplier, number });
      return hitVerdict(hit, now, timeline, paceOf(supplier));
    },
    [now, timelineOf, paceOf],
  );
}
