import type { Cohorts } from "../triage/cohorts/cohorts.ts";
import type { Cohort } from "../triage/cohorts/description.ts";
import type { NumberSet } from "../triage/number-set.ts";
import type { Ages } from "../triage/observations/observations.ts";
import type { Session } from "./open-session.ts";

/** The accounts of a cohort in the last observation of its supplier. */
interface ObservedCohort {
  readonly imported: number;
  readonly pending: number;
  /** The numbers of its first pending accounts. */
  readonly pendingNumbers: readonly string[];
  /** When that observation began, in epoch milliseconds. */
  readonly observedAt: number;
}

/** What is known of the list of a cohort. */
export type CohortFigures =
  /** Its SHA-256 is that of the list that was added; null where its supplier was never observed. */
  | { readonly kind: "read"; readonly observed: ObservedCohort | null }
  /** The list was changed on the disk, or cannot be read. */
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * Verifies each cohort against its SHA-256 and counts its accounts in what was observed, one after
 * another; asks the service for nothing. At most `mostNumbers` pending accounts are named.
 */
export async function* cohortFigures(
  session: Pick<Session, "observations"> & { readonly cohorts: Pick<Cohorts, "read"> },
  cohorts: readonly Cohort[],
  mostNumbers: number,
  signal: AbortSignal,
): AsyncGenerator<readonly [name: string, figures: CohortFigures], void, void> {
  const ages = new Map<string, Ages | null>();
  const agesOf = async (supplier: string) => {
    const known = ages.get(supplier);
    if (known !== undefined) return known;
    // Where nothing can be read, the store reports it.
    const read = await session
      .observations()
      .then((opened) => opened.ages(supplier, signal))
      .catch(() => null);
    ages.set(supplier, read);
    return read;
  };
  for (const { name, supplier } of cohorts) {
    try {
      const { numbers } = await session.cohorts.read(name, supplier);
      const known = await agesOf(supplier);
      signal.throwIfAborted();
      const observed = known === null ? null : await counted(numbers, known, mostNumbers, signal);
      yield [name, { kind: "read", observed }];
    } catch (error) {
      signal.throwIfAborted();
      yield [name, { kind: "failed", error }];
    }
  }
}

/** Accounts counted between two turns of the event loop. */
const together = 2_000;

async function counted(
  numbers: NumberSet,
  ages: Ages,
  mostNumbers: number,
  signal: AbortSignal,
): Promise<ObservedCohort> {
  let imported = 0;
  let pending = 0;
  let seen = 0;
  const pendingNumbers: string[] = [];
  for (const number of numbers.numbers()) {
    const row = ages.rowOf(number);
    if (row >= 0 && ages.isImported(row)) imported += 1;
    if (row >= 0 && !Number.isNaN(ages.pendingSince(row))) {
      pending += 1;
      if (pendingNumbers.length < mostNumbers) pendingNumbers.push(number);
    }
    seen += 1;
    if (seen % together !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return { imported, pending, pendingNumbers, observedAt: ages.observedAt };
}
