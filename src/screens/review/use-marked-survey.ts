import { useEffect, useState } from "react";
import type { MarkedAccounts } from "../../accounts/marks.ts";
import { betweenEvents, inSlices } from "../../accounts/slices.ts";
import type { Template } from "../../bulk/for-accounts.ts";
import { useSession } from "../../hooks/session.tsx";
import type { Session } from "../../session/open-session.ts";
import { askGuard, mostSevere } from "../../writes/guard.ts";
import { preparedFor } from "./marked-plan.ts";
import { type FindingOf, type Survey, survey, unlooked } from "./marked-survey.ts";

/** How often the progress of a long survey is reported, in milliseconds. */
const reportEveryMs = 200;

/** Asks the journal; without one nothing is known, and nothing can be sent either. */
async function guardOf(session: Session, template: Template): Promise<FindingOf> {
  const writes = await session.writes().catch(() => null);
  if (writes === null) return () => ({ kind: "clear" });
  const { journal, service } = writes.context;
  const { baseUrl } = service;
  return (account) =>
    journal.read((rows) =>
      mostSevere(
        preparedFor(template, account).map((write) => askGuard(rows, { baseUrl, write }, null)),
      ),
    );
}

/** Checks the marked accounts in slices, so that keys work meanwhile, however many there are. */
export function useSurvey(
  template: Template | null,
  marked: MarkedAccounts,
  staged: boolean,
): Survey {
  const session = useSession();
  const [found, setFound] = useState<Survey>(unlooked);
  useEffect(() => {
    setFound(unlooked);
    if (template === null) return;
    let left = false;
    let reportedAt = betweenEvents.elapsed();
    const look = async () => {
      const findingOf = await guardOf(session, template);
      const work = survey(template, marked, staged, findingOf, (now) => {
        if (betweenEvents.elapsed() - reportedAt < reportEveryMs) return;
        reportedAt = betweenEvents.elapsed();
        setFound(now);
      });
      const end = await inSlices(work, betweenEvents, () => left);
      if (end !== null && !left) setFound(end);
    };
    void look();
    return () => {
      left = true;
    };
  }, [session, template, marked, staged]);
  return found;
}
