/** Counts the accounts on no list in each stored cohort, as open work of a session. */
import { countCohort } from "../triage/cohorts/cohort-history.ts";
import type { Cohort, Cohorts } from "../triage/cohorts/cohorts.ts";
import type { Observations } from "../triage/observations/observations.ts";
import type { OpenCohort } from "../triage/open/open.ts";

/** The count of a cohort, and a key that changes when the count might have changed. */
interface Counted {
  readonly key: string;
  readonly open: OpenCohort;
}

/**
 * Returns a function that counts, for each cohort of the given suppliers, the accounts on no list.
 * It counts a cohort again only if its stored list or the last observation of its supplier has
 * changed. It returns the same array if no count has changed. It rejects with the signal's reason.
 */
export function createCohortCounter(options: {
  readonly cohorts: Pick<Cohorts, "list" | "read">;
  readonly observations: Observations;
  /** The service's time in epoch milliseconds. */
  readonly now: () => number;
}) {
  const { cohorts, observations, now } = options;
  let known = new Map<string, Counted>();
  let last: readonly OpenCohort[] = [];

  const countOf = async (cohort: Cohort, signal: AbortSignal): Promise<Counted> => {
    const { name, supplier, sha256 } = cohort;
    const summary = await observations.summary(supplier, now());
    const isTrusted = summary !== null && summary.heldBack === null;
    const key = JSON.stringify([supplier, sha256, isTrusted ? summary.at : null]);
    const before = known.get(name);
    if (before?.key === key) return before;
    const ages = isTrusted ? await observations.ages(supplier, signal) : null;
    if (ages === null) return { key, open: { name, unlisted: null } };
    const { numbers } = await cohorts.read(name, supplier);
    const { imported, pending } = await countCohort(numbers, ages, signal);
    return { key, open: { name, unlisted: numbers.size - imported - pending } };
  };

  return async (suppliers: readonly string[], signal: AbortSignal) => {
    const counted = new Map<string, Counted>();
    for (const cohort of await cohorts.list()) {
      if (!suppliers.includes(cohort.supplier)) continue;
      const { name } = cohort;
      const next = await countOf(cohort, signal).catch((error: unknown): Counted => {
        signal.throwIfAborted();
        return { key: String(error), open: { name, unlisted: null } };
      });
      counted.set(name, next);
    }
    const isSame =
      counted.size === known.size &&
      [...counted].every(([name, { open }]) => known.get(name)?.open.unlisted === open.unlisted);
    known = counted;
    if (!isSame) last = [...counted.values()].map(({ open }) => open);
    return last;
  };
}
