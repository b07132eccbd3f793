/** Reads the cohorts of this machine and of the team, and their progress, for the cohorts screen. */
import { useCallback, useRef, useSyncExternalStore } from "react";
import { useSession } from "../../hooks/app.tsx";
import { type Reading, useReading } from "../../hooks/reading.ts";
import type { Session } from "../../session/open-session.ts";
import type { CohortFigures } from "../../triage/cohorts/cohort-history.ts";
import { type Cohort, type ListedCohort, notShared } from "../../triage/cohorts/cohorts.ts";

export interface CohortRow {
  readonly cohort: ListedCohort;
  /** The figures, or null while they are read, or if only the team has the list. */
  readonly figures: CohortFigures | null;
}

interface ReadCohorts {
  readonly rows: readonly CohortRow[];
  /** The reason why the cohorts of the team are missing, or null. */
  readonly problem: unknown;
}

export function useCohortRows(version: number): Reading<ReadCohorts> {
  const session = useSession();
  const shown = useRef<readonly CohortRow[]>([]);
  const { loads: loadEnds } = session.finder;
  const loads = useSyncExternalStore(loadEnds.subscribe, loadEnds.getSnapshot);
  const read = useCallback(
    async function* (signal: AbortSignal) {
      for await (const read of rowsOf(session, shown.current, signal)) {
        shown.current = read.rows;
        yield read;
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

async function* rowsOf(
  session: Session,
  before: readonly CohortRow[],
  signal: AbortSignal,
): AsyncGenerator<ReadCohorts> {
  const { cohorts, profile } = session;
  const figuresBefore = ({ name, sha256 }: Cohort) =>
    before.find(({ cohort }) => cohort.name === name && cohort.sha256 === sha256)?.figures ?? null;
  const rowsIn = (all: readonly ListedCohort[]) =>
    all.map((cohort): CohortRow => ({ cohort, figures: figuresBefore(cohort) }));
  const own = await cohorts.list();
  let rows = rowsIn(own.map((cohort) => ({ ...cohort, ...notShared })));
  let problem: unknown = null;
  if (rows.length > 0 || profile.team === undefined) yield { rows, problem };
  if (profile.team !== undefined) {
    try {
      rows = rowsIn(await cohorts.listAll());
    } catch (error) {
      problem = error;
    }
    yield { rows, problem };
  }
  const { cohortFigures } = await import("../../triage/cohorts/cohort-history.ts");
  for await (const [name, figures] of cohortFigures(session, own, signal)) {
    rows = rows.map((row) =>
      row.cohort.isHere && row.cohort.name === name ? { ...row, figures } : row,
    );
    yield { rows, problem };
  }
}
