/** Verifies stored cohorts, and counts their accounts in the observations. */
import { type CohortCounts, countCohort } from "../triage/cohorts/cohort-history.ts";
import type { Cohort, Cohorts } from "../triage/cohorts/cohorts.ts";
import type { Ages } from "../triage/observations/observations.ts";
import type { Session } from "./open-session.ts";

/** The figures of a cohort, or the reason why its list cannot be used. */
export type CohortFigures =
  /** The stored list is unchanged. `observed` is null if its supplier was never observed. */
  | { readonly kind: "read"; readonly observed: CohortCounts | null }
  /** The list was changed on the disk, or cannot be read. */
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * Verifies each cohort against its SHA-256 and counts its accounts in the observations, one after
 * another. Sends no request.
 */
export async function* cohortFigures(
  session: Pick<Session, "observations"> & { readonly cohorts: Pick<Cohorts, "read"> },
  cohorts: readonly Pick<Cohort, "name" | "supplier">[],
  signal: AbortSignal,
): AsyncGenerator<readonly [name: string, figures: CohortFigures], void, void> {
  const ages = new Map<string, Ages | null>();
  const agesOf = async (supplier: string) => {
    const known = ages.get(supplier);
    if (known !== undefined) return known;
    // The store reports observations that cannot be read.
    const read = await session.observations.ages(supplier, signal).catch(() => null);
    ages.set(supplier, read);
    return read;
  };
  for (const { name, supplier } of cohorts) {
    try {
      const { numbers } = await session.cohorts.read(name, supplier);
      const known = await agesOf(supplier);
      signal.throwIfAborted();
      const observed = known === null ? null : await countCohort(numbers, known, signal);
      yield [name, { kind: "read", observed }];
    } catch (error) {
      signal.throwIfAborted();
      yield [name, { kind: "failed", error }];
    }
  }
}
