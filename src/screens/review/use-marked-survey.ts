import { useEffect, useState } from "react";
import type { MarkedAccounts } from "../../accounts/marks.ts";
import { betweenEvents, inSlices } from "../../accounts/slices.ts";
import type { Template } from "../../bulk/for-accounts.ts";
import { type Survey, survey, unlooked } from "./marked-survey.ts";

/** How often it is told how far a long survey is, in milliseconds. */
const tellEveryMs = 200;

/** Looks at the marked accounts in slices, so that keys are heard meanwhile, however many there are. */
export function useSurvey(
  template: Template | null,
  marked: MarkedAccounts,
  staged: boolean,
): Survey {
  const [found, setFound] = useState<Survey>(unlooked);
  useEffect(() => {
    setFound(unlooked);
    if (template === null) return;
    let left = false;
    let toldAt = betweenEvents.elapsed();
    const work = survey(template, marked, staged, (now) => {
      if (betweenEvents.elapsed() - toldAt < tellEveryMs) return;
      toldAt = betweenEvents.elapsed();
      setFound(now);
    });
    inSlices(work, betweenEvents, () => left).then((end) => {
      if (end !== null && !left) setFound(end);
    });
    return () => {
      left = true;
    };
  }, [template, marked, staged]);
  return found;
}
