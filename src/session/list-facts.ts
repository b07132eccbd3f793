/** Provides the facts that account filters need in addition to the lists: ages and cohorts. */
import type { AccountFacts, AgeFacts, Loadable } from "../accounts/filter-facts.ts";
import { errorLine } from "../errors/error-words.ts";
import type { NumberSet } from "../triage/account-numbers.ts";
import type { AccountLists } from "./account-lists.ts";
import { type AccountTab, accountTabs } from "./places.ts";

/** Reads the accounts of a cohort of a supplier. Rejects with a cohort error. */
export type ReadCohort = (name: string, supplier: string) => Promise<NumberSet>;

interface SupplierFacts {
  ages: Loadable<AgeFacts>;
  goneAges: Loadable<AgeFacts>;
  readonly cohorts: CohortReads;
}

const withoutGone = "Gone accounts are on no list of the service: their tab has them.";

/**
 * Creates the facts that account filters need in addition to the lists. Changed facts are passed to
 * the lists of their supplier in memory, until `life` is aborted.
 */
export function createListFacts(options: {
  readonly lists: Pick<AccountLists, "known">;
  readonly readCohort: ReadCohort;
  readonly life: AbortSignal;
}) {
  const { lists, readCohort, life } = options;
  const suppliers = new Map<string, SupplierFacts>();
  const factsOf = (supplier: string): SupplierFacts => {
    const known = suppliers.get(supplier);
    if (known) return known;
    const created: SupplierFacts = {
      ages: { kind: "reading" },
      goneAges: { kind: "reading" },
      cohorts: new CohortReads(
        (name) => readCohort(name, supplier),
        () => passTo(supplier, accountTabs),
      ),
    };
    suppliers.set(supplier, created);
    return created;
  };
  const passTo = (supplier: string, tabs: readonly AccountTab[]) => {
    if (life.aborted) return;
    const { ages, goneAges, cohorts } = factsOf(supplier);
    const cohort = cohorts.lookup();
    for (const tab of tabs) {
      const facts: AccountFacts =
        tab === "gone"
          ? { ages: goneAges, cohort, withoutGone: null }
          : { ages, cohort, withoutGone };
      lists.known(supplier, tab)?.setFacts(facts);
    }
  };
  return {
    /** Passes the known facts to a list whose load starts. Unknown ages are shown as loading. */
    loading(supplier: string, tab: AccountTab) {
      // A cohort might have been added since the last load.
      factsOf(supplier).cohorts.retry();
      passTo(supplier, [tab]);
    },
    setAges(supplier: string, ages: Loadable<AgeFacts>) {
      factsOf(supplier).ages = ages;
      passTo(supplier, ["all", "pending", "imported"]);
    },
    setGoneAges(supplier: string, ages: AgeFacts) {
      factsOf(supplier).goneAges = { kind: "known", value: ages };
      passTo(supplier, ["gone"]);
    },
  };
}

type ReadState = ReturnType<AccountFacts["cohort"]>;

export class CohortReads {
  readonly #read: (name: string) => Promise<NumberSet>;
  readonly #changed: () => void;
  readonly #states = new Map<string, ReadState>();

  /** `changed` is called after each read, so that the filters are applied again. */
  constructor(read: (name: string) => Promise<NumberSet>, changed: () => void) {
    this.#read = read;
    this.#changed = changed;
  }

  /** Returns a lookup of the cohorts. A state that it has returned does not change afterward. */
  lookup(): AccountFacts["cohort"] {
    const returned = new Map<string, ReadState>();
    return (name) => {
      const state = returned.get(name) ?? this.#states.get(name) ?? this.#begin(name);
      returned.set(name, state);
      return state;
    };
  }

  /** Forgets failed reads, so that the next use reads those cohorts again. */
  retry(): void {
    for (const [name, { kind }] of this.#states) if (kind === "unknown") this.#states.delete(name);
  }

  #begin(name: string): ReadState {
    const reading = { kind: "reading" } as const;
    this.#states.set(name, reading);
    const finish = (state: ReadState) => {
      this.#states.set(name, state);
      this.#changed();
    };
    this.#read(name).then(
      (numbers) => {
        const has = (bytes: Uint8Array, from: number, to: number) =>
          numbers.find(bytes, from, to) >= 0;
        finish({ kind: "known", value: { has } });
      },
      (error: unknown) =>
        finish({ kind: "unknown", why: errorLine(error, { doing: `reading the cohort ${name}` }) }),
    );
    return reading;
  }
}
