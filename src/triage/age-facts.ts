/** Converts stored ages to the facts that filters need. */
import type { AgeFacts } from "../accounts/filter-facts.ts";
import { startOfDay } from "../text/dates.ts";
import type { Ages } from "./observations/observations.ts";

/**
 * Returns the stored ages as facts for filters. `ages` is null if the supplier was never observed.
 */
export function ageFacts(ages: Ages | null, now: number): AgeFacts {
  if (ages === null) return neverObserved;
  const today = startOfDay(now);
  const hasEarlierDay = ages.historySince < today;
  return {
    find: (bytes, from, to) => ages.find(bytes, from, to),
    pendingSince: (row) => ages.pendingSince(row),
    isNew: (row) => {
      if (row < 0) return hasEarlierDay;
      // An account that was gone before today and is listed again was not listed yesterday.
      return ages.isNew(row) || (hasEarlierDay && ages.goneAt(row) < today);
    },
  };
}

const neverObserved: AgeFacts = {
  find: () => -1,
  pendingSince: () => Number.NaN,
  isNew: () => false,
};
