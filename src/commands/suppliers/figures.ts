/**
 * Reads the figures of suppliers, and defines their columns and rows, for `suppliers list` and
 * `suppliers show`.
 */

import { utcInstant } from "../../text/dates.ts";
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
import { type Column, column, supplierColumn } from "../rows/columns.ts";
import type { Target } from "../target.ts";

/** The printed figures of a supplier. Unknown figures are null. */
export interface FiguresRow {
  readonly import_supplier: string;
  readonly imported: number | null;
  readonly pending: number | null;
  readonly total: number | null;
  readonly gone: number | null;
  readonly rate_per_hour: number | null;
  readonly finish_from: string | null;
  readonly finish_to: string | null;
  readonly oldest_pending_since: string | null;
  readonly pending_over_a_day: number | null;
  readonly unknown_writes: number | null;
  readonly listed_at: string | null;
}

/** The type of a column with a time. */
const timeType = "text, UTC, or null";

/** Returns the column of a number. */
const figure = <const Name extends string>(name: Name, title: string, meaning: string) =>
  ({ ...column(name, title, "number or null", meaning), align: "right" }) as const;

/** The columns of the figures of a supplier. */
export const figureColumns: readonly Column<FiguresRow>[] = [
  supplierColumn,
  figure("imported", "Imported", "The number of imported accounts."),
  figure("pending", "Pending", "The number of accounts that are staged and not imported."),
  figure("total", "Total", "The number of accounts on the list."),
  figure(
    "gone",
    "Gone",
    "Accounts that left the list without being imported; null while a list is held back. `suppliers show` verifies up to 200 of them.",
  ),
  figure("rate_per_hour", "Per hour", "Accounts imported in the last hour."),
  column(
    "finish_from",
    "Finish from",
    timeType,
    "The earliest time at which all accounts can be imported; null without a forecast.",
  ),
  column(
    "finish_to",
    "Finish to",
    timeType,
    "The latest time at which all accounts can be imported.",
  ),
  column(
    "oldest_pending_since",
    "Oldest pending since",
    timeType,
    "The time of the first observed list with the account that has been pending longest.",
  ),
  figure("pending_over_a_day", "Over a day", "Accounts that are pending for more than a day."),
  {
    ...column(
      "unknown_writes",
      "Unknown",
      "number or null",
      "Entries of the journal with an unknown outcome; null if the journal cannot be read.",
    ),
    align: "right",
  },
  column(
    "listed_at",
    "Listed at",
    timeType,
    "The time at which the list was requested; null if no list was observed.",
  ),
];

/** Returns the row of a supplier. `figures` is null if no list is known. */
export function figuresRow(
  supplier: string,
  figures: SupplierFigures | null,
  unknownWrites: number | null,
): FiguresRow {
  const history = figures?.history ?? null;
  // A list that is held back might be wrong, so it has no rate and no forecast.
  const isHeldBack = history !== null && history.heldBack !== null;
  const [hour] = isHeldBack ? [] : (figures?.rates ?? []);
  const finish = isHeldBack ? null : figures?.finish;
  const timeText = (ms: number | null | undefined) => (ms == null ? null : utcInstant(ms));
  const finishText = (ms: number) => timeText(figures === null ? null : figures.listedAt + ms);
  return {
    import_supplier: supplier,
    imported: figures?.imported ?? null,
    pending: figures?.pending ?? null,
    total: figures?.total ?? null,
    gone: history?.gone?.count ?? null,
    rate_per_hour: hour === undefined ? null : Math.round(hour.perHour * 10) / 10,
    finish_from: finish?.kind === "range" ? finishText(finish.soonestMs) : null,
    finish_to: finish?.kind === "range" ? finishText(finish.latestMs) : null,
    oldest_pending_since: timeText(history?.oldestPendingSince),
    pending_over_a_day: history?.pendingOverADay ?? null,
    unknown_writes: unknownWrites,
    listed_at: timeText(figures?.listedAt),
  };
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

/**
 * Returns the figures of the last stored list of a supplier, without a request, or null if no list
 * is stored.
 */
export function storedFigures(
  observations: Observations,
  supplier: string,
  now: number,
): Promise<SupplierFigures | null> {
  return readStoredFigures(observations, supplier, now, async (summary) =>
    // The gone accounts are not verified, because that would need requests.
    historyOf(summary, { count: summary.gone, atLeast: false }),
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

/** Returns the history of a supplier with its gone accounts verified, or null without one. */
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
    return historyOf(summary, gone);
  });
  return history ?? null;
}
