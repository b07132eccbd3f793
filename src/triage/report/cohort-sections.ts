/** Gathers the sections of a report about cohorts. */
import type { WatchSubject } from "../../watch/subject.ts";
import { countCohort } from "../cohorts/cohort-counts.ts";
import type { Cohorts } from "../cohorts/cohorts.ts";
import type { Ages } from "../observations/observations.ts";
import type { CohortSection } from "./report.ts";

/** Records that data cannot be read, with its error. */
export type Unreadable = (what: string, error: unknown) => null;

interface CohortOptions {
  readonly cohorts: Pick<Cohorts, "list" | "read">;
  /** The name of the only cohort to report, or null for all. */
  readonly only: string | null;
  /**
   * The states of accounts by supplier, or null for a supplier if they are not known. Cohorts of
   * other suppliers are left out.
   */
  readonly ages: ReadonlyMap<string, Ages | null>;
  readonly watched: readonly WatchSubject[];
  readonly unreadable: Unreadable;
  readonly signal: AbortSignal;
}

/**
 * Counts the accounts of each cohort in the last list of its supplier, and finds the cohorts of
 * watched accounts. Rejects with the signal's reason.
 */
export async function cohortSections(options: CohortOptions) {
  const { only, ages, unreadable, signal } = options;
  const members = new Map<string, string>();
  const keyOf = ({ kind, supplier, number }: WatchSubject) =>
    JSON.stringify([kind, supplier, number]);
  const sections: CohortSection[] = [];
  const memberOf = (one: WatchSubject) => members.get(keyOf(one)) ?? null;
  const stored = await options.cohorts
    .list()
    .catch((error: unknown) => unreadable("The cohorts", error));
  if (stored === null) return { sections: null, memberOf, open: null };
  for (const { name, supplier, accounts } of stored) {
    const known = ages.get(supplier);
    if (known === undefined || (only !== null && name !== only)) continue;
    const about = { name, supplier, accounts };
    try {
      const { numbers } = await options.cohorts.read(name, supplier);
      for (const one of options.watched)
        if (one.kind === "account" && one.supplier === supplier && numbers.rowOf(one.number) >= 0)
          members.set(keyOf(one), name);
      const counts = known && (await countCohort(numbers, known, signal));
      sections.push(
        counts === null
          ? { ...about, ...notKnown }
          : {
              ...about,
              imported: counts.imported,
              pending: counts.pending,
              unlisted: accounts - counts.imported - counts.pending,
            },
      );
    } catch (error) {
      unreadable(`The cohort ${name}`, error);
      sections.push({ ...about, ...notKnown });
    }
  }
  return { sections, memberOf, open: sections };
}

const notKnown = { imported: null, pending: null, unlisted: null };
