import { pauseBetweenSlices } from "../../accounts/slices.ts";
import type { Clock } from "../../api/clock.ts";
import type { Service } from "../../api/service.ts";
import { shownOffsetMs } from "../../text/dates.ts";
import type { NumberSet } from "../account-numbers.ts";
import { rowsWithin } from "../cohorts/cohort-rows.ts";
import type { Observations, ObservedSummary } from "../observations/observations.ts";
import { readWholeList, type WholeListEnd } from "../whole-list.ts";
import { type ListFigures, ListTally } from "./list-tally.ts";
import {
  type SupplierFigures,
  type SupplierHistory,
  storedCountsMs,
  storedFigures,
} from "./supplier-figures.ts";

const chartDays = 60;
const newestAccounts = 8;
const rowsPerReport = 20_000;

interface LoadOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  readonly observations?: Pick<Observations, "begin"> | undefined;
  /** The accounts to count. Default: all. The whole list is recorded in both cases. */
  readonly scope?: NumberSet | undefined;
  readonly onRows?: (rows: number) => void;
}

/**
 * Loads and records the list of a supplier (INTERFACE 4.9, or 4.10 and 4.11) and counts it while it
 * arrives. Uses the service's time. Stores no rows in memory. Rejects with ServiceError if the list
 * is not complete.
 */
export async function loadFigures(
  service: Pick<Service, "accounts" | "wrongByMs">,
  supplier: string,
  options: LoadOptions,
): Promise<{ readonly list: ListFigures; readonly end: WholeListEnd }> {
  const { clock, signal, timeoutMs, observations, scope, onRows } = options;
  const startedAt = clock.now();
  // The error of the local clock is known after the first response.
  const listStart = () => startedAt - service.wrongByMs();
  const newTally = () =>
    new ListTally({
      now: listStart(),
      zoneOffsetMs: shownOffsetMs(listStart()),
      newest: newestAccounts,
    });
  let tally: ListTally | null = null;
  await using rows = readWholeList(service, supplier, { clock, signal, timeoutMs, observations });
  const pause = pauseBetweenSlices();
  let reported = 0;
  for (;;) {
    const step = await rows.next();
    signal.throwIfAborted();
    if (step.done) {
      await step.value.recorded;
      const listedAt = step.value.listedAt - service.wrongByMs();
      return { list: (tally ?? newTally()).figures(chartDays), end: { ...step.value, listedAt } };
    }
    tally ??= newTally();
    const batch = scope === undefined ? step.value : rowsWithin(step.value, scope);
    tally.take(batch, batch.count);
    if (tally.total - reported >= rowsPerReport) {
      reported = tally.total;
      onRows?.(reported);
    }
    // Yields often, so that keys are handled while a list of a million accounts arrives.
    await pause();
  }
}

/** Returns the figures of the last observation of a supplier, or null if it was never observed. */
export async function readStoredFigures(
  observations: Observations,
  supplier: string,
  now: number,
  history: (summary: ObservedSummary) => Promise<SupplierHistory | null>,
): Promise<SupplierFigures | null> {
  const summary = await observations.summary(supplier, now);
  if (summary === null) return null;
  const counts = await observations.counts(supplier, summary.at - storedCountsMs);
  return storedFigures(summary, counts, await history(summary));
}
