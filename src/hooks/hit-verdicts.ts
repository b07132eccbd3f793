/** A React hook for the verdicts on the accounts of a search. */
import { useCallback, useMemo } from "react";
import type { Session } from "../session/open-session.ts";
import type { Hit } from "../triage/find/found.ts";
import { hitVerdict } from "../triage/find/hit-verdict.ts";
import type { Verdict } from "../triage/verdict.ts";
import type { WatchSubject } from "../watch/timeline.ts";
import { usePaces, useTimelines } from "./verdict.ts";

export function useHitVerdicts(
  session: Session | null,
  hits: readonly Hit[],
  now: number,
): (hit: Hit) => Verdict {
  const suppliers = useMemo(() => [...new Set(hits.map(({ supplier }) => supplier))], [hits]);
  const paceOf = usePaces(session, suppliers);
  const timelineOf = useTimelines(
    session,
    useMemo(() => hits.map(subjectOf), [hits]),
  );
  return useCallback(
    (hit) => hitVerdict(hit, now, timelineOf(subjectOf(hit)), paceOf(hit.supplier)),
    [now, timelineOf, paceOf],
  );
}

export function subjectOf({ supplier, number }: Hit): WatchSubject {
  return { kind: "account", supplier, number };
}
