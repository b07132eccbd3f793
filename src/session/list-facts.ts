/** Provides the facts beyond the lists that filters of accounts need: ages and cohorts. */
import type { AccountFacts, AgeFacts, Loadable } from "../accounts/filter-facts.ts";
import { errorLine } from "../errors/error-words.ts";
import type { NumberSet } from "../triage/account-numbers.ts";
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
      lists.known(supplier, tab)?.setFacts(facts);
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

type Answer = ReturnType<AccountFacts["cohort"]>;

/** Reads the cohorts that the filters of one supplier use, each one at its first use. */
export class CohortAnswers {
  readonly #read: (name: string) => Promise<NumberSet>;
  readonly #changed: () => void;
  readonly #answers = new Map<string, Answer>();

  /** `changed` is called after each read, so that the filters are applied again. */
  constructor(read: (name: string) => Promise<NumberSet>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  /** Returns a snapshot of the answers. An answer in it does not change when a read completes. */
  now(): AccountFacts["cohort"] {
    const given = new Map<string, Answer>();
    return (name) => {
      const answer = given.get(name) ?? this.#answers.get(name) ?? this.#begin(name);
      given.set(name, answer);
      return answer;
    };
  }

  /** Forgets failed reads, so that the next use reads the cohort again. It might exist by then. */
  retry(): void {
    for (const [name, { kind }] of this.#answers)
      if (kind === "unknown") this.#answers.delete(name);
  }

  #begin(name: string): Answer {
    const reading = { kind: "reading" } as const;
    this.#answers.set(name, reading);
    const settle = (answer: Answer) => {
      this.#answers.set(name, answer);
      this.#changed();
    };
    this.#read(name).then(
      (numbers) => {
        const has = (bytes: Uint8Array, from: number, to: number) =>
          numbers.find(bytes, from, to) >= 0;
        settle({ kind: "known", value: { has } });
      },
      (error: unknown) =>
        settle({ kind: "unknown", why: errorLine(error, { doing: `reading the cohort ${name}` }) }),
    );
    return reading;
  }
}
