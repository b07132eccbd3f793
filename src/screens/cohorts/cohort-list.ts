/** Reads the stored cohorts and their progress for the cohorts screen. */
import { useCallback, useRef, useSyncExternalStore } from "react";
import { useSession } from "../../hooks/app.tsx";
import { type Reading, useReading } from "../../hooks/reading.ts";
import type { Session } from "../../session/open-session.ts";
import type { CohortFigures } from "../../triage/cohorts/cohort-history.ts";
import type { Cohort } from "../../triage/cohorts/cohorts.ts";

export interface CohortRow {
  readonly cohort: Cohort;
  readonly figures: CohortFigures | null;
}

export function useCohortRows(version: number): Reading<readonly CohortRow[]> {
  const session = useSession();
  const shown = useRef<readonly CohortRow[]>([]);
  const { loads: loadEnds } = session.finder;
  const loads = useSyncExternalStore(loadEnds.subscribe, loadEnds.getSnapshot);
  const read = useCallback(
    async function* (signal: AbortSignal) {
      for await (const rows of rowsOf(session, shown.current, signal)) {
        shown.current = rows;
        yield rows;
      }
    },
    [session],
  );
  const hasUnknownFigures = shown.current.some(
    ({ figures }) => figures?.kind === "read" && figures.observed === null,
  );
  // A loaded list of a supplier without observations causes another read.
  return useReading(read, `${version} ${hasUnknownFigures ? loads : 0}`);
}

async function* rowsOf(session: Session, before: readonly CohortRow[], signal: AbortSignal) {
  const cohorts = await session.cohorts.list();
  const figuresBefore = ({ name, sha256 }: Cohort) =>
    before.find(({ cohort }) => cohort.name === name && cohort.sha256 === sha256)?.figures ?? null;
  let rows = cohorts.map((cohort): CohortRow => ({ cohort, figures: figuresBefore(cohort) }));
  yield rows;
  const { cohortFigures } = await import("../../triage/cohorts/cohort-history.ts");
  for await (const [name, figures] of cohortFigures(session, cohorts, signal)) {
    rows = rows.map((row) => (row.cohort.name === name ? { ...row, figures } : row));
    yield rows;
  }
}
