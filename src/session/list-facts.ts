/** Provides the facts beyond the lists that filters of accounts need: ages and cohorts. */
import type { AccountFacts, AgeFacts, Loadable } from "../accounts/filter-facts.ts";
import { CohortAnswers } from "../triage/cohorts/cohort-answers.ts";
import type { NumberSet } from "../triage/number-set.ts";
import type { AccountLists } from "./account-lists.ts";
import { type AccountTab, accountTabs } from "./places.ts";

/** Reads the accounts of a cohort of a supplier. Rejects with a cohort error. */
export type ReadCohort = (name: string, supplier: string) => Promise<NumberSet>;

/** The facts of one supplier. */
interface SupplierFacts {
  ages: Loadable<AgeFacts>;
  goneAges: Loadable<AgeFacts>;
  readonly cohorts: CohortAnswers;
}

const withoutGone = "Gone accounts are on no list of the service: their tab has them.";

/**
 * Creates the lookup of the facts that filters need beyond the lists. It passes them to every list
 * of a supplier in memory until `life` is aborted.
 */
export function createListFacts(options: {
  readonly lists: Pick<AccountLists, "known">;
  readonly readCohort: ReadCohort;
  readonly life: AbortSignal;
}) {
  const { lists, readCohort, life } = options;
  const suppliers = new Map<string, SupplierFacts>();
  const of = (supplier: string): SupplierFacts => {
    const known = suppliers.get(supplier);
    if (known) return known;
    const made: SupplierFacts = {
      ages: { kind: "reading" },
      goneAges: { kind: "reading" },
      cohorts: new CohortAnswers(
        (name) => readCohort(name, supplier),
        () => hand(supplier, accountTabs),
      ),
    };
    suppliers.set(supplier, made);
    return made;
  };
  const hand = (supplier: string, to: readonly AccountTab[]) => {
    if (life.aborted) return;
    const { ages, goneAges, cohorts } = of(supplier);
    const cohort = cohorts.now();
    for (const tab of to) {
      const facts: AccountFacts =
        tab === "gone"
          ? { ages: goneAges, cohort, withoutGone: null }
          : { ages, cohort, withoutGone };
      lists.known(supplier, tab)?.learn(facts);
    }
  };
  return {
    /**
     * Reports the start of a load of this list. Its ages are shown as loading until they are known.
     */
    loading(supplier: string, tab: AccountTab) {
      // A cohort might have been added since the last load.
      of(supplier).cohorts.retry();
      hand(supplier, [tab]);
    },
    /** Sets the ages of all lists of the service. */
    setAges(supplier: string, ages: Loadable<AgeFacts>) {
      of(supplier).ages = ages;
      hand(supplier, ["all", "pending", "imported"]);
    },
    /** Sets the ages of the list of gone accounts. */
    setGoneAges(supplier: string, ages: AgeFacts) {
      of(supplier).goneAges = { kind: "known", value: ages };
      hand(supplier, ["gone"]);
    },
  };
}
