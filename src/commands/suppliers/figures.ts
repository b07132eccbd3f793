/** Reads the figures of suppliers, and arranges their columns, for `suppliers list` and `show`. */

import { figureFields, type SupplierFacts } from "../../triage/figures/figure-fields.ts";
import { GoneCounter } from "../../triage/figures/gone.ts";
import { futureAccountsNote } from "../../triage/figures/newest.ts";
import { loadFigures, readStoredFigures } from "../../triage/figures/read-figures.ts";
import {
  historyOf,
  listedFigures,
  type SupplierFigures,
} from "../../triage/figures/supplier-figures.ts";
import type { Observations } from "../../triage/observations/observations.ts";
import { createBudget } from "../../watch/budget.ts";
import { failedCall } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import type { Observing } from "../observing.ts";
import type { Column } from "../rows/columns.ts";
import type { Target } from "../target.ts";

export const figureColumns: readonly Column<SupplierFacts>[] = Object.values({
  ...figureFields,
  ...right("imported"),
  ...right("pending"),
  ...right("total"),
  ...right("gone"),
  ...right("rate"),
  ...right("overADay"),
  ...right("unknown"),
});

function right(id: keyof typeof figureFields) {
  return { [id]: { ...figureFields[id], align: "right" as const } };
}

/**
 * Returns a map by supplier with true if the list of the supplier is held back. Suppliers that were
 * never observed are absent.
 */
export function heldBackOf(
  suppliers: readonly { readonly supplier: string; readonly figures: SupplierFigures | null }[],
): ReadonlyMap<string, boolean> {
  return new Map(
    suppliers.flatMap(({ supplier, figures }) => {
      const history = figures?.history ?? null;
      return history === null ? [] : [[supplier, history.heldBack !== null] as const];
    }),
  );
}

/** Returns the figures of the last stored list, without a request, or null. */
export function storedFigures(
  observations: Observations,
  supplier: string,
  now: number,
): Promise<SupplierFigures | null> {
  return readStoredFigures(observations, supplier, now, async (summary) =>
    // The gone accounts are not verified, because that would need requests.
    historyOf(summary, { count: summary.gone, atLeast: false }, observations.machines(supplier)),
  );
}

/**
 * Loads the list of a supplier and verifies the accounts that left it. Rejects with the error of
 * the call.
 */
export async function currentFigures(
  invocation: Invocation,
  { service, context }: Target,
  observing: Observing,
  supplier: string,
): Promise<SupplierFigures> {
  const { clock, signal } = invocation.io;
  const options = { ...invocation.request, clock, observations: observing.observations };
  try {
    const { list, end } = await loadFigures(service, supplier, options);
    await end.recorded;
    if (list.ahead > 0) invocation.warn(`${supplier}: ${futureAccountsNote(list.ahead)}.`);
    const counter = new GoneCounter({ service, budget: createBudget(clock), now: clock.now });
    const now = () => clock.now() - service.wrongByMs();
    return listedFigures(
      list,
      end.listedAt,
      await verifiedHistory(invocation, observing, supplier, { counter, now }),
    );
  } catch (error) {
    signal.throwIfAborted();
    const doing = `listing the accounts of ${supplier}`;
    throw failedCall(error, context(doing, { kind: "supplier", supplier }));
  }
}

async function verifiedHistory(
  { io: { signal } }: Invocation,
  observing: Observing,
  supplier: string,
  { counter, now }: { readonly counter: GoneCounter; readonly now: () => number },
) {
  const history = await observing.read(async (observations) => {
    const summary = await observations.summary(supplier, now());
    if (summary === null) return null;
    const ages = summary.gone === 0 ? null : await observations.ages(supplier, signal);
    const gone = ages
      ? await counter.count(supplier, ages.gone(), signal)
      : { count: 0, atLeast: false };
    return historyOf(summary, gone, observations.machines(supplier));
  });
  return history ?? null;
}
