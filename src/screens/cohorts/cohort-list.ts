/** Reads the stored cohorts and their progress for the cohorts screen. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { useSession } from "../../hooks/app.tsx";
import { useActive } from "../../hooks/window.tsx";
import { runUntilCleanup } from "../../session/run-until-cleanup.ts";
import type { CohortFigures } from "../../triage/cohorts/cohort-history.ts";
import type { Cohort } from "../../triage/cohorts/cohorts.ts";

/** A cohort and the figures of its accounts, which are null until they are counted. */
export interface CohortRow {
  readonly cohort: Cohort;
  readonly figures: CohortFigures | null;
}

/** The state of reading the stored cohorts, with the rows read so far. */
export type CohortList =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "read"; readonly rows: readonly CohortRow[] };

/** Reads the cohorts each time the screen comes to the top, and when `version` changes. */
export function useCohortRows(version: number): CohortList {
  const session = useSession();
  const active = useActive();
  const [list, setList] = useState<CohortList>({ kind: "reading" });
  const { loads: loadEnds } = session.finder;
  const loads = useSyncExternalStore(loadEnds.subscribe, loadEnds.getSnapshot);
  const hasUnknownFigures =
    list.kind === "read" &&
    list.rows.some(({ figures }) => figures?.kind === "read" && figures.observed === null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `version`, and a loaded list of a supplier without observations, cause another read
  useEffect(() => {
    if (!active) return;
    const read = async (signal: AbortSignal) => {
      const cohorts = await session.cohorts.list();
      if (signal.aborted) return;
      setList((before) => ({
        kind: "read",
        // A row shows its previous figures until they are counted again.
        rows: cohorts.map((cohort) => ({ cohort, figures: figuresIn(before, cohort) })),
      }));
      const { cohortFigures } = await import("../../triage/cohorts/cohort-history.ts");
      for await (const [name, figures] of cohortFigures(session, cohorts, signal)) {
        setList((before) => withFigures(before, name, figures));
      }
    };
    return runUntilCleanup((signal) =>
      read(signal).catch((error: unknown) => {
        if (!signal.aborted) setList({ kind: "failed", error });
      }),
    );
  }, [session, active, version, hasUnknownFigures ? loads : 0]);
  return list;
}

function figuresIn(list: CohortList, cohort: Cohort): CohortFigures | null {
  if (list.kind !== "read") return null;
  const row = list.rows.find(({ cohort: { name, sha256 } }) => {
    return name === cohort.name && sha256 === cohort.sha256;
  });
  return row?.figures ?? null;
}

function withFigures(list: CohortList, name: string, figures: CohortFigures): CohortList {
  if (list.kind !== "read") return list;
  const rows = list.rows.map((row) => (row.cohort.name === name ? { ...row, figures } : row));
  return { ...list, rows };
}
